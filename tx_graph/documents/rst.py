"""reStructuredText, taken apart by docutils: titles, blocks and prose by their lines.

Only the structure of blocks is asked of docutils. Its directives and roles are never looked up, so nothing is included,
executed or reported, and those of Sphinx are read like any other. Inline markup is found in the prose by `found_in`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser, states
from docutils.statemachine import StringList
from docutils.utils import new_document, unescape

from tx_graph.documents import reading
from tx_graph.documents.document import Block, BlockKind, Field, Format, LinkKind, ReadDocument, ReadSection
from tx_graph.graph.edges import PREDICATES, predicate_of

_INLINE = re.compile(r"``(?P<literal>[^`]+(?:`[^`]+)*?)``|`(?P<body>[^`]{1,1000})`(?P<reference>__?(?!\w))?")
_SIMPLE = re.compile(r"_(?![\w`])")
_WORD_BEFORE = re.compile(r"(?<![\w`:/.@])[^\W_](?:[\w+.-]*[^\W_])?\Z")
_LONGEST_NAME = 80
_ROLE = re.compile(r":[\w:+.-]{1,80}:(?=`)")
_EMPHASIS = re.compile(r"(\*\*?)(?=\S)([^*]+)\1")
_ESCAPED = re.compile(r"\\(.)")
_FIELD = re.compile(r":([\w -]{1,40}):[ \t]+(\S.*)")
_PART = re.compile(r"[^,;`]+")

TargetOf = Callable[[str], tuple[LinkKind, str] | None]
"""Tells what a name within the document stands for."""


def found_in(
    lines: Sequence[str],
    marked: Sequence[tuple[int, LinkKind, str]],
    target_of: TargetOf,
    *,
    fields: int,
    is_status: bool,
) -> list[reading.Found]:
    """Return what lines of prose point at, with what directives do; the first `fields` are the document's."""
    words, starts = "\n".join(lines), reading.line_starts(lines)
    found = [one for markup in _INLINE.finditer(words) if (one := _mention(words, markup, target_of))]
    for simple in _SIMPLE.finditer(words):
        start = max(simple.start() - _LONGEST_NAME, 0)
        if (word := _WORD_BEFORE.search(words[start : simple.start()])) and (target := target_of(word[0])):
            found.append((start + word.start(), *target, word[0], ""))
    found += [(starts[number], kind, target, "", "") for number, kind, target in marked]
    plain = _INLINE.sub(lambda markup: "\n" * markup[0].count("\n") or " ", words) if "`" in words else words
    found += [(starts[number], LinkKind.NAME, name, "", "") for number, name in reading.names_in(plain)]
    every = range(len(lines))
    candidates = every if is_status else sorted({*every[: max(fields, 0)], *reading.texts_with_keys(words)})
    typed = [
        (starts[number], line)
        for number in candidates
        if (
            line := reading.typed_line(lines[number], under_status=is_status)
            or (_field(lines[number]) if number < fields else None)
        )
    ]
    return sorted(reading.with_predicates(found, typed))


def field_of(line: str) -> tuple[str, str] | None:
    """Return the name, in snake_case, and the value of a field, None for any other line."""
    found = _FIELD.match(line)
    return (predicate_of(found[1]), found[2]) if found else None


def plain_text(markup: str) -> str:
    """Return a line of inline markup as its readers see it."""

    def shown(found: re.Match[str]) -> str:
        body = found["literal"] or found["body"]
        if found["literal"]:
            return body
        if titled := reading.TITLED.match(body):
            return titled["text"]
        return body.rpartition(".")[2] if body.startswith("~") else body.lstrip("!.")

    if "`" in markup:
        markup = _INLINE.sub(shown, _ROLE.sub("", markup))
    if "*" in markup or "\\" in markup:
        markup = _ESCAPED.sub(r"\1", _EMPHASIS.sub(r"\2", markup))
    return " ".join(markup.split())


def _mention(text: str, found: re.Match[str], target_of: TargetOf) -> reading.Found | None:
    place = found.start()
    body = " ".join((found["literal"] or found["body"]).split())
    if found["reference"]:
        titled = reading.TITLED.match(body)
        title, target = (titled["text"], titled["target"]) if titled else (body, "")
        if not target or target.endswith("_"):
            known = target_of(target.rstrip("_") or title)
            return (place, *known, title, "") if known else None
        return (place, LinkKind.LINK, target, title, "") if reading.may_be_here(target) else None
    if not found["literal"] and text[place - 1 : place] == ":":
        start = text.rfind(":", max(place - _LONGEST_NAME, 0), place - 1)
        role = text[start + 1 : place - 1]  # without its domain
        if start >= 0 and role.replace("-", "").replace("+", "").isalnum():
            return reading.by_role(place, role, body)
    target = reading.code_target(found["literal"].strip() if found["literal"] else body)
    return (place, LinkKind.CODE, target, "", "") if target else None


def _field(line: str) -> reading.TypedLine | None:
    """Return what a field says that names its targets without linking to them: `:supersedes: adr-3, adr-4`."""
    key, value = field_of(line) or ("", "")
    if key not in PREDICATES or not reading.may_be_here(value):
        return None
    begin = len(line) - len(value)
    parts = [part for part in _PART.finditer(line, begin) if part[0].strip()]
    names = tuple((LinkKind.WIKI, part[0].strip(), part.start()) for part in parts)
    return reading.TypedLine(key, begin, len(line), names)


_CODE = frozenset(
    """code code-block sourcecode literalinclude parsed-literal math raw highlight doctest testcode testsetup testoutput
    testcleanup prompt productionlist graphviz mermaid uml plantuml digraph graph jinja ipython console""".split()
)
"""Directives whose contents are no prose."""
_TABLES = frozenset("table csv-table list-table".split())
_FILES = frozenset("include literalinclude image figure download thumbnail csv-table".split())
"""Directives whose argument is a file."""
_OBJECTS = frozenset(
    """attribute class classmethod data decorator enum exception function interface macro member method module property
    staticmethod struct type variable currentmodule""".split()
)
_NAME = re.compile(r"[\w.:]*\w")
_PAGE = re.compile(r"(?:[^<>]*<(?P<named>[^<>]+)>|(?P<plain>[^<>\s]+))\Z")
_LISTS = frozenset("BulletList EnumeratedList OptionList FieldList DefinitionList Explicit".split())
"""States in which docutils reads the second and further parts of what are blocks of their own here."""
_KINDS: Sequence[tuple[BlockKind, tuple[type[nodes.Node], ...]]] = (
    (BlockKind.CODE, (nodes.literal_block, nodes.doctest_block)),
    (BlockKind.TABLE, (nodes.table,)),
    (
        BlockKind.ITEM,
        (nodes.bullet_list, nodes.enumerated_list, nodes.option_list, nodes.list_item, nodes.option_list_item),
    ),
)
_DEEPEST = 15  # blocks in blocks; what lies deeper is read as it stands, since docutils would exhaust the stack


class _Title(NamedTuple):
    """A title: its lines, counted from 0 and with its adornment, up to `end`; its text and its level."""

    first: int
    end: int
    text: str
    level: int


class _Said:
    """What docutils finds, by lines counted from 0. To docutils this is its reader of inline markup."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.prose = [""] * len(lines)
        self.links: dict[int, list[tuple[LinkKind, str]]] = {}
        self.labels: dict[int, str] = {}
        self.targets: dict[str, str] = {}
        self.titles: list[_Title] = []
        self.skipped: list[int] = []
        self.blocks: dict[int, BlockKind] = {}
        self.depth = 0
        self._styles: list[object] = []

    def init_customizations(self, settings: object) -> None:
        """Do what docutils asks of its own reader: nothing."""

    def parse(self, text: str, lineno: int, memo: object, parent: object) -> tuple[list[nodes.Node], list[nodes.Node]]:
        """Keep a text whose first line has this number, counted from 1."""
        del memo, parent
        for line, words in enumerate(text.split("\n"), start=lineno - 1):
            self.say(line, words)
        return [], []

    def say(self, line: int, words: str) -> None:
        """Keep the words of a line."""
        if 0 <= line < len(self.prose):
            self.prose[line] = words.strip()

    def say_all(self, block: StringList) -> None:
        """Keep lines as they stand."""
        for place, words in enumerate(block):
            self.say(block.offset(place), words)

    def link(self, line: int, kind: LinkKind, target: str) -> None:
        """Keep what markup on a line leads to, if that may be in the repository."""
        if reading.may_be_here(target):
            self.links.setdefault(line, []).append((kind, target))

    def title(self, line: int, text: str, style: str | tuple[str, str]) -> None:
        """Keep a title. Its level is at most one deeper than that of the title before; docutils would drop it."""
        current = self.titles[-1].level if self.titles else 0
        level = self._styles.index(style) + 1 if style in self._styles else len(self._styles) + 1
        first = line - len(style) + 1
        if level > current + 1:
            self.skipped.append(first)
        elif style not in self._styles:
            self._styles.append(style)
        self.blocks.pop(first, None)
        self.titles.append(_Title(first, line + 2, text, min(level, current + 1)))
        self.say(line, text)


class _States(dict[str, Any]):
    """The states of a machine, made as they are needed; docutils makes all of them for every list."""

    def __init__(self, machine: Any) -> None:
        super().__init__()
        self._machine = machine

    def __missing__(self, name: str) -> Any:
        state = self[name] = _STATES[name](self._machine)
        if getattr(self._machine, "memo", None):
            state.runtime_init()
        return state


class _Watched:
    """Notes on which line each block begins that stands in no other."""

    def add_states(self, state_classes: Any) -> None:
        if state_classes:
            self.states: dict[str, Any] = {}
            super().add_states(state_classes)  # type: ignore[misc]
        else:
            self.states = _States(self)

    def check_line(self: Any, context: Any, state: Any, transitions: Any = None) -> Any:
        parent = getattr(self, "parent_state_machine", None)
        if parent and (self.initial_state not in _LISTS or getattr(parent, "parent_state_machine", None)):
            return super().check_line(context, state, transitions)  # type: ignore[misc]
        blocks, children = self.memo.inliner.blocks, self.node.children
        if not context and self.line.strip():
            self.begun = self.abs_line_offset()
            blocks[self.begun] = BlockKind.PARAGRAPH
        before = len(children)
        result = super().check_line(context, state, transitions)  # type: ignore[misc]
        new = next((one for one in children[before:] if not isinstance(one, nodes.system_message)), None)
        if new is not None and self.begun in blocks:
            kinds = (kind for kind, types in _KINDS if isinstance(new, types))
            blocks[self.begun] = next(kinds, BlockKind.PARAGRAPH)
        return result


class _Machine(_Watched, states.RSTStateMachine):
    pass


class _Nested(_Watched, states.NestedStateMachine):
    pass


class _Reading:
    """Takes what docutils finds before it makes nodes of it."""

    nested_sm = _Nested
    nested_sm_cache: list[Any] = []  # noqa: RUF012 - docutils has one of its own, with machines of its own

    def __init__(self: Any, state_machine: Any, debug: bool = False) -> None:  # noqa: FBT001, FBT002 - docutils'
        super().__init__(state_machine, debug)  # type: ignore[call-arg]
        self.nested_sm_kwargs = {"state_classes": (), "initial_state": "Body"}

    def section(self: Any, title: str, source: str, style: Any, lineno: int, messages: Any) -> None:
        del source, messages
        self.inliner.title(lineno - 1, title, style)

    def nested_parse(self: Any, block: StringList, input_offset: int, *args: Any, **named: Any) -> int:
        said = self.inliner
        if said.depth == _DEEPEST:
            said.say_all(block)
            return input_offset + len(block)
        said.depth += 1
        offset: int = super().nested_parse(block, input_offset, *args, **named)  # type: ignore[misc]
        said.depth -= 1
        return offset

    def literal_block(self: Any) -> Any:
        machine = self.state_machine
        if isinstance(machine, _Machine):
            given: Any = machine.input_lines
            line = next((at for at in range(machine.line_offset, len(given)) if given[at]), len(given))
            self.inliner.blocks[line] = BlockKind.CODE
        return super().literal_block()  # type: ignore[misc]

    def table(self: Any, isolate: Any, parser: object) -> Any:
        del parser  # of cells
        block, messages, blank_finish = isolate()
        self.inliner.say_all(block)
        return [nodes.table(), *messages], blank_finish

    def field(self: Any, match: re.Match[str]) -> Any:
        line = self.state_machine.abs_line_offset()
        result = super().field(match)  # type: ignore[misc]
        self.inliner.say(line, match.string)
        return result

    def doctest(self: Any, match: re.Match[str], context: Any, next_state: Any) -> Any:
        first, machine = self.state_machine.line_offset, self.state_machine
        result = super().doctest(match, context, next_state)  # type: ignore[misc]
        self.inliner.say_all(machine.input_lines[first : machine.line_offset + 1])
        return result

    def make_target(self: Any, block: Sequence[str], text: str, lineno: int, name: str | None) -> nodes.target:
        del text
        name, target = " ".join(unescape(name or "").split()), unescape("".join(line.strip() for line in block))
        if name and target:
            self.inliner.targets[name.lower()] = target
        elif name:
            self.inliner.labels[lineno - 1] = name
        return nodes.target()

    def directive(self: Any, match: re.Match[str], **_: object) -> Any:
        name = match[1].rpartition(":")[2]
        said, machine = self.inliner, self.state_machine
        block, _, offset, blank_finish = machine.get_first_known_indented(match.end(), strip_top=False)
        argument, line = (block[0].strip(), block.offset(0)) if block else ("", 0)
        is_object = name in _OBJECTS or name.startswith("auto")
        if name in _FILES:
            said.link(line, LinkKind.LINK, argument)
        elif is_object and (found := _NAME.match(argument)):
            said.link(line, LinkKind.CODE, found[0])
        if name == "toctree":
            for place, words in enumerate(block[1:], start=1):
                # Options and globs name no page.
                page = _PAGE.match(words.strip()) if not words.strip().startswith(":") else None
                target = (page["named"] or page["plain"]) if page else ""
                if target != "self" and "*" not in target:
                    said.link(block.offset(place), LinkKind.LINK, target)
        elif name not in _CODE:
            own = 1 if is_object or name in _FILES else 0
            self.nested_parse(block[own:], offset + own, nodes.Element())
        kind = nodes.literal_block if name in _CODE else nodes.table if name in _TABLES else nodes.paragraph
        return [kind()], blank_finish


_CONSTRUCTS = [
    (_Reading.directive if read is states.Body.directive else read, pattern)
    for read, pattern in states.Body.explicit.constructs
]
_STATES = {
    state.__name__: type(
        state.__name__,
        (_Reading, state),
        {"explicit": SimpleNamespace(patterns=states.Body.explicit.patterns, constructs=_CONSTRUCTS)},
    )
    for state in states.state_classes
}


@cache
def _settings() -> Any:
    settings: Any = get_default_settings(Parser)
    settings.report_level, settings.halt_level, settings.warning_stream = 5, 6, False
    return settings


class _Section(NamedTuple):
    """A section by its lines, with the lines on which its blocks begin. The first one has no title."""

    first: int
    end: int
    title: _Title | None
    text: str
    slug: str
    blocks: list[tuple[int, int, BlockKind]]
    labels: list[str]


def read_rst(text: str) -> ReadDocument:
    """Return what a text with Unix line ends says."""
    written = text.split("\n")
    lines = [line.rstrip() for line in written]
    said = _Said(lines)
    # Not docutils' own way to part a text into lines: it takes more characters for line ends than we do.
    given = [line.replace("\v", " ").replace("\f", " ").expandtabs() for line in lines]
    _Machine((), "Body").run(given, new_document("", _settings().copy()), inliner=cast("Any", said))
    drafts = list(_drafted(lines, said))
    top = list(_top_fields(lines, drafts))
    fields = [found for line, _ in top if (found := field_of(lines[line]))]
    known = {name: (LinkKind.LINK, f"#{one.slug}") for one in reversed(drafts[1:]) for name in [_low(one.text)]}
    known |= {name.lower(): (LinkKind.LABEL, "") for name in said.labels.values()}
    known |= {name: (LinkKind.LINK, target) for name, target in said.targets.items()}

    def target_of(name: str) -> tuple[LinkKind, str] | None:
        kind, target = known.get(_low(name), (LinkKind.LINK, ""))
        if kind is LinkKind.LABEL:
            return kind, name
        return (kind, target) if reading.may_be_here(target) and not target.endswith("_") else None

    def section(draft: _Section, parent: int | None) -> ReadSection:
        origin = starts[draft.first]
        own = text[origin : starts[draft.end]].rstrip()
        line = draft.first + 1 if own else 1
        prose = said.prose[draft.first : draft.end]
        lines_of = range(draft.first, draft.end)
        marked = [(at - draft.first, kind, target) for at in lines_of for kind, target in said.links.get(at, ())]
        found = found_in(
            prose,
            marked,
            target_of,
            fields=max((end for _, end in top), default=0) - draft.first,
            is_status=draft.text.lower() == "status",
        )
        return ReadSection(
            level=draft.title.level if draft.title else 0,
            title=draft.text,
            slug=draft.slug,
            parent=parent,
            text=own,
            line_start=line,
            line_end=line + own.count("\n"),
            labels=tuple(dict.fromkeys(draft.labels)),
            blocks=tuple(
                Block(kind, starts[first] - origin, starts[end - 1] + len(lines[end - 1]) - origin)
                for first, end, kind in draft.blocks
            ),
            links=tuple(reading.links_of(found, "\n".join(prose), start=0, line=draft.first + 1)),
        )

    starts = reading.line_starts(written)
    levels = [(one.title.level, one.text) for one in drafts if one.title]
    belongs = reading.parents([0, *(level for level, _ in levels)])
    return ReadDocument(
        format=Format.RST,
        title=dict(fields).get("title") or reading.title_of(levels),
        sections=tuple(section(draft, parent) for draft, parent in zip(drafts, belongs, strict=True)),
        problems=tuple(f"has a title in line {line + 1} whose level was skipped" for line in said.skipped[:1]),
        fields=tuple(Field(key, (plain_text(value),)) for key, value in fields),
    )


def _low(name: str) -> str:
    return " ".join(name.lower().split())


def _drafted(lines: Sequence[str], said: _Said) -> Iterator[_Section]:
    """Yield the sections; labels right above a title are those of the section that it begins."""
    slugs = reading.Slugs()
    above: list[str] = []
    start = next((line for line, words in enumerate(lines) if words), 0)
    for title, following in zip([None, *said.titles], [*said.titles, None], strict=True):
        start, end = title.first if title else start, following.first if following else len(lines)
        tail = end
        while following and tail > start and (not lines[tail - 1] or tail - 1 in said.labels):
            tail -= 1
        own = above + [said.labels[line] for line in range(start, tail) if line in said.labels]
        above = [said.labels[line] for line in range(tail, end) if line in said.labels]
        text = plain_text(title.text) if title else ""
        # A block goes on to where the next one begins, without the blank lines between.
        blocks = [(title.first, title.end, BlockKind.HEADING)] if title else []
        begins = [line for line in range(title.end if title else start, end) if line in said.blocks]
        for first, until in zip(begins, [*begins, end][1:], strict=True):
            last = next(line for line in range(until, first, -1) if lines[line - 1])
            blocks.append((first, last, said.blocks[first]))
        yield _Section(start, end, title, text, slugs.give(text) if title else "", blocks, own)


def _top_fields(lines: Sequence[str], drafts: Sequence[_Section]) -> Iterator[tuple[int, int]]:
    """Yield the lines of the fields at the top of the document: above the first title, or right under it."""
    for draft in drafts[:2]:
        for first, end, kind in draft.blocks:
            if field_of(lines[first]):
                yield first, end
            elif kind is not BlockKind.HEADING and not lines[first].startswith(".."):
                return
