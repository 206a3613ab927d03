"""Search: words and vectors fused into seeds, then whatever the graph ties to them."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.domain.learning import StoredLearning, checked_limit, clean_label, unit_interval
from tx_graph.errors import UsageError
from tx_graph.ports import Clock
from tx_graph.retrieval.expansion import Limits, Reached, Walk, explore
from tx_graph.retrieval.scoring import boosted, feedback, recency
from tx_graph.services.anchoring import Anchoring
from tx_graph.services.embedding import Embedding
from tx_graph.services.graph_view import GraphView
from tx_graph.services.paths import Neighbor, ViewOf, described
from tx_graph.services.search.matching import Matches, Matching
from tx_graph.services.search.question import Question, read_question
from tx_graph.services.search.seeding import SeedFiles, seed_files
from tx_graph.services.search.values import Query, SearchAnswer, SearchResult, SearchStats
from tx_graph.storage.learnings import Brief, LearningStore
from tx_graph.storage.text_search import TextSearch

_SEEDS = 10
"""Direct matches that the walk starts from; more where more results are asked for (Oasis: seedTopK)."""
_PASSED = 500
"""Files a walk may pass through. They are not what is searched for, so they do not count towards `max_nodes`."""


class _Candidate(NamedTuple):
    """A learning in the ranking; sorts best first, and `place` is never the same for two."""

    place: tuple[float, int, int]
    relevance: float
    brief: Brief
    hops: int


class _Found(NamedTuple):
    """What one search found: direct matches (by number, and their scores by node), the walk, and where it started."""

    matches: Matches
    direct: Mapping[NodeId, float]
    walk: Walk
    files: SeedFiles


class Search:
    """Answers questions."""

    def __init__(
        self,
        *,
        learnings: LearningStore,
        text: TextSearch,
        matching: Matching,
        embedding: Embedding,
        anchoring: Anchoring,
        view_of: ViewOf,
        clock: Clock,
    ) -> None:
        self._learnings = learnings
        self._text = text
        self._matching = matching
        self._embedding = embedding
        self._anchoring = anchoring
        self._view_of = view_of
        self._clock = clock

    def run(self, query: Query) -> SearchAnswer:
        """Return the learnings that answer the query, best first.

        Raises:
            UsageError: The query is empty, or a number is out of range.
            ModelError: The model is installed but cannot be loaded.
        """
        _check(query)
        view = self._view_of(query.types, query.direction)
        allowed = self._matching.allowed(query)
        question = read_question(query.text, self._text)
        found = self._found(query, question, self._matching.matches(query, question, allowed), view)
        chosen = [one for one in self._ranked(query, found, allowed) if one.relevance >= query.min_score]
        return SearchAnswer(
            query=query,
            results=tuple(self._results(chosen[: query.limit], found, view)),
            stats=SearchStats(
                lexical=len(found.matches.bm25),
                vector=len(found.matches.vector),
                seeds=len(found.direct),
                seed_files=len(found.files),
                expanded=sum(1 for candidate in chosen if candidate.hops),
                matched=len(chosen),
                lacking_vectors=self._embedding.lacking,
                model=found.matches.model,
            ),
        )

    def _found(self, query: Query, question: Question, matches: Matches, view: GraphView) -> _Found:
        """Walk from the best direct matches and from the files in question."""
        briefs = {brief.node: brief for brief in self._learnings.briefs_by_numbers(matches.fused)}
        direct = {node: matches.relevance[brief.id] for node, brief in briefs.items()}
        if query.expansion is None:
            return _Found(matches, direct, Walk(direct, Limits(depth=0)), {})
        best = dict(nlargest(max(_SEEDS, query.limit), direct.items(), key=itemgetter(1)))
        files = seed_files(question, best, briefs, text=self._text, view=view)
        walk = explore(
            best | {node: score for node, (score, _) in files.items()},
            view.neighbors_of,
            limits=replace(query.expansion, max_nodes=max(_PASSED, query.expansion.max_nodes)),
            at_last_hop=view.learnings_near,
        )
        return _Found(matches, direct, walk, files)

    def _ranked(self, query: Query, found: _Found, allowed: Collection[int] | None) -> list[_Candidate]:
        """Return every learning that matched or was reached and may be shown, best first."""
        briefs = self._learnings.briefs_by_nodes({*found.direct, *found.walk.scores})
        ranked = sorted(
            _candidate(brief, found.direct.get(brief.node, 0.0), found.walk)
            for brief in briefs
            if allowed is None or brief.id in allowed
        )
        return _limited(ranked, found.direct, query.expansion.max_nodes) if query.expansion else ranked

    def _results(self, top: Sequence[_Candidate], found: _Found, view: GraphView) -> list[SearchResult]:
        """Return the best candidates with all one wants to know of them: only these are worth the reading."""
        stored = {one.id: one for one in self._learnings.by_numbers([candidate.brief.id for candidate in top])}
        reached = [
            found.walk.reached_at(one.brief.node) if one.hops else Reached(node=one.brief.node, score=one.relevance)
            for one in top
        ]
        return [
            self._result(one, stored[one.brief.id], way, found, reason=_seed_reason(end, found.files))
            for one, end, way in zip(top, reached, described(reached, view), strict=True)
        ]

    def _result(
        self, candidate: _Candidate, stored: StoredLearning, way: Neighbor, found: _Found, *, reason: str
    ) -> SearchResult:
        return SearchResult(
            stored=stored,
            relevance=candidate.relevance,
            bm25=found.matches.bm25_share(stored.id),
            vector=found.matches.similarity(stored.id),
            recency=recency(datetime.fromisoformat(stored.learning.created_at), now=self._clock.now()),
            rrf=found.matches.fused.get(stored.id, 0.0),
            feedback=feedback(helpful=stored.usage.helpful, used=stored.usage.count),
            verdict=self._anchoring.verdict(stored.learning.anchors),
            steps=way.steps,
            seed_reason=reason,
        )


def _check(query: Query) -> None:
    checked_limit(query.limit)
    unit_interval(query.min_score, what="least score")
    if query.category is not None:
        clean_label(query.category, what="category")
    if not query.text.strip():
        raise UsageError("The query is empty.", hint="Say what to look for, in quotes.")


def _seed_reason(reached: Reached, files: SeedFiles) -> str:
    """Return why a walk started at a file; nothing for a walk from a learning, or for a direct match."""
    return files[reached.seed][1] if reached.path and reached.seed in files else ""


def _candidate(brief: Brief, direct: float, walk: Walk) -> _Candidate:
    """Return a learning with the better of its two scores: as a direct match, or at the end of a walk."""
    walked = walk.scores.get(brief.node, 0.0)
    hops = walk.hops(brief.node) if walked > direct else 0
    score = feedback(helpful=brief.helpful, used=brief.used)
    relevance = boosted(max(direct, walked), feedback_score=score)
    return _Candidate((-relevance, hops, brief.id), relevance, brief, hops)


def _limited(ranked: Sequence[_Candidate], direct: Container[NodeId], most: int) -> list[_Candidate]:
    """Return the direct matches, and the best of those that only the graph found."""
    beyond = [candidate for candidate in ranked if candidate.brief.node not in direct]
    cut = {candidate.brief.id for candidate in beyond[most:]}
    return [candidate for candidate in ranked if candidate.brief.id not in cut]
