"""From the text of a document to its sections, parts and chunks as they are to be stored."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tx_graph.analysis.chunking import Alike, ChunkOptions, Piece, pieces_of
from tx_graph.analysis.identifiers import searchable_prose
from tx_graph.analysis.statements import decisions_within, statements_of
from tx_graph.codebase.documents import read_document
from tx_graph.domain.document import Format, Link, ReadDocument, ReadSection
from tx_graph.domain.section import HEADINGS_PART, section_key
from tx_graph.domain.statement import Statement
from tx_graph.services.documents.body import Body, body_of

VERSION = 2
"""Of the way in which documents are read and cut: with another one than the last time all are read again."""


class ChunkDraft(NamedTuple):
    """A chunk; `content_hash` is that of its text with the headings above it.

    `words_above` (of the headings and the path) and `words` are what full-text search sees of it.
    """

    headings: str
    text: str
    content_hash: str
    words_above: str
    words: str


class SectionDraft(NamedTuple):
    """A section or a part of one; `parent` is its place among the drafts of its document, None for the document."""

    key: str
    parent: int | None
    part: int
    level: int
    title: str
    slug: str
    labels: tuple[str, ...]
    line_start: int
    line_end: int
    text: str
    content_hash: str
    links: tuple[Link, ...]
    chunks: tuple[ChunkDraft, ...]


class DocumentDraft(NamedTuple):
    """A document as it is to be stored; the first of its sections stands for itself.

    `statements` are what it says of itself with literal values, with the places of the drafts of their sections.
    `decisions` are the places of those that are part of one of several records of decisions, each with that of its
    heading.
    """

    path: str
    format: Format
    title: str
    problems: tuple[str, ...]
    aliases: tuple[str, ...]
    sections: tuple[SectionDraft, ...]
    statements: tuple[Statement, ...] = ()
    decisions: tuple[tuple[int, int], ...] = ()


class Drafting:
    """Reads documents and cuts their sections; `alike` compares sentences where there is a model to do so."""

    def __init__(self, options: ChunkOptions, *, alike: Alike | None = None) -> None:
        self._options = options
        self._alike = alike
        self._splits: dict[str, str] = {}
        self._titles: dict[str, str] = {}

    def draft(self, path: str, text: str) -> DocumentDraft:
        """Return a document as it is to be stored."""
        document = read_document(path, text)
        places: list[int] = []
        drafts: list[SectionDraft] = []
        for section in document.sections:
            places.append(len(drafts))
            parent = None if section.parent is None else places[section.parent]
            drafts += self._drafts(path, document, section, parent=parent, place=len(drafts))
        return DocumentDraft(
            path=path,
            format=document.format,
            title=document.title,
            problems=document.problems,
            aliases=document.aliases,
            sections=tuple(drafts),
            statements=tuple(one._replace(section=places[one.section]) for one in statements_of(path, document)),
            decisions=tuple(_within_decisions(document, places, drafts)),
        )

    def _drafts(
        self, path: str, document: ReadDocument, section: ReadSection, *, parent: int | None, place: int
    ) -> Iterator[SectionDraft]:
        """Yield a section, followed by its parts where its text is too long for one piece."""
        body = body_of(section)
        pieces = pieces_of(body.text, body.blocks, self._options, alike=self._alike)
        chunks = list(self._chunks(path, body.text, pieces, _headings(document, section)))
        if len(pieces) <= 1:
            text = section.text if pieces else ""
            whole = chunks[0] if pieces else ()
            yield _section(path, section, parent=parent, text=text, links=section.links, chunks=whole)
            return
        parts = list(_parts(path, section, body, pieces, place, chunks))
        inside = _links_by_part(section.links, parts)
        own = [link for link in section.links if link not in inside]
        yield _section(path, section, parent=parent, text="", links=own, chunks=())
        for number, draft in enumerate(parts):
            yield _with_links(draft, [link for link, part in inside.items() if part == number])

    def _chunks(self, path: str, text: str, pieces: Iterable[Piece], headings: str) -> Iterator[tuple[ChunkDraft, ...]]:
        """Yield the chunks of each piece of a section's text."""
        above = " ".join(map(self._title_words, (*headings.split(HEADINGS_PART), path)))
        for piece in pieces:
            yield tuple(self._chunk(text[start:end], headings, above) for start, end in piece.children)

    def _title_words(self, title: str) -> str:
        """Return the words of a title: it stands above all that is below it."""
        if title not in self._titles:
            self._titles[title] = searchable_prose(title, splits=self._splits)
        return self._titles[title]

    def _chunk(self, text: str, headings: str, above: str) -> ChunkDraft:
        return ChunkDraft(
            headings=headings,
            text=text,
            content_hash=_digest(f"{headings}\n{text}"),
            words_above=above,
            words=searchable_prose(text, splits=self._splits),
        )


def _section(
    path: str,
    section: ReadSection,
    *,
    parent: int | None,
    text: str,
    links: Sequence[Link],
    chunks: tuple[ChunkDraft, ...],
) -> SectionDraft:
    return SectionDraft(
        key=path if parent is None else section_key(path, section.slug),
        parent=parent,
        part=0,
        level=section.level,
        title=section.title,
        slug=section.slug,
        labels=section.labels,
        line_start=section.line_start,
        line_end=section.line_end,
        text=text,
        content_hash=_digest(section.text),
        links=tuple(links),
        chunks=chunks,
    )


def _parts(
    path: str,
    section: ReadSection,
    body: Body,
    pieces: Sequence[Piece],
    place: int,
    chunks: Sequence[tuple[ChunkDraft, ...]],
) -> Iterator[SectionDraft]:
    """Yield the parts of a long section, which itself is at `place` among the drafts of its document."""
    line, reached = body.line_start, 0
    for number, ((start, end), own) in enumerate(zip((one.span for one in pieces), chunks, strict=True), start=1):
        line += body.text.count("\n", reached, start)
        reached, text = start, body.text[start:end]
        yield SectionDraft(
            key=section_key(path, section.slug, number),
            parent=place,
            part=number,
            level=section.level,
            title=section.title,
            slug=section.slug,
            labels=(),
            line_start=line,
            line_end=line + text.rstrip("\n").count("\n"),
            text=text,
            content_hash=_digest(text),
            links=(),
            chunks=own,
        )


def _with_links(draft: SectionDraft, links: Sequence[Link]) -> SectionDraft:
    return draft._replace(links=tuple(links)) if links else draft


def _links_by_part(links: Sequence[Link], parts: Sequence[SectionDraft]) -> dict[Link, int]:
    """Return the last part that begins no later than each plain link. A typed one speaks for its whole section."""
    starts = [part.line_start for part in parts]
    found: dict[Link, int] = {}
    for link in links:
        place = bisect_right(starts, link.line) - 1
        if place >= 0 and not link.predicate:
            found[link] = place
    return found


def _within_decisions(
    document: ReadDocument, places: Sequence[int], drafts: Sequence[SectionDraft]
) -> Iterator[tuple[int, int]]:
    """Yield the places of the drafts that are part of a decision, parts of long sections too, each with that of it."""
    within = decisions_within(document.title, [(one.title, one.parent) for one in document.sections])
    decisions = {place: places[one] for place, one in zip(places, within, strict=True) if one is not None}
    for place, draft in enumerate(drafts) if decisions else ():
        home = draft.parent if draft.part else place
        if home in decisions:
            yield place, decisions[home]


def _headings(document: ReadDocument, section: ReadSection) -> str:
    """Return the titles that lead down to a section, each once."""
    titles: list[str] = []
    one: ReadSection | None = section
    while one is not None:
        titles.append(one.title)
        one = None if one.parent is None else document.sections[one.parent]
    return HEADINGS_PART.join(dict.fromkeys(title for title in reversed(titles) if title))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
