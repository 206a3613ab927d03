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
from tx_graph.services.embedding import Embedding
from tx_graph.services.graph_view import GraphView
from tx_graph.services.paths import Neighbor, ViewOf, described
from tx_graph.services.search.matching import CANDIDATES, Matches, Matching
from tx_graph.services.search.question import Question, read_question
from tx_graph.services.search.seeding import SeedFiles, seed_files
from tx_graph.services.search.values import Query, SearchAnswer, SearchResult, SearchStats
from tx_graph.services.search.weighing import Best, Candidate, Weighed, best, candidate
from tx_graph.services.standings import Moment, Standings
from tx_graph.storage.learnings import Brief, LearningStore
from tx_graph.storage.text_search import TextSearch

_SEEDS = 10
"""Direct matches that the walk starts from; more where more results are asked for (Oasis: seedTopK)."""
_FURTHER = 4
"""How many times further down the rankings are followed, each time that too few of the results are fresh."""
_PASSED = 500
"""Files a walk may pass through. They are not what is searched for, so they do not count towards `max_nodes`."""


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
        standings: Standings,
        view_of: ViewOf,
        clock: Clock,
    ) -> None:
        self._learnings = learnings
        self._text = text
        self._matching = matching
        self._embedding = embedding
        self._standings = standings
        self._view_of = view_of
        self._clock = clock

    def run(self, query: Query) -> SearchAnswer:
        """Return the learnings that answer the query, best first.

        Raises:
            UsageError: The query is empty, or a number is out of range.
            ModelError: The model is installed but cannot be loaded.
        """
        _check(query)
        moment = self._standings.now()
        view = self._view_of(query.types, query.direction)
        if query.include_stale:
            view.show_stale()
        found, chosen, top = self._best(query, view, moment)
        return SearchAnswer(
            query=query,
            results=tuple(self._results(top.shown, found, view)),
            stats=SearchStats(
                lexical=len(found.matches.bm25),
                vector=len(found.matches.vector),
                seeds=len(found.direct),
                seed_files=len(found.files),
                expanded=sum(1 for one in chosen if one.hops),
                matched=len(chosen) - top.stale - top.weak,
                lacking_vectors=self._embedding.lacking,
                stale_left_out=top.stale,
                model=found.matches.model,
            ),
        )

    def _best(self, query: Query, view: GraphView, moment: Moment) -> tuple[_Found, list[Candidate], Best]:
        """Return what was found, what of it is relevant, and the best of that.

        Where stale results are left out and too few remain, the rankings are followed further down.
        """
        allowed = self._matching.allowed(query)
        question = read_question(query.text, self._text)
        count = max(CANDIDATES, query.limit)
        while True:
            found = self._found(query, question, self._matching.matches(question, allowed, count=count), view)
            chosen = [one for one in self._ranked(query, found, allowed) if one.relevance >= query.min_score]
            top = best(chosen, query, moment)
            if not top.stale or len(top.shown) == query.limit or not found.matches.is_cut:
                return found, chosen, top
            count *= _FURTHER

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

    def _ranked(self, query: Query, found: _Found, allowed: Collection[int] | None) -> list[Candidate]:
        """Return every learning that matched or was reached and may be shown, best first."""
        briefs = self._learnings.briefs_by_nodes({*found.direct, *found.walk.scores})
        ranked = sorted(
            _candidate(brief, found.direct.get(brief.node, 0.0), found.walk)
            for brief in briefs
            if allowed is None or brief.id in allowed
        )
        return _limited(ranked, found.direct, query.expansion.max_nodes) if query.expansion else ranked

    def _results(self, top: Sequence[Weighed], found: _Found, view: GraphView) -> list[SearchResult]:
        """Return the best candidates with all one wants to know of them: only these are worth the reading."""
        candidates = [one.candidate for one in top]
        stored = {one.id: one for one in self._learnings.by_numbers([one.brief.id for one in candidates])}
        reached = [
            found.walk.reached_at(one.brief.node) if one.hops else Reached(node=one.brief.node, score=one.relevance)
            for one in candidates
        ]
        return [
            self._result(one, stored[one.candidate.brief.id], way, found, reason=_seed_reason(end, found.files))
            for one, end, way in zip(top, reached, described(reached, view), strict=True)
        ]

    def _result(
        self, weighed: Weighed, stored: StoredLearning, way: Neighbor, found: _Found, *, reason: str
    ) -> SearchResult:
        return SearchResult(
            stored=stored,
            relevance=weighed.candidate.relevance,
            bm25=found.matches.bm25_share(stored.id),
            vector=found.matches.similarity(stored.id),
            recency=recency(datetime.fromisoformat(stored.learning.created_at), now=self._clock.now()),
            rrf=found.matches.fused.get(stored.id, 0.0),
            feedback=feedback(helpful=stored.usage.helpful, used=stored.usage.count),
            standing=weighed.standing,
            anchors=weighed.judgements,
            steps=way.steps,
            seed_reason=reason,
        )


def _check(query: Query) -> None:
    checked_limit(query.limit)
    unit_interval(query.min_score, what="least score")
    if query.category is not None:
        clean_label(query.category, what="category")
    if query.fresh_only and query.include_stale:
        raise UsageError("Stale results are either left out or taken in, not both.")
    if not query.text.strip():
        raise UsageError("The query is empty.", hint="Say what to look for, in quotes.")


def _seed_reason(reached: Reached, files: SeedFiles) -> str:
    """Return why a walk started at a file; nothing for a walk from a learning, or for a direct match."""
    return files[reached.seed][1] if reached.path and reached.seed in files else ""


def _candidate(brief: Brief, direct: float, walk: Walk) -> Candidate:
    """Return a learning with the better of its two scores: as a direct match, or at the end of a walk."""
    walked = walk.scores.get(brief.node, 0.0)
    hops = walk.hops(brief.node) if walked > direct else 0
    score = feedback(helpful=brief.helpful, used=brief.used)
    return candidate(brief, boosted(max(direct, walked), feedback_score=score), hops=hops)


def _limited(ranked: Sequence[Candidate], direct: Container[NodeId], most: int) -> list[Candidate]:
    """Return the direct matches, and the best of those that only the graph found."""
    beyond = [one for one in ranked if one.brief.node not in direct]
    cut = {one.brief.id for one in beyond[most:]}
    return [one for one in ranked if one.brief.id not in cut]
