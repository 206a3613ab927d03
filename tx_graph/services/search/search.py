"""Search: what matches a question or is near open files, then whatever the graph ties to that."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.domain.labels import checked_limit, clean_label
from tx_graph.domain.learning import StoredLearning, unit_interval
from tx_graph.errors import UsageError
from tx_graph.ports import Clock
from tx_graph.retrieval import diversification
from tx_graph.retrieval.expansion import Limits, Profile, Walk, explore, scoring_of
from tx_graph.retrieval.scoring import HISTORY_HALF_LIFE, feedback, recency
from tx_graph.services.embedding import Embedding
from tx_graph.services.graph_view import GraphView
from tx_graph.services.open_files import OpenFiles, OpenPlace
from tx_graph.services.paths import Neighbor, ViewOf, described
from tx_graph.services.search.diversifying import Diversifying, placed, pool_of
from tx_graph.services.search.filtering import Filtering
from tx_graph.services.search.found import Found, direct_score, limited, scale_of
from tx_graph.services.search.matching import CANDIDATES, Matcher, Matches
from tx_graph.services.search.nearby import WITHOUT_EXPANSION, Nearby, nearby
from tx_graph.services.search.question import Question, read_question
from tx_graph.services.search.retrievers import Retrievers
from tx_graph.services.search.seeding import seed_files
from tx_graph.services.search.values import Query, SearchAnswer, SearchResult, SearchStats
from tx_graph.services.search.weighing import Best, Candidate, Weighed, best
from tx_graph.services.standings import Moment, Standings
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.text_search import TextSearch

_SEEDS = 10
"""Direct matches that the walk starts from; more where more results are asked for (Oasis: seedTopK)."""
_FURTHER = 4
"""How many times further down the rankings are followed, each time that too few of the results are fresh."""
_PASSED = 500
"""Files a walk may pass through. They are not what is searched for, so they do not count towards `max_nodes`."""


class _Asked(NamedTuple):
    """A query made ready: who finds direct matches, what is open, which learnings may answer, and what was read."""

    query: Query
    question: Question
    matcher: Matcher
    open_places: Sequence[OpenPlace]
    allowed: Collection[int] | None
    view: GraphView
    near: Nearby


class Search:
    """Answers questions."""

    def __init__(
        self,
        *,
        learnings: LearningStore,
        text: TextSearch,
        filtering: Filtering,
        retrievers: Retrievers,
        open_files: OpenFiles,
        embedding: Embedding,
        standings: Standings,
        diversifying: Diversifying,
        view_of: ViewOf,
        clock: Clock,
    ) -> None:
        self._learnings = learnings
        self._text = text
        self._filtering = filtering
        self._retrievers = retrievers
        self._open_files = open_files
        self._embedding = embedding
        self._standings = standings
        self._diversifying = diversifying
        self._view_of = view_of
        self._clock = clock

    def run(self, query: Query) -> SearchAnswer:
        """Return the learnings that answer the query, best first.

        Raises:
            UsageError: The query is empty, or a number is out of range.
            NotFound: An open file or the retriever does not exist.
            ModelError: The model is installed but cannot be loaded, or the retriever fails.
        """
        _check(query)
        moment = self._standings.now()
        asked = self._asked(query)
        found, chosen, top = self._best(asked, moment)
        return SearchAnswer(
            query=query,
            results=tuple(self._results(query, top, found, asked.view)),
            stats=SearchStats(
                lexical=len(found.matches.bm25),
                vector=len(found.matches.vector),
                seeds=len(found.direct),
                seed_files=len(found.files),
                expanded=sum(1 for one in chosen if one.hops and found.is_beyond(one.brief.node)),
                matched=len(chosen) - top.stale - top.weak,
                lacking_vectors=self._embedding.lacking,
                stale_left_out=top.stale,
                model=found.matches.model,
                retriever=query.retriever or self._retrievers.standard,
                retrieved=len(found.matches.retrieved),
                dropped=found.matches.dropped,
                open_files=tuple(place.ref for place in asked.open_places),
                near=len(found.near),
                walk=found.walk.stats() if query.expansion else None,
            ),
        )

    def _asked(self, query: Query) -> _Asked:
        view = self._view_of(query.types, query.direction)
        view.follow_at(query.types_at)
        if query.include_stale:
            view.show_stale()
        open_places = self._open_files.named(query.context_files)
        return _Asked(
            query=query,
            question=read_question(query.text, self._text),
            matcher=self._retrievers.named(query.retriever),
            open_places=open_places,
            allowed=self._filtering.allowed(query),
            view=view,
            near=nearby(open_places, view, _around(query)) if open_places else Nearby({}, {}),
        )

    def _best(self, asked: _Asked, moment: Moment) -> tuple[Found, list[Candidate], Best]:
        """Return what was found, what of it is relevant, and the best of that.

        Where stale results are left out and too few remain, the rankings are followed further down.
        """
        query = asked.query
        pool = pool_of(query.limit, diversity=query.diversity)
        count = max(CANDIDATES, pool)
        while True:
            found = self._found(asked, self._matches(asked, count))
            chosen = [one for one in self._ranked(asked, found) if one.relevance >= query.min_score]
            top = best(chosen, query, moment, count=pool)
            if not top.stale or len(top.shown) >= query.limit or not found.matches.is_cut:
                return found, chosen, top
            count *= _FURTHER

    def _matches(self, asked: _Asked, count: int) -> Matches:
        if not asked.query.text.strip():
            return Matches()
        return asked.matcher.matches(asked.question, asked.allowed, count=count)

    def _found(self, asked: _Asked, matches: Matches) -> Found:
        """Return direct matches, what is near open files, and where a walk from there leads, if one is asked for."""
        briefs = {brief.node: brief for brief in self._learnings.briefs_by_numbers(matches.fused)}
        expansion, near = asked.query.expansion, asked.near.learnings
        if expansion is None:
            direct = {node: matches.relevance[brief.id] for node, brief in briefs.items()}
            everything = self._learnings.briefs_by_nodes({*direct, *near})
            nowhere = Walk({}, Limits(depth=0))
            return Found(matches=matches, direct=direct, near=near, walk=nowhere, files={}, briefs=everything)
        scoring = scoring_of(asked.query.profile)
        direct = {node: direct_score(matches, brief.id, scoring) for node, brief in briefs.items()}
        most = max(_SEEDS, asked.query.limit)
        best_direct = _best_of(direct, most)
        files = seed_files(asked.question, best_direct, briefs, asked.near.places, text=self._text, view=asked.view)
        best_near = _best_of({node: one.score for node, one in near.items()}, most)
        walk = explore(
            _highest(best_direct, best_near, {node: score for node, (score, _) in files.items()}),
            asked.view.neighbors_of,
            limits=replace(expansion, max_nodes=max(_PASSED, expansion.max_nodes)),
            scoring=scoring,
            at_last_hop=asked.view.learnings_near,
            degrees_of=asked.view.degrees,
            prior=self._freshness_of_history,
        )
        everything = self._learnings.briefs_by_nodes({*direct, *near, *walk.scores})
        return Found(
            matches=matches,
            direct=direct,
            near=near,
            walk=walk,
            files=files,
            briefs=everything,
            scale=scale_of(walk, everything, scoring),
        )

    def _freshness_of_history(self, nodes: Collection[NodeId]) -> dict[NodeId, float]:
        """Return how recent the learnings among some nodes are that commits tell; what people wrote does not age."""
        now = self._clock.now()
        return {
            node: recency(datetime.fromisoformat(time), now=now, half_life=HISTORY_HALF_LIFE)
            for node, time in self._learnings.told_by_commits(nodes).items()
        }

    def _ranked(self, asked: _Asked, found: Found) -> list[Candidate]:
        """Return every learning that matched or was reached and may be shown, best first."""
        ranked = sorted(one for one in found.candidates() if asked.allowed is None or one.brief.id in asked.allowed)
        return limited(ranked, found, asked.query.expansion.max_nodes) if asked.query.expansion else ranked

    def _results(self, query: Query, top: Best, found: Found, view: GraphView) -> list[SearchResult]:
        """Return the best candidates with all one wants to know of them: only these are worth the reading."""
        chosen = self._diversifying.choose(
            [_contender(one.candidate) for one in top.shown],
            limit=query.limit,
            diversity=query.diversity,
        )
        by_number = {one.candidate.brief.id: one for one in top.shown}
        shown = [by_number[one.candidate.id] for one in chosen]
        stored = {one.id: one for one in self._learnings.by_numbers([one.candidate.brief.id for one in shown])}
        reached = [found.reached(one.candidate) for one in shown]
        ways = zip(shown, reached, described(reached, view), strict=True)
        results = {
            one.candidate.brief.id: self._result(one, stored[one.candidate.brief.id], way, found, found.reason(end))
            for one, end, way in ways
        }
        return placed(results, chosen)

    def _result(
        self, weighed: Weighed, stored: StoredLearning, way: Neighbor, found: Found, reason: str
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
            retrieved=found.matches.retrieved.get(stored.id, 0.0),
        )


def _check(query: Query) -> None:
    checked_limit(query.limit)
    unit_interval(query.min_score, what="least score")
    unit_interval(query.diversity, what="diversity")
    if query.category is not None:
        clean_label(query.category, what="category")
    if not query.text.strip() and not query.context_files:
        raise UsageError("The query is empty.", hint="Say what to look for, in quotes, or name open files.")


def _around(query: Query) -> Limits:
    """Return how far learnings are looked for from open files; other profiles than `decay` go on from there."""
    limits = query.expansion or WITHOUT_EXPANSION
    if query.expansion and query.profile is not Profile.DECAY:
        return replace(limits, depth=0)
    return replace(limits, max_nodes=max(_PASSED, limits.max_nodes))


def _contender(one: Candidate) -> diversification.Candidate:
    return diversification.Candidate(one.brief.id, one.relevance, one.brief.category)


def _best_of(scores: Mapping[NodeId, float], count: int) -> dict[NodeId, float]:
    return dict(nlargest(count, scores.items(), key=itemgetter(1)))


def _highest(*several: Mapping[NodeId, float]) -> dict[NodeId, float]:
    """Return the highest score of each node."""
    nodes = {node for scores in several for node in scores}
    return {node: max(scores.get(node, 0.0) for scores in several) for node in nodes}
