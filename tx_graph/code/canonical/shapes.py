"""Streams of canonical tokens, and the shapes that trees are rewritten to on the way there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

from tx_graph.core.dataclass import dataclass, field

if TYPE_CHECKING:
    from ast_grep_py import SgNode


Entry = tuple[str, int, int, bool]
"""A token, the offsets it begins and ends at in the text, and whether it stands there itself or marks a group."""

Span = tuple[int, int]
"""Where something begins and ends in a text, in characters."""


MARK = "\0"
"""What marks in a stream begin with, so that no token of a source looks like one."""
_BLANKS = " \t\n\r\f\v"


class Part:
    """A leaf with its text, or a group of parts; `start` and `end` are the offsets it has in the source."""

    __slots__ = ("end", "kind", "parts", "start", "text")

    def __init__(self, kind: str, start: int, end: int, text: str = "", parts: list[Part] | None = None) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text
        self.parts = parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A text on its way into canonical form, with the places of the comments found so far.

    `seams` are leaves that were made of several, by the span of each: the pieces, as they stand in the text.
    """

    text: str
    remarks: list[Span] = field(default_factory=list)
    seams: dict[Span, list[Entry]] = field(default_factory=dict)


Shape = Callable[[Part, Source], None]
"""Rewrites a group whose parts are done."""
Spelling = Callable[[str], "str | None"]
"""Returns how a node is spelled as one token; None: it has to be looked into."""
Between = Callable[[Source, int, int], "list[Part]"]
"""Takes apart what a grammar passed over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How the trees of one grammar become canonical.

    `spellings` say which nodes are one token and how it is spelled, `shapes` rewrite groups of a kind, `every` all of
    them. In `verbatim` nodes white space is content. Of the `comments`, kinds in `nothing` say nothing, and those that
    begin like `code_comments` are instructions, too. `between` takes apart what the grammar passed over.
    """

    spellings: Mapping[str, Spelling] = field(default_factory=dict)
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    every: Shape | None = None
    verbatim: frozenset[str] = frozenset()
    comments: frozenset[str] = frozenset({"comment", "line_comment", "block_comment"})
    nothing: frozenset[str] = frozenset()
    code_comments: tuple[str, ...] = ()
    between: Between


def grown(root: SgNode, source: Source, rules: Rules) -> Part:
    """Return the canonical parts of a tree; comments go to the source's remarks."""
    text, spellings, comments = source.text, rules.spellings, rules.comments
    top = Part(root.kind(), 0, len(text), parts=[])
    groups = [top]  # each after the one it is in
    waiting = [(top, root.children())]
    while waiting:
        group, nodes = waiting.pop()
        verbatim = group.kind in rules.verbatim
        group.parts = parts = list[Part]()
        position = group.start
        for node in nodes:  # the body of this loop runs once per node of the tree
            span = node.range()
            start, end = span.start.index, span.end.index
            if start > position:
                parts += _passed_over(source, rules, (position, start), verbatim=verbatim)
            if end <= start:
                continue
            position = end
            kind = node.kind()
            if kind in comments:
                if kind not in rules.nothing:
                    source.remarks.append((start, end))
                if rules.code_comments and text.startswith(rules.code_comments, start):
                    parts.append(Part(kind, start, end, text[start:end].strip()))
            elif (spelling := spellings.get(kind)) and (spelled := spelling(text[start:end])) is not None:
                parts.append(Part(kind, start, end, spelled))
            elif inner := node.children():
                parts.append(Part(kind, start, end, parts=[]))
                groups.append(parts[-1])
                waiting.append((parts[-1], inner))
            elif verbatim or text[start] not in _BLANKS or not text[start:end].isspace():
                parts.append(Part(kind, start, end, text[start:end]))
        if position < group.end:
            parts += _passed_over(source, rules, (position, group.end), verbatim=verbatim)
    _shape(groups, source, rules)
    return top


def _passed_over(source: Source, rules: Rules, place: Span, *, verbatim: bool) -> list[Part]:
    gap = source.text[slice(*place)]
    if verbatim:
        return [Part("", *place, gap)]
    return [] if gap.isspace() else rules.between(source, *place)


def _shape(groups: list[Part], source: Source, rules: Rules) -> None:
    """Rewrite the groups, inner ones first, and let each begin and end where what is left of it does.

    A group with nothing left goes: it would count among those of the group around it, but stand nowhere.
    """
    emptied = False
    for part in reversed(groups):
        if emptied:
            part.parts = [one for one in part.parts or () if one.parts is None or one.parts]
        if rules.every:
            rules.every(part, source)
        if shape := rules.shapes.get(part.kind):
            shape(part, source)
        if part.parts:
            part.start, part.end = part.parts[0].start, part.parts[-1].end
        else:
            emptied = True


def bare(part: Part) -> Part:
    """Return what a part comes to: a group of one dissolves into it."""
    while part.parts is not None and len(part.parts) == 1:
        part = part.parts[0]
    return part


def flat(top: Part) -> list[Entry]:
    """Return a tree's leaves in order, each group of several after a mark that has its kind and its size."""
    entries: list[Entry] = []
    waiting = [*reversed(top.parts or [top])]
    while waiting:
        part = waiting.pop()
        parts = part.parts
        if parts is None:
            entries.append((part.text, part.start, part.end, True))
            continue
        if len(parts) > 1:
            entries.append((f"{MARK}{part.kind}/{len(parts)}", part.start, part.end, False))
        waiting.extend(reversed(parts))
    return entries


_CLOSING = frozenset(")]}>")
_NOTHING_BEFORE = frozenset("([{<,")


def without(*tokens: str, kinds: Collection[str] = ()) -> Shape:
    """Return the shape of a group that says the same without these leaves and without parts of these kinds."""

    def shape(part: Part, source: Source) -> None:
        part.parts = [one for one in part.parts or () if one.text not in tokens and one.kind not in kinds]

    return shape


def without_first(*tokens: str) -> Shape:
    """Return the shape of a group that says the same without such a leaf at its start."""

    def shape(part: Part, source: Source) -> None:
        if part.parts and part.parts[0].text in tokens:
            del part.parts[0]

    return shape


def called(kind: str) -> Shape:
    """Return the shape of a group that another kind means the same as."""

    def shape(part: Part, source: Source) -> None:
        part.kind = kind

    return shape


def all_of(*shapes: Shape) -> Shape:
    """Return several shapes as one, applied in this order."""

    def shape(part: Part, source: Source) -> None:
        for one in shapes:
            one(part, source)

    return shape


def unlisted(part: Part, source: Source) -> None:
    """Drop a comma before a closing bracket, but not one that stands for something left out, as in `[a,,]`."""
    parts = part.parts
    if (
        parts
        and len(parts) > 2  # noqa: PLR2004 - an opening, a comma and a closing say nothing about lists
        and parts[-1].text in _CLOSING
        and parts[-2].text == ","
        and parts[-3].text not in _NOTHING_BEFORE
    ):
        del parts[-2]


def sorted_parts(*kinds: str, separator: str = "") -> Shape:
    """Return the shape in which the order of parts of these kinds that follow each other means nothing.

    With a separator, everything between the brackets of a list is sorted.
    """

    def shape(part: Part, source: Source) -> None:
        def code(one: Part) -> str:
            return "".join(source.text[one.start : one.end].split())

        parts = part.parts or []
        if separator and len(parts) > 2:  # noqa: PLR2004 - its brackets
            inner = sorted((one for one in parts[1:-1] if one.text != separator), key=code)
            part.parts = [parts[0], *inner, parts[-1]]
            return
        runs = groupby(parts, key=lambda one: one.kind in kinds)
        part.parts = [one for sorts, run in runs for one in (sorted(run, key=code) if sorts else run)]

    return shape


def unbracketed(part: Part, source: Source) -> None:
    """Take the brackets off an expression; what needs them puts them back with `rebracket`."""
    if part.parts and part.parts[0].text == "(":
        part.parts = [one for one in part.parts if one.text not in {"(", ")"}]


def rebracket(part: Part) -> None:
    """Put the brackets back around an expression that means something else without them."""
    part.parts = [
        Part("(", part.start, part.start + 1, "("),
        *(part.parts or ()),
        Part(")", part.end - 1, part.end, ")"),
    ]


def chained(*operators: str) -> Shape:
    """Return the shape of an operation in which it is all the same how its operands are grouped: `a && (b && c)`."""

    def operator_of(part: Part) -> str:
        parts = part.parts
        return parts[1].text if parts and len(parts) > 2 else ""  # noqa: PLR2004 - left, operator, right

    def shape(part: Part, source: Source) -> None:
        operator = operator_of(part)
        if operator not in operators or part.parts is None:
            return
        joined: list[Part] = []
        for operand in part.parts:
            inner = bare(operand)
            same = inner.kind == part.kind and operator_of(inner) == operator
            if not same or inner.parts is None:
                joined.append(operand)
            elif not joined:
                joined = inner.parts  # grown in place: long chains lean to the left
            else:
                joined += inner.parts
        part.parts = joined

    return shape
