"""Answers questions from documents: sections that match, and what their relations lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tx_graph.domain.edges import NodeId
from tx_graph.services.doc_search.choosing import Candidate, candidate, most_worth, with_places_kept
from tx_graph.services.doc_search.filtering import DocFiltering
from tx_graph.services.doc_search.seeding import Best, Seeding, Seeds
from tx_graph.services.doc_search.telling import States, excerpt
from tx_graph.services.doc_search.values import DocAnswer, DocQuery, DocResult, DocStats
from tx_graph.services.doc_search.walking import Walked, Walking
from tx_graph.storage.chunk_search import ChunkSearch
from tx_graph.storage.documents import DocumentStore
from tx_graph.storage.section_lines import SectionLines
from tx_graph.storage.sections import SectionStore

_POOL = 500
"""Sections beyond the seeds, the best by score, that are compared with the question to tell equals apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """All that one search found."""

    query: DocQuery
    seeds: Seeds
    walked: Walked
    likeness: Best


class DocSearch:
    """Finds sections of documents."""

    def __init__(
        self,
        *,
        documents: DocumentStore,
        sections: SectionStore,
        lines: SectionLines,
        text: ChunkSearch,
        filtering: DocFiltering,
        seeding: Seeding,
        walking: Walking,
        states: States,
    ) -> None:
        self._documents = documents
        self._sections = sections
        self._lines = lines
        self._text = text
        self._filtering = filtering
        self._seeding = seeding
        self._walking = walking
        self._states = states

    def run(self, query: DocQuery) -> DocAnswer:
        """Return the sections that answer best, best first, each once.

        Without vectors words choose the seeds, and without a graph that can be read the seeds are all: the answer's
        notices say so.

        Raises:
            NotFound, UsageError: A filter cannot be applied.
        """
        allowed = self._filtering.allowed(query)
        seeds = self._seeding.seeds(query, allowed)
        walked = self._walking.from_seeds(query, seeds.scores, seeds.likeness)
        pool = sorted(walked.ways, key=lambda node: walked.ways[node].place)[:_POOL]
        found = _Found(query=query, seeds=seeds, walked=walked, likeness=self._seeding.similarities(seeds, pool))
        best = _chosen(query, _candidates(found))
        return DocAnswer(query=query, results=self._results(found, best), stats=self._stats(found, allowed))

    def _results(self, found: _Found, best: Sequence[Candidate]) -> tuple[DocResult, ...]:
        units = self._sections.units_by_nodes([one.node for one in best])
        ties = self._walking.ties(found.query, found.walked, [one.way for one in best if one.way])
        states = self._states.of({unit.document for unit in units.values()})
        superseded = self._lines.superseded_by(list(units))
        excerpts = self._chunk_texts(found, best)
        return tuple(
            DocResult(
                unit=units[one.node],
                score=one.score,
                hops=one.way.hops if one.way else 0,
                similarity=_first(one.node, found.seeds.vectors.scores, found.likeness.scores),
                keyword_score=found.seeds.words.scores.get(one.node),
                excerpt=excerpt(units[one.node], found.query.text, excerpts.get(one.node)),
                state=states[units[one.node].document],
                ties=ties.get(one.way.node, ()) if one.way else (),
                superseded_by=superseded.get(one.node),
            )
            for one in best
            if one.node in units
        )

    def _chunk_texts(self, found: _Found, best: Sequence[Candidate]) -> dict[NodeId, str]:
        """Return what the best chunk of each section says, where anybody knows which it is."""
        known = {**found.seeds.words.chunks, **found.likeness.chunks, **found.seeds.vectors.chunks}
        chunks = {one.node: known[one.node] for one in best if one.node in known}
        texts = self._text.texts(list(chunks.values()))
        return {node: texts[chunk] for node, chunk in chunks.items() if chunk in texts}

    def _stats(self, found: _Found, allowed: set[str] | None) -> DocStats:
        seeds, walked = found.seeds, found.walked
        documents = self._documents.count()
        return DocStats(
            documents=documents,
            searched=None if allowed is None else len(allowed),
            seeds=len(seeds.scores),
            found=len(walked.ways),
            matched=len(seeds.scores) + len(walked.ways),
            nodes_visited=walked.visited,
            model=None if seeds.vector is None else self._seeding.model,
            lacking_vectors=self._seeding.lacking,
            notices=tuple(self._notices(found, documents)),
        )

    def _notices(self, found: _Found, documents: int) -> list[str]:
        notices = list(found.seeds.notices)
        if not documents:
            notices.append("No documents are known yet: run 'tx doc:ingest'.")
        elif found.seeds.vector is None:
            notices.append("By words alone: there are no vectors of documents" + self._seeding.remedy)
        elif lacking := self._seeding.lacking:
            notices.append(f"{lacking:,} pieces of documents have no vector yet: run 'tx doc:ingest'.")
        if found.walked.problem:
            notices.append(f"By the seeds alone: relations cannot be followed. {found.walked.problem}")
        return notices


def _candidates(found: _Found) -> list[Candidate]:
    ways, supports = found.walked.ways, found.walked.supports
    scores = {**{node: way.score for node, way in ways.items()}, **found.seeds.scores}
    return [
        candidate(
            node,
            score,
            way=ways.get(node),
            likeness=_likeness(found, node),
            support=supports.get(node, 0.0),
        )
        for node, score in scores.items()
    ]


def _chosen(query: DocQuery, candidates: Sequence[Candidate]) -> list[Candidate]:
    if query.graph_slots is None:
        return most_worth(candidates, limit=query.limit)
    return with_places_kept(candidates, limit=query.limit, slots=query.graph_slots)


def _likeness(found: _Found, node: NodeId) -> float:
    """Return how much a section says like the question, by its vectors, else by its words."""
    known = (found.seeds.vectors.scores, found.likeness.scores, found.seeds.words.scores)
    return _first(node, *known) or 0.0


def _first(node: NodeId, *several: Mapping[NodeId, float]) -> float | None:
    return next((scores[node] for scores in several if node in scores), None)
