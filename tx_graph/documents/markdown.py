"""Markdown as GitHub understands it, parsed by pulldown-cmark: docs/decisions/0020-markdown-by-pulldown-cmark.md."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from tx_graph.core.dataclass import dataclass, field
from tx_graph.documents import reading
from tx_graph.documents.document import Block, BlockKind, Format, LinkKind, ReadDocument, ReadSection
from tx_graph.documents.front_matter import read_front_matter

if TYPE_CHECKING:
    from pyromark import Markdown
    from pyromark.event import Range


_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<([a-zA-Z][\w-]*)(\s[^<>]*)>")
_ATTRIBUTE = re.compile(r"""(?<![\w-])(href|src|id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_HEADING = re.compile(r"<h([1-6])\b[^<>]{0,500}>((?:[^<]|<(?!/?h[1-6]\b)){0,1000})</h\1\s*>", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]*>")


class Html(NamedTuple):
    """What a piece of HTML says: destinations, names of places, and headings as level and plain text."""

    targets: tuple[str, ...]
    anchors: tuple[str, ...]
    headings: tuple[tuple[int, str], ...]


def read_html(text: str) -> Html:
    """Return what a piece of HTML links to and names; comments say nothing."""
    if "<!--" in text:
        text = _COMMENT.sub("", text)
    targets: list[str] = []
    anchors: list[str] = []
    for tag in _TAG.finditer(text):
        for attribute in _ATTRIBUTE.finditer(tag[2]):
            name, value = attribute[1].lower(), html.unescape(attribute[2] or attribute[3] or attribute[4] or "")
            if name in {"href", "src"}:
                targets.append(value)
            elif name == "id" or tag[1].lower() == "a":
                anchors.append(value)
    headings = tuple(
        (int(one[1]), " ".join(html.unescape(_ANY_TAG.sub("", one[2])).split()))
        for one in (_HEADING.finditer(text) if "<h" in text.lower() else ())
    )
    return Html(tuple(targets), tuple(anchors), headings)


_ID = re.compile(r"(?<!\s)\s*+\{:?\s*#([\w.:-]++)[^{}]*+\}\s*+$")
_MYST_LABELS = re.compile(rb"(?:\([^()\n]+\)=[ \t]*\n?)+")
_MYST_LABEL = re.compile(rb"\(([^()\n]+)\)=")
_BRACKET, _BRACE = ord("("), ord("}")
_ROLE = re.compile(rb"\{(?:[\w+.-]+:)*([\w+.-]+)\}\Z")
_LONGEST_ROLE = 80
_ONLY_CLOSING = re.compile(rb"(?:\s|</\w+>|<br ?/?>)*")
_SAID = frozenset({"Text", "Code"})
_WHITE = frozenset(b" \t\n\r\x0b\x0c")

Tag = dict[str, Any]
"""What the parser says of the beginning of something."""
Span = tuple[BlockKind, int, int]
"""A block with where it begins and ends."""


@dataclass(slots=True)
class MarkdownDraft(reading.Draft):
    """A section of Markdown."""

    blocks: list[Span] = field(default_factory=list)


class Walk:
    """Reads one text.

    `drafts` are its sections, `headings` all headings as (level, text), nested ones too; `texts` is what stands in
    running text, `places` where; `found` are links and inline code.
    """

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self.drafts = [MarkdownDraft(0, 0)]
        self.headings: list[tuple[int, str]] = []
        self.texts: list[str] = []
        self.places: list[int] = []
        self.found: list[reading.Found] = []
        self._events: Iterator[tuple[Any, Range]] = _parser().events_with_range(text, merge_text=True)
        self._slugs = reading.Slugs()
        self._blocks = self.drafts[0].blocks
        self._block_end = 0
        self._nested_end = 0
        self._anchors: list[str] = []
        self._anchors_end = 0
        self._read()
        self._settle_anchors()

    def _read(self) -> None:
        # This loop sees every event, half a million of them in 10 MB; what most of them need it does itself.
        texts, places, found, starts = self.texts, self.places, self.found, self._starts()
        for event, span in self._events:
            if event.__class__ is str:
                continue
            kind, value = event.popitem()
            if kind == "Text":
                texts.append(value)
                places.append(span["start"])
            elif kind == "Code":
                start = span["start"]
                if self.data[start - 1] == _BRACE:  # `{role}` before it, as MyST has it
                    if role := _ROLE.search(self.data, max(0, start - _LONGEST_ROLE), start):
                        found += filter(None, [reading.by_role(start, role[1].decode(), value)])
                elif target := reading.code_target(value):
                    found.append((start, LinkKind.CODE, target, "", ""))
            elif kind == "Start":
                name = value if value.__class__ is str else next(iter(value))
                if name in starts:
                    starts[name](value, span)
            elif kind == "InlineHtml":
                self._html(value, span)

    def _starts(self) -> dict[str, Callable[[Tag, Range], object]]:
        return {
            "Paragraph": self._paragraph,
            "Heading": self._heading,
            "Item": self._item,
            "Table": lambda _, span: self._block(BlockKind.TABLE, span),
            "CodeBlock": self._code_block,
            "HtmlBlock": self._html_block,
            "BlockQuote": self._nesting,
            "FootnoteDefinition": self._nesting,
            "Link": self._link,
            "Image": self._link,
        }

    def _block(self, kind: BlockKind, span: Range) -> None:
        """Note a block, unless it lies within another one."""
        start = span["start"]
        if start >= self._block_end:
            self._block_end = end = span["end"]
            while end > start and self.data[end - 1] in _WHITE:
                end -= 1
            if end > start:
                self._blocks.append((kind, start, end))

    def _paragraph(self, _: Tag, span: Range) -> None:
        self._block(BlockKind.PARAGRAPH, span)
        start = span["start"]
        if self.data[start] == _BRACKET and _MYST_LABELS.fullmatch(paragraph := self.data[start : span["end"]]):
            self._named_here([label.decode() for label in _MYST_LABEL.findall(paragraph)], span)

    def _item(self, tag: Tag, span: Range) -> None:
        self._block(BlockKind.ITEM, span)
        self._nesting(tag, span)

    def _nesting(self, _: Tag, span: Range) -> None:
        self._nested_end = max(self._nested_end, span["end"])

    def _code_block(self, tag: Tag, span: Range) -> None:
        start = span["start"]
        line = self.data.rfind(b"\n", 0, start) + 1
        if tag["CodeBlock"] == "Indented" and not self.data[line:start].strip():
            span["start"] = line  # its first line is indented as the others are
        self._block(BlockKind.CODE, span)
        self._skip()

    def _html_block(self, _: Tag, span: Range) -> None:
        self._block(BlockKind.HTML, span)
        self._skip()
        self._html(self.data[span["start"] : span["end"]].decode(), span)

    def _skip(self) -> None:
        """Leave a block that holds no other."""
        for event, _ in self._events:
            if "End" in event:
                return

    def _heading(self, tag: Tag, span: Range) -> None:
        level = int(tag["Heading"]["level"][1])
        is_section = span["start"] >= self._nested_end
        if is_section:
            start = self.data.rfind(b"\n", 0, span["start"]) + 1
            if self._anchors and not _ONLY_CLOSING.fullmatch(self.data, self._anchors_end, start):
                self._settle_anchors()  # they name a place before the heading, not the heading
            self.drafts.append(MarkdownDraft(level, start))
            self._blocks = self.drafts[-1].blocks
            self._block_end = start
            self._block(BlockKind.HEADING, {"start": start, "end": span["end"]})
        else:
            self._block(BlockKind.PARAGRAPH, span)
        text, alternative = self._inline("Heading")
        draft = self.drafts[-1]
        if text.endswith("}") and (found := _ID.search(text)):
            draft.labels.append(found[1])
            text = text[: found.start()]
        self._settle_anchors()
        title, slug = " ".join((text or alternative).split()), self._slugs.give(text.strip())
        self.headings.append((level, title))
        if is_section:
            draft.title, draft.slug = title, slug
        else:
            draft.labels.append(slug)

    def _named_here(self, names: Iterable[str], span: Range) -> None:
        """Note the names of a place: of the heading that follows at once, else of the section."""
        if self._anchors and not _ONLY_CLOSING.fullmatch(self.data, self._anchors_end, span["start"]):
            self._settle_anchors()
        self._anchors += names
        self._anchors_end = span["end"]

    def _settle_anchors(self) -> None:
        if self._anchors:
            self.drafts[-1].labels += self._anchors
            self._anchors.clear()

    def _link(self, tag: Tag, span: Range) -> str:
        (kind,) = tag
        text, alternative = self._inline(kind)
        self._linked(tag[kind], span, text or alternative)
        return text

    def _linked(self, link: dict[str, Any], span: Range, text: str) -> None:
        target, kind = link["dest_url"], link["link_type"]
        if kind.__class__ is not str:
            # In a table the bar before a wiki link's words is escaped.
            target = target.rstrip("\\").strip()
            if target:
                self.found.append((span["start"], LinkKind.WIKI, target, text, ""))
        elif kind != "Email" and reading.may_be_here(target):
            self.found.append((span["start"], LinkKind.LINK, target, text, ""))

    def _html(self, text: str, span: Range) -> None:
        if "=" not in text and "<h" not in text.lower():
            return
        html = read_html(text)
        self.found += [(span["start"], LinkKind.LINK, one, "", "") for one in html.targets if reading.may_be_here(one)]
        for level, heading in html.headings:
            self.headings.append((level, heading))
            self.drafts[-1].labels.append(self._slugs.give(heading))
        if html.anchors:
            self._named_here(html.anchors, span)

    def _inline(self, ending: str) -> tuple[str, str]:
        """Return the plain text up to the end of a heading, link or image, and that of the images in it."""
        words: list[str] = []
        alternatives: list[str] = []
        images = 0
        for event, span in self._events:
            said: tuple[str, Any] = ("Text", "\n") if event.__class__ is str else event.popitem()
            kind, value = said
            if kind == "End":
                if not images and ending in value:
                    break
                images -= value == "Image"
            elif kind in _SAID:
                (alternatives if images else words).append(value)
                if kind == "Text":
                    self.texts.append(value)
                    self.places.append(span["start"])
                elif target := reading.code_target(value):
                    self.found.append((span["start"], LinkKind.CODE, target, "", ""))
            elif kind == "Start" and "Image" in value:
                images += 1
                self._linked(value["Image"], span, "")
            elif kind == "Start" and "Link" in value:
                words.append(self._link(value, span))
            elif kind == "InlineHtml":
                self._html(value, span)
        return "".join(words), "".join(alternatives)


@cache
def _parser() -> Markdown:
    from pyromark import Markdown, Options

    # Footnotes, or their definitions would be taken for those of links. Heading attributes are not asked for: they
    # would take `{id}` from the end of `GET /users/{id}`.
    return Markdown(
        options=Options.ENABLE_TABLES
        | Options.ENABLE_FOOTNOTES
        | Options.ENABLE_STRIKETHROUGH
        | Options.ENABLE_TASKLISTS
        | Options.ENABLE_WIKILINKS
    )


_BLANK_LINES = re.compile(rb"(?:[ \t]*\n)*")
_LONGEST_KEY = 200  # bytes before which the colon of a typed line has to come


def sections_of(walk: Walk, *, first_line: int) -> Iterator[ReadSection]:
    """Yield the sections of a document; `first_line` is the line of the file that the source begins with."""
    drafts, data = walk.drafts, walk.data
    drafts[0].start = _BLANK_LINES.match(data).end()  # type: ignore[union-attr]  # it may match nothing
    line = first_line + data.count(b"\n", 0, drafts[0].start)
    ends = [draft.start for draft in drafts[1:]] + [len(data)]
    words = "\n".join(walk.texts)
    if words.count("\n") >= len(walk.texts):  # some are written as `&#10;`
        words = "\n".join(text.replace("\n", " ") for text in walk.texts)
    names = ((walk.places[number], LinkKind.NAME, name, "", "") for number, name in reading.names_in(words))
    found = sorted(reading.with_predicates([*walk.found, *names], list(_typed_lines(walk, words))))
    position = 0
    for draft, parent, end in zip(drafts, reading.parents(draft.level for draft in drafts), ends, strict=True):
        behind = bisect_left(found, (end,), position)
        links = reading.links_of(found[position:behind], data, start=draft.start, line=line)
        raw, origin = data[draft.start : end].rstrip(), draft.start
        text = raw.decode()
        first_of_own = line if text else 1  # only the document itself may have none
        blocks = draft.blocks if len(raw) == len(text) else _in_characters(draft.blocks, raw, origin)
        yield ReadSection(
            level=draft.level,
            title=draft.title,
            slug=draft.slug,
            parent=parent,
            text=text,
            line_start=first_of_own,
            line_end=first_of_own + raw.count(b"\n"),
            labels=tuple(dict.fromkeys(draft.labels)),
            blocks=tuple([Block(kind, begin - origin, stop - origin) for kind, begin, stop in blocks]),
            links=tuple(links),
        )
        line += data.count(b"\n", draft.start, end)
        position = behind


def _in_characters(blocks: Iterable[Span], raw: bytes, origin: int) -> Iterator[Span]:
    """Yield blocks, given in bytes of the source, with their places in characters, counted from the same origin."""
    place = characters = origin
    for kind, start, end in blocks:
        first = characters + len(raw[place - origin : start - origin].decode())
        characters = first + len(raw[start - origin : end - origin].decode())
        place = end
        yield kind, first, characters


def _typed_lines(walk: Walk, words: str) -> Iterator[tuple[int, reading.TypedLine]]:
    """Yield typed lines with the places where they begin; they say in bytes where their targets are."""
    data, places = walk.data, walk.places
    statuses: set[int] = set()  # places of texts in sections that say what became of a decision
    for draft, end in zip(walk.drafts, [*(draft.start for draft in walk.drafts[1:]), len(data)], strict=True):
        if draft.title.lower() == "status":
            statuses.update(places[bisect_left(places, draft.start) : bisect_left(places, end)])
    last = -1
    for place in sorted(statuses.union(places[number] for number in reading.texts_with_keys(words))):
        start = data.rfind(b"\n", max(0, place - _LONGEST_KEY), place) + 1
        if start == last or (start == 0 and place > _LONGEST_KEY):
            continue
        last = start
        stop = data.find(b"\n", place)
        line = data[start : stop if stop >= 0 else len(data)].decode()
        if (found := reading.typed_line(line, under_status=place in statuses)) and not line.isascii():
            ends = (found.start, found.end, *(at for _, _, at in found.names))
            byte_of = {at: len(line[:at].encode()) for at in ends}
            names = tuple((kind, target, byte_of[at]) for kind, target, at in found.names)
            found = reading.TypedLine(found.predicate, byte_of[found.start], byte_of[found.end], names)
        if found:
            yield start, found


def read_markdown(text: str) -> ReadDocument:
    """Return what a text with Unix line ends says."""
    front = read_front_matter(text)
    walk = Walk(text[front.length :])
    first, *others = sections_of(walk, first_line=text.count("\n", 0, front.length) + 1)
    if front.links or front.aliases:
        first = first._replace(labels=(*front.aliases, *first.labels), links=(*front.links, *first.links))
    return ReadDocument(
        format=Format.MARKDOWN,
        title=front.title or reading.title_of(walk.headings),
        sections=(first, *others),
        problems=front.problems,
        fields=front.fields,
        aliases=front.aliases,
    )
