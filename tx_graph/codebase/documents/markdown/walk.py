"""A walk over the events of the parser, which gathers sections with their blocks, links and words.

Places are offsets in the UTF-8 bytes of the source, as the parser counts them. Headings inside lists, quotes and HTML
are no sections, but GitHub gives slugs to them too: those become labels of the section around, and count for repeats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from tx_graph.codebase.documents.draft import Draft, Found
from tx_graph.codebase.documents.html import read_html
from tx_graph.codebase.documents.names import code_target
from tx_graph.codebase.documents.roles import by_role
from tx_graph.codebase.documents.slugs import Slugs
from tx_graph.codebase.documents.targets import may_be_here
from tx_graph.domain.document import BlockKind, LinkKind

if TYPE_CHECKING:
    from pyromark import Markdown
    from pyromark.event import Range

_ID = re.compile(r"\s*\{:?\s*#([\w.:-]+)[^{}]*\}\s*$")
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
class MarkdownDraft(Draft):
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
        self.found: list[Found] = []
        self._events: Iterator[tuple[Any, Range]] = _parser().events_with_range(text, merge_text=True)
        self._slugs = Slugs()
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
                if self.data[span["start"] - 1] == _BRACE:
                    self._role(value, span)
                elif target := code_target(value):
                    found.append((span["start"], LinkKind.CODE, target, "", ""))
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

    def _role(self, body: str, span: Range) -> None:
        """Note what inline code behind `{role}` points at, as MyST has it."""
        start = span["start"]
        if role := _ROLE.search(self.data, max(0, start - _LONGEST_ROLE), start):
            self.found.extend(filter(None, [by_role(start, role[1].decode(), body)]))

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

    def _item(self, _: Tag, span: Range) -> None:
        self._block(BlockKind.ITEM, span)
        self._nesting(_, span)

    def _nesting(self, _: Tag, span: Range) -> None:
        self._nested_end = max(self._nested_end, span["end"])

    def _code_block(self, tag: Tag, span: Range) -> None:
        start = span["start"]
        if tag["CodeBlock"] == "Indented" and not self.data[(line := self._line_start(start)) : start].strip():
            span["start"] = line  # its first line is indented as the others are
        self._block(BlockKind.CODE, span)
        self._skip()

    def _html_block(self, _: Tag, span: Range) -> None:
        self._block(BlockKind.HTML, span)
        self._skip()
        self._html(self.data[span["start"] : span["end"]].decode(), span)

    def _line_start(self, place: int) -> int:
        return self.data.rfind(b"\n", 0, place) + 1

    def _skip(self) -> None:
        """Leave a block that holds no other."""
        for event, _ in self._events:
            if "End" in event:
                return

    def _heading(self, tag: Tag, span: Range) -> None:
        level = int(tag["Heading"]["level"][1])
        is_section = span["start"] >= self._nested_end
        if is_section:
            self._begin_section(level, span)
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

    def _begin_section(self, level: int, span: Range) -> None:
        start = self._line_start(span["start"])
        if self._anchors and not _ONLY_CLOSING.fullmatch(self.data, self._anchors_end, start):
            self._settle_anchors()  # they name a place before the heading, not the heading
        draft = MarkdownDraft(level, start)
        self.drafts.append(draft)
        self._blocks = draft.blocks
        self._block_end = start
        self._block(BlockKind.HEADING, {"start": start, "end": span["end"]})

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
        elif kind != "Email" and may_be_here(target):
            self.found.append((span["start"], LinkKind.LINK, target, text, ""))

    def _html(self, text: str, span: Range) -> None:
        if "=" not in text and "<h" not in text.lower():
            return
        html = read_html(text)
        self.found += [(span["start"], LinkKind.LINK, one, "", "") for one in html.targets if may_be_here(one)]
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
                self._said(kind, value, span)
            elif kind == "Start" and "Image" in value:
                images += 1
                self._linked(value["Image"], span, "")
            elif kind == "Start" and "Link" in value:
                words.append(self._link(value, span))
            elif kind == "InlineHtml":
                self._html(value, span)
        return "".join(words), "".join(alternatives)

    def _said(self, kind: str, text: str, span: Range) -> None:
        if kind == "Text":
            self.texts.append(text)
            self.places.append(span["start"])
        elif target := code_target(text):
            self.found.append((span["start"], LinkKind.CODE, target, "", ""))


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
