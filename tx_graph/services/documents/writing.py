"""Writes documents so that what did not change in them keeps its nodes, chunks and vectors."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from tx_graph.domain.edges import NodeId
from tx_graph.services.documents.drafting import ChunkDraft, DocumentDraft, SectionDraft
from tx_graph.services.documents.identity import Known, matched
from tx_graph.storage.chunks import ChunkRow
from tx_graph.storage.documents import DocumentRow
from tx_graph.storage.section_links import SectionLink
from tx_graph.storage.sections import SectionRow
from tx_graph.storage.statements import StatementRow
from tx_graph.storage.stores import Stores

_Known = Mapping[NodeId, Sequence[SectionRow]]


class Fresh(NamedTuple):
    """A document that was read just now, as it is to be stored."""

    row: DocumentRow
    draft: DocumentDraft


class _Named(NamedTuple):
    """A document with the section of before that each of its sections but itself is, None for a new one."""

    fresh: Fresh
    found: Sequence[Known | None]

    def pairs(self) -> Iterator[tuple[SectionDraft, Known | None]]:
        return zip(self.fresh.draft.sections[1:], self.found, strict=True)


@dataclass(slots=True, kw_only=True)
class Loose:
    """Sections and chunks of documents that are gone, by node and number: others may take them over."""

    sections: dict[NodeId, Known] = field(default_factory=dict)
    chunks: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, stores: Stores, documents: Collection[NodeId]) -> Self:
        """Return what hangs on some documents; these themselves are files, and stay."""
        rows = [row for every in stores.sections.of_documents(documents).values() for row in every]
        return cls(
            sections={
                row.node: Known(row.node, "", row.content_hash, is_loose=True) for row in rows if row.parent is not None
            },
            chunks={number: digest for number, _, digest in stores.chunks.of_sections([row.node for row in rows])},
        )


class Writing:
    """Writes documents, many at once; what none of them takes over is removed at the end.

    `links` are those of all that was written: where they lead is found out when all documents are there. So are
    `statements`, and `decisions`, sections with the decisions that they are part of.
    """

    def __init__(self, stores: Stores, loose: Loose) -> None:
        self.links: list[SectionLink] = []
        self.statements: list[StatementRow] = []
        self.decisions: list[tuple[NodeId, NodeId]] = []
        self._stores = stores
        self._loose = loose
        self._gone: list[NodeId] = []
        self._gone_chunks: list[int] = []

    def write(self, documents: Sequence[Fresh], *, known: Collection[NodeId]) -> int:
        """Write documents, of which some are known; return how many sections are as they were. Needs a transaction."""
        before = self._stores.sections.of_documents(known) if known else {}
        named = self._matched(documents, before)
        nodes = self._nodes(named)
        self._stores.documents.save(row for row, _ in documents)
        self._stores.sections.save(
            section
            for (row, draft), own in zip(documents, nodes, strict=True)
            for section in _rows(row.node, draft.sections, own)
        )
        self.links += _links(documents, nodes)
        for (row, draft), own in zip(documents, nodes, strict=True):
            self.statements += _statements(row.node, draft, own)
            self.decisions += ((own[place], own[decision]) for place, decision in draft.decisions)
        self._write_chunks(documents, nodes, before)
        return sum(1 for one in named for draft, old in one.pairs() if old and old.content_hash == draft.content_hash)

    def finish(self) -> None:
        """Remove what no document has any more. Needs a transaction."""
        stores = self._stores
        gone_chunks = [*self._gone_chunks, *self._loose.chunks]
        stores.chunk_vectors.forget(gone_chunks)
        stores.chunks.remove(gone_chunks)
        stores.sections.remove([*self._gone, *self._loose.sections])
        self._loose, self._gone, self._gone_chunks = Loose(), [], []

    def _matched(self, documents: Sequence[Fresh], before: _Known) -> list[_Named]:
        """Find for each section which it was before, and note those that are none any more."""
        keys = self._stores.nodes.describe([one.node for rows in before.values() for one in rows])
        named = []
        for fresh in documents:
            rows = [row for row in before.get(fresh.row.node, ()) if row.parent is not None]
            known = [Known(row.node, keys[row.node][1], row.content_hash) for row in rows]
            wanted = [(one.key, one.content_hash) for one in fresh.draft.sections[1:]]
            found = matched(wanted, [*known, *self._loose.sections.values()]) if known or self._loose.sections else ()
            claimed = {one.node for one in found if one is not None}
            self._gone += [one.node for one in known if one.node not in claimed]
            for node in claimed.intersection(self._loose.sections):
                del self._loose.sections[node]
            named.append(_Named(fresh, found or [None] * len(wanted)))
        return named

    def _nodes(self, named: Sequence[_Named]) -> list[list[NodeId]]:
        """Return the nodes of the sections of each document; new sections get theirs, renamed ones their new names."""
        every = [pair for one in named for pair in one.pairs()]
        renamed = {old.node: draft.key for draft, old in every if old and old.key != draft.key}
        # A section that is on its way out must not hold on to a name that another one takes.
        leaving = {node: f"\x01{node}" for node in self._gone}
        names = self._stores.sections.named(renamed | leaving, [draft.key for draft, old in every if old is None])
        return [
            [one.fresh.row.node, *(old.node if old else names[draft.key] for draft, old in one.pairs())]
            for one in named
        ]

    def _write_chunks(self, documents: Sequence[Fresh], nodes: Sequence[Sequence[NodeId]], before: _Known) -> None:
        """Keep the chunks that say what they said, wherever they are now, and note which no section has any more."""
        homes = {row.node: document for document, rows in before.items() for row in rows}
        free: dict[NodeId, defaultdict[str, deque[int]]] = {one: defaultdict(deque) for one in before}
        own = self._stores.chunks.of_sections(list(homes))
        for number, section, digest in own:
            free[homes[section]][digest].append(number)
        loose: defaultdict[str, deque[int]] = defaultdict(deque)
        for number, digest in self._loose.chunks.items():
            loose[digest].append(number)
        moved: list[tuple[int, NodeId, int]] = []
        taken_over: list[tuple[int, ChunkRow]] = []
        new: list[ChunkRow] = []
        for (row, draft), sections in zip(documents, nodes, strict=True):
            mine: Mapping[str, deque[int]] = free.get(row.node, {})
            for node, position, chunk in _placed(draft, sections):
                if same := mine.get(chunk.content_hash):
                    moved.append((same.popleft(), node, position))
                elif same := loose.get(chunk.content_hash):
                    number = same.popleft()
                    moved.append((number, node, position))
                    taken_over.append((number, _chunk(node, position, chunk)))
                else:
                    new.append(_chunk(node, position, chunk))
        self._stores.chunks.move(moved)
        self._stores.chunks.reword(taken_over)
        self._stores.chunks.add(new)
        taken = {number for number, _, _ in moved}
        self._gone_chunks += [number for number, _, _ in own if number not in taken]
        for number, _ in taken_over:
            del self._loose.chunks[number]


def forget(stores: Stores, paths: Collection[str]) -> None:
    """Forget documents with all that hangs on them. Needs a transaction."""
    nodes = [row.node for row in stores.documents.by_paths(paths).values()]
    Writing(stores, Loose.of(stores, nodes)).finish()
    stores.section_edges.replace(nodes, ())
    stores.sections.remove(nodes)
    stores.documents.remove(nodes)


def _placed(draft: DocumentDraft, nodes: Sequence[NodeId]) -> Iterator[tuple[NodeId, int, ChunkDraft]]:
    """Yield each chunk of a document with its section and its position there."""
    for node, section in zip(nodes, draft.sections, strict=True):
        for position, chunk in enumerate(section.chunks):
            yield node, position, chunk


def _chunk(node: NodeId, position: int, chunk: ChunkDraft) -> ChunkRow:
    return ChunkRow(
        section=node,
        position=position,
        content_hash=chunk.content_hash,
        headings=chunk.headings,
        text=chunk.text,
        headings_words=chunk.words_above,
        words=chunk.words,
    )


def _links(documents: Sequence[Fresh], nodes: Sequence[Sequence[NodeId]]) -> Iterable[SectionLink]:
    return (
        SectionLink(node, position, row.path, link.kind, link.target, link.text, link.predicate, link.line)
        for (row, draft), own in zip(documents, nodes, strict=True)
        for node, section in zip(own, draft.sections, strict=True)
        for position, link in enumerate(section.links)
    )


def _statements(document: NodeId, draft: DocumentDraft, nodes: Sequence[NodeId]) -> Iterable[StatementRow]:
    return (
        StatementRow(document, position, nodes[place], predicate, value, confidence)
        for position, (place, predicate, value, confidence) in enumerate(draft.statements)
    )


def _rows(document: NodeId, sections: Sequence[SectionDraft], nodes: Sequence[NodeId]) -> Iterator[SectionRow]:
    for position, (node, draft) in enumerate(zip(nodes, sections, strict=True)):
        yield SectionRow(
            node=node,
            document=document,
            parent=None if draft.parent is None else nodes[draft.parent],
            position=position,
            part=draft.part,
            level=draft.level,
            title=draft.title,
            slug=draft.slug,
            labels=draft.labels,
            line_start=draft.line_start,
            line_end=draft.line_end,
            content_hash=draft.content_hash,
            text=draft.text,
        )
