"""Streams of canonical tokens, and the shapes that trees are rewritten to on the way there."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ast_grep_py import SgNode


Entry = tuple[str, int, int, bool]
"""A token, the offsets it begins and ends at in the text, and whether it stands there itself or marks a group."""

_MARKERS = re.compile(r"/\*+!?|\*+/|<!--|-->|^[ \t]*(?:\*+(?![\w/])|//[/!]*|#+!?|--\[=*\[|--+|;+|%+)", re.MULTILINE)
_QUOTES = re.compile(r"""^\w*("{3}|'{3}|["'])(.*)\1$""", re.DOTALL)


class Remark(NamedTuple):
    """Where a comment or a documentation string stands."""

    start: int
    end: int

    def moved(self, by: int) -> Remark:
        """Return the same place in a text with more before it."""
        return Remark(self.start + by, self.end + by)


class Stream:
    """The canonical tokens of a text, in order."""

    def __init__(
        self, text: str, entries: list[Entry], remarks: Sequence[Remark], seams: Mapping[tuple[int, int], list[Entry]]
    ) -> None:
        self._text = text
        self._seams = seams
        self._entries = entries
        self._remarks = remarks
        # Rules may put things in another order, so that starts alone do not rise.
        self._highest = [*accumulate((entry[1] for entry in entries), max)]
        self._lowest = [*accumulate((entry[1] for entry in reversed(entries)), min)][::-1]

    def between(self, start: int, end: int) -> tuple[str, ...]:
        """Return the tokens from one offset to another; of a leaf that is cut, such as a long string, the part."""
        return tuple(self._between(start, end))

    def pieces(self, start: int, end: int) -> tuple[str, ...]:
        """Return the same with the pieces, as `leaves` has them, of leaves that were made of several."""
        return tuple(self._between(start, end, in_pieces=True))

    def _between(self, start: int, end: int, *, in_pieces: bool = False) -> Iterator[str]:
        first = bisect_left(self._highest, start)
        last = bisect_right(self._lowest, end)
        if (cut := self._leaf_before(first)) and cut[2] > start:
            yield from self._rest(cut, start, end)
        for entry in self._entries[first:last]:
            token, begins, ends, is_leaf = entry
            if begins >= start and ends <= end and not (in_pieces and is_leaf and (begins, ends) in self._seams):
                yield token
            elif is_leaf and begins < end and ends > start:
                yield from self._rest(entry, start, end)

    def _leaf_before(self, index: int) -> Entry | None:
        return next((self._entries[i] for i in range(index - 1, -1, -1) if self._entries[i][3]), None)

    def _rest(self, entry: Entry, start: int, end: int) -> Iterator[str]:
        if pieces := self._seams.get((entry[1], entry[2])):
            for piece in pieces:
                is_whole = start <= piece[1] and piece[2] <= end
                yield from (piece[0],) if is_whole else self._rest(piece, start, end)
        elif part := self._text[max(entry[1], start) : min(entry[2], end)].strip():
            yield part

    def leaves(self) -> Iterator[tuple[str, int]]:
        """Yield the tokens that stand in the text themselves, each with the offset where it begins."""
        for entry in self._entries:
            if entry[3]:
                pieces = self._seams.get((entry[1], entry[2])) or (entry,)
                yield from ((token, start) for token, start, _, _ in pieces)

    def comments(self, start: int, end: int) -> tuple[str, ...]:
        """Return the words of the comments from one offset to another."""
        first = max(bisect_left(self._remarks, (start, 0)) - 1, 0)
        words: list[str] = []
        for remark in self._remarks[first:]:
            if remark.start >= end:
                break
            if remark.end > start:
                words += _words(self._text[max(remark.start, start) : min(remark.end, end)])
        return tuple(words)


def _words(comment: str) -> list[str]:
    """Return what a comment says, without what makes it one."""
    quoted = _QUOTES.match(comment)
    return quoted[2].split() if quoted else _MARKERS.sub(" ", comment).split()


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
    """A text on its way into canonical form, with the comments found so far.

    `seams` are leaves that were made of several, by the span of each: the pieces, as they stand in the text.
    """

    text: str
    remarks: list[Remark] = field(default_factory=list)
    seams: dict[tuple[int, int], list[Entry]] = field(default_factory=dict)

    def remark(self, start: int, end: int) -> None:
        """Keep a piece of the text as a comment."""
        self.remarks.append(Remark(start, end))


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
    top = Part(root.kind(), 0, len(source.text), parts=[])
    growth = _Growth(source=source, rules=rules, groups=[top], waiting=[(top, root.children())])
    while growth.waiting:
        growth.fill(*growth.waiting.pop())
    _shape(growth.groups, source, rules)
    return top


@dataclass(frozen=True, slots=True, kw_only=True)
class _Growth:
    """A tree on its way into parts: the groups so far, each after the one it is in, and those that wait for theirs."""

    source: Source
    rules: Rules
    groups: list[Part]
    waiting: list[tuple[Part, list[SgNode]]]

    def fill(self, part: Part, nodes: Sequence[SgNode]) -> None:
        """Give a group its parts; those with nodes of their own wait. The loop runs once per node of the tree."""
        text, spellings, comments = self.source.text, self.rules.spellings, self.rules.comments
        verbatim = part.kind in self.rules.verbatim
        parts: list[Part] = []
        position = part.start
        for node in nodes:
            span = node.range()
            start, end = span.start.index, span.end.index
            if start > position:
                parts += self._passed_over(position, start, verbatim=verbatim)
            if end <= start:
                continue
            position = end
            kind = node.kind()
            if kind in comments:
                parts += self._commented(kind, start, end)
            elif (spelling := spellings.get(kind)) and (spelled := spelling(text[start:end])) is not None:
                parts.append(Part(kind, start, end, spelled))
            elif inner := node.children():
                parts.append(self._group(kind, start, end, inner))
            elif verbatim or text[start] not in _BLANKS or not text[start:end].isspace():
                parts.append(Part(kind, start, end, text[start:end]))
        if position < part.end:
            parts += self._passed_over(position, part.end, verbatim=verbatim)
        part.parts = parts

    def _group(self, kind: str, start: int, end: int, nodes: list[SgNode]) -> Part:
        group = Part(kind, start, end, parts=[])
        self.groups.append(group)
        self.waiting.append((group, nodes))
        return group

    def _commented(self, kind: str, start: int, end: int) -> list[Part]:
        """Keep a comment, and return it if it is an instruction."""
        rules, text = self.rules, self.source.text
        if kind not in rules.nothing:
            self.source.remark(start, end)
        instructs = rules.code_comments and text.startswith(rules.code_comments, start)
        return [Part(kind, start, end, text[start:end].strip())] if instructs else []

    def _passed_over(self, start: int, end: int, *, verbatim: bool) -> list[Part]:
        gap = self.source.text[start:end]
        if verbatim:
            return [Part("", start, end, gap)]
        return [] if gap.isspace() else self.rules.between(self.source, start, end)


def _shape(groups: list[Part], source: Source, rules: Rules) -> None:
    """Rewrite the groups, inner ones first, and let each begin and end where what is left of it does.

    A group with nothing left goes: it would count among those of the group around it, but stand nowhere.
    """
    shapes, every = rules.shapes, rules.every
    emptied = False
    for part in reversed(groups):
        if emptied:
            part.parts = [one for one in part.parts or () if one.parts is None or one.parts]
        if every:
            every(part, source)
        shape = shapes.get(part.kind)
        if shape:
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


def flat(top: Part, source: Source) -> Stream:
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
    return Stream(source.text, entries, sorted(source.remarks), source.seams)


_CLOSING = frozenset(")]}>")
_NOTHING_BEFORE = frozenset("([{<,")


def texts(part: Part) -> list[str]:
    """Return the texts of a group's own leaves; inner groups count as empty."""
    return [one.text for one in part.parts or ()]


def without(*tokens: str) -> Shape:
    """Return the shape of a group that says the same without these leaves."""
    dropped = frozenset(tokens)

    def shape(part: Part, source: Source) -> None:
        del source
        part.parts = [one for one in part.parts or () if one.text not in dropped]

    return shape


def without_last(*tokens: str) -> Shape:
    """Return the shape of a group that says the same without these leaves at its end."""

    def shape(part: Part, source: Source) -> None:
        del source
        while part.parts and part.parts[-1].text in tokens:
            part.parts.pop()

    return shape


def without_kinds(*kinds: str) -> Shape:
    """Return the shape of a group that says the same without parts of these kinds."""

    def shape(part: Part, source: Source) -> None:
        del source
        part.parts = [one for one in part.parts or () if one.kind not in kinds]

    return shape


def called(kind: str) -> Shape:
    """Return the shape of a group that another kind means the same as."""

    def shape(part: Part, source: Source) -> None:
        del source
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
    del source
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
        parts = part.parts or []
        if separator and len(parts) > 2:  # noqa: PLR2004 - its brackets
            inner = sorted((one for one in parts[1:-1] if one.text != separator), key=_code(source))
            part.parts = [parts[0], *inner, parts[-1]]
            return
        runs = groupby(parts, key=lambda one: one.kind in kinds)
        part.parts = [one for sorts, run in runs for one in (sorted(run, key=_code(source)) if sorts else run)]

    return shape


def _code(source: Source) -> Callable[[Part], str]:
    return lambda part: "".join(source.text[part.start : part.end].split())


def unbracketed(part: Part, source: Source) -> None:
    """Take the brackets off an expression; what needs them puts them back with `rebracket`."""
    del source
    if part.parts and part.parts[0].text == "(":
        part.parts = [one for one in part.parts if one.text not in {"(", ")"}]


def rebracket(part: Part) -> None:
    """Put the brackets back around an expression that means something else without them."""
    part.parts = [
        Part("(", part.start, part.start + 1, "("),
        *(part.parts or ()),
        Part(")", part.end - 1, part.end, ")"),
    ]


def chained(operators: frozenset[str]) -> Shape:
    """Return the shape of an operation in which it is all the same how its operands are grouped: `a && (b && c)`."""

    def operator_of(part: Part) -> str:
        parts = part.parts
        return parts[1].text if parts and len(parts) > 2 else ""  # noqa: PLR2004 - left, operator, right

    def shape(part: Part, source: Source) -> None:
        del source
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
