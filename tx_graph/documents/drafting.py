"""Reading many documents: in this process until there is enough to do for others."""

from __future__ import annotations

import hashlib
import pickle
import re
from array import array
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, pairwise
from operator import mul
from typing import NamedTuple

from tx_graph.core.identifiers import searchable_prose
from tx_graph.core.kernel import Kernel
from tx_graph.core.processes import CannotStart, Crew, in_order, serve
from tx_graph.documents.chunk_store import ChunkRow
from tx_graph.documents.chunking import Alike, ChunkOptions, Piece, Strategy, pieces_of
from tx_graph.documents.document import (
    HEADINGS_PART,
    Block,
    BlockKind,
    Format,
    Link,
    ReadSection,
    Statement,
    section_key,
)
from tx_graph.documents.reading import read_document
from tx_graph.documents.statements import decisions_within, statements_of
from tx_graph.documents.store import SectionRow
from tx_graph.graph.edges import NodeId
from tx_graph.vectors.embedding import Embedding

_SAYS_NOTHING = re.compile(
    r"""(?:
        \s++
        | \([^()\s]+\)=            # a label of MyST
        | \.\.\ _[^:\n]+:\s*\n     # one of reStructuredText
        | <a\s[^<>]*>\s*(?:</a>)?  # an anchor
        | ([-=*_~^"'+\#.:])\1{2,}+  # a rule
    )*+""",
    re.VERBOSE,
)


class Body(NamedTuple):
    """The text below a heading, its blocks by their places in it, and the line that it begins in."""

    text: str
    blocks: tuple[Block, ...]
    line_start: int


def body_of(section: ReadSection) -> Body:
    """Return what a section says; the text is empty where that is nothing but labels, anchors and rules."""
    blocks = section.blocks
    start = blocks[0].end if blocks and blocks[0].kind is BlockKind.HEADING else 0
    text = section.text[start:].lstrip("\n")
    cut = len(section.text) - len(text)
    if _SAYS_NOTHING.fullmatch(f"{text}\n"):
        return Body("", (), section.line_start)
    own = tuple(Block(kind, first - cut, last - cut) for kind, first, last in blocks if first >= cut)
    return Body(text, own, section.line_start + section.text.count("\n", 0, cut))


class Known(NamedTuple):
    """A section of before; that of a document which is gone may live on in another one."""

    node: NodeId
    key: str
    content_hash: str
    is_loose: bool = False


def matched(wanted: Sequence[tuple[str, str]], known: Collection[Known]) -> list[Known | None]:
    """Return for each wanted (key, content hash) the section of before that it is, None for a new one.

    What has both its name and its text comes first, then what has its text and may have been moved or renamed along
    with a heading like it, then what has its name and was edited. None stands for two.
    """
    found: list[Known | None] = [None] * len(wanted)
    free = {one.node: one for one in known}
    named = {one.key: one for one in known if not one.is_loose}
    for place, (key, content_hash) in enumerate(wanted):
        if (same := named.get(key)) and same.content_hash == content_hash:
            found[place] = free.pop(same.node)
    alike: defaultdict[str, deque[Known]] = defaultdict(deque)
    for one in sorted(free.values(), key=lambda one: one.is_loose):
        alike[one.content_hash].append(one)
    for place, (_, content_hash) in enumerate(wanted):
        if found[place] is None and alike[content_hash]:
            found[place] = free.pop(alike[content_hash].popleft().node)
    for place, (key, _) in enumerate(wanted):
        if found[place] is None and key in named and named[key].node in free:
            found[place] = free.pop(named[key].node)
    return found


class SectionDraft(NamedTuple):
    """A section or a part of one, with its chunks: its rows have places among the drafts where there will be nodes."""

    key: str
    row: SectionRow
    links: tuple[Link, ...] = ()
    chunks: tuple[ChunkRow, ...] = ()


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
        # A title stands above all that is below it.
        self._title_words = cache(partial(searchable_prose, splits=self._splits))

    def draft(self, path: str, text: str) -> DocumentDraft:
        """Return a document as it is to be stored."""
        document = read_document(path, text)
        places: list[int] = []
        drafts: list[SectionDraft] = []
        headings: list[dict[str, None]] = []  # the titles that lead down to each section, each once
        for section in document.sections:
            places.append(len(drafts))
            parent = None if section.parent is None else places[section.parent]
            above = {} if section.parent is None else headings[section.parent]
            headings.append(above | ({section.title: None} if section.title else {}))
            drafts += self._drafts(path, section, HEADINGS_PART.join(headings[-1]), parent=parent, place=len(drafts))
        within = decisions_within(document.title, [(one.title, one.parent) for one in document.sections])
        decisions = {place: places[one] for place, one in zip(places, within, strict=True) if one is not None}
        return DocumentDraft(
            path=path,
            format=document.format,
            title=document.title,
            problems=document.problems,
            aliases=document.aliases,
            sections=tuple(drafts),
            statements=tuple(one._replace(section=places[one.section]) for one in statements_of(path, document)),
            decisions=tuple(
                (place, decisions[home])
                for place, draft in enumerate(drafts)
                if (home := draft.row.parent if draft.row.part else place) in decisions
            ),
        )

    def _drafts(
        self, path: str, section: ReadSection, headings: str, *, parent: int | None, place: int
    ) -> Iterator[SectionDraft]:
        """Yield a section, followed by its parts where its text is too long for one piece."""
        body = body_of(section)
        pieces = pieces_of(body.text, body.blocks, self._options, alike=self._alike)
        above = " ".join(map(self._title_words, (*headings.split(HEADINGS_PART), path)))

        def chunked(piece: Piece, section: int) -> Iterator[ChunkRow]:
            for position, (start, end) in enumerate(piece.children):
                text = body.text[start:end]
                words = searchable_prose(text, splits=self._splits)
                yield ChunkRow(section, position, _digest(f"{headings}\n{text}"), headings, text, above, words)

        row = SectionRow(
            node=place,
            document=0,
            parent=parent,
            position=place,
            part=0,
            level=section.level,
            title=section.title,
            slug=section.slug,
            labels=section.labels,
            line_start=section.line_start,
            line_end=section.line_end,
            content_hash=_digest(section.text),
            text=section.text if len(pieces) == 1 else "",
        )
        key = path if parent is None else section_key(path, section.slug)
        if len(pieces) <= 1:
            yield SectionDraft(key, row, section.links, tuple(chunked(pieces[0], place)) if pieces else ())
            return
        parts = []
        line, reached = body.line_start, 0
        for number, piece in enumerate(pieces, start=1):
            start, end = piece.span
            line += body.text.count("\n", reached, start)
            reached, text = start, body.text[start:end]
            part = row._replace(
                node=place + number,
                parent=place,
                position=place + number,
                part=number,
                labels=(),
                line_start=line,
                line_end=line + text.rstrip("\n").count("\n"),
                content_hash=_digest(text),
                text=text,
            )
            own = tuple(chunked(piece, part.node))
            parts.append(SectionDraft(section_key(path, section.slug, number), part, chunks=own))
        # A plain link is that of the last part that begins no later; a typed one speaks for its whole section.
        starts = [part.row.line_start for part in parts]
        inside = defaultdict(list)
        for link in section.links:
            inside[-1 if link.predicate else bisect_right(starts, link.line) - 1].append(link)
        yield SectionDraft(key, row, tuple(inside[-1]))
        yield from (draft._replace(links=tuple(inside[number])) for number, draft in enumerate(parts))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


WORTHWHILE = 1_500_000
"""Characters of documents from which on other processes are started: starting them takes a tenth of a second."""
_BATCH = 200_000
_PATIENCE = 120.0  # seconds that a batch may take: a thousand times what it needs
_PROGRAM = "from tx_graph.documents.drafting import run; run({strategy!r})"


class Text(NamedTuple):
    """A document to read, decoded."""

    path: str
    text: str


def crew(kernel: Kernel) -> tuple[DraftingCrew, dict[str, str]]:
    """Return what drafts documents as the settings say, and what that depends on: if it changes all are read anew."""
    from tx_graph.code.reading import reading_processes

    embedding = kernel.one(Embedding)
    strategy = Strategy(str(kernel.config.get("documents.chunking")))
    depends_on = {"chunking": strategy.value}
    alike = None
    if strategy is Strategy.SEMANTIC and embedding.available:
        depends_on["model"] = embedding.name

        def alike(sentences: Sequence[str]) -> list[float]:
            """Return the cosine similarity, in [-1, 1], of each sentence with the next one."""
            floats = [array("f", vector) for vector in embedding.quick.embed(sentences)]
            return [sum(map(mul, one, other)) for one, other in pairwise(floats)]

    options = ChunkOptions(strategy=strategy)
    drafting = Drafting(options, alike=alike)
    return DraftingCrew(options, drafting, processes=reading_processes(kernel)), depends_on


class DraftingCrew:
    """Drafts documents; those of a way of cutting that asks a model are drafted in this process."""

    def __init__(self, options: ChunkOptions, drafting: Drafting, *, processes: int) -> None:
        self._options = options
        self._drafting = drafting
        self._processes = processes if options.strategy is not Strategy.SEMANTIC else 1

    def drafts(self, texts: Iterable[Text]) -> Iterator[DocumentDraft]:
        """Yield each document as it is to be stored, in order. Texts are asked for while others are being drafted."""
        waiting = iter(texts)
        first = list(_taken(waiting, WORTHWHILE)) if self._processes > 1 else []
        if sum(len(one.text) for one in first) < WORTHWHILE:
            yield from (self._drafting.draft(*one) for one in chain(first, waiting))
            return
        program = _PROGRAM.format(strategy=self._options.strategy.value)
        with Crew(program, patience=_PATIENCE) as crew:

            def asked(batch: list[Text]) -> list[DocumentDraft]:
                try:
                    return [pickle.loads(one) for one in crew.ask([tuple(one) for one in batch])]  # noqa: S301 - our own process
                except (CannotStart, EOFError):
                    return [self._drafting.draft(*one) for one in batch]

            remaining = chain(first, waiting)
            batches = iter(lambda: list(_taken(remaining, _BATCH)), [])
            for _, draft in in_order(batches, asked, processes=self._processes):
                yield draft


def run(strategy: str) -> None:
    """Draft what is asked for until nobody asks any more: what another process of a crew does."""
    drafting = Drafting(ChunkOptions(strategy=Strategy(strategy)))
    serve(lambda one: pickle.dumps(drafting.draft(*one), pickle.HIGHEST_PROTOCOL))


def _taken(texts: Iterator[Text], size: int) -> Iterator[Text]:
    """Yield texts until there are so many characters of them."""
    for one in texts:
        yield one
        size -= len(one.text)
        if size <= 0:
            return
