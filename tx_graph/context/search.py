"""The search room: direct matches, what is near open files, and the walk that ties them together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

from tx_graph.anchors.relocating import Moment, Standings
from tx_graph.anchors.verdict import Judgement, Standing, standing
from tx_graph.context.graph import Neighbor, ViewOf, described
from tx_graph.context.graph_view import GraphView
from tx_graph.context.matching import (
    CANDIDATES,
    Filtering,
    Matcher,
    Matches,
    Query,
    Question,
    Retrievers,
    SearchAnswer,
    SearchResult,
    SearchStats,
    read_question,
)
from tx_graph.context.open_files import OpenFiles, OpenPlace
from tx_graph.core.errors import UsageError
from tx_graph.core.identifiers import content_words
from tx_graph.core.labels import checked_limit, clean_label
from tx_graph.core.ports import Clock
from tx_graph.graph import diversify as diversification
from tx_graph.graph.diversify import Candidate as DiversifyingCandidate
from tx_graph.graph.diversify import Choice, diversify, overlap
from tx_graph.graph.edges import Edge, NodeId
from tx_graph.graph.expand import (
    Exploration,
    Hops,
    Limits,
    Profile,
    Reached,
    Scoring,
    Spread,
    Walk,
    explore,
    scoring_of,
)
from tx_graph.graph.fuse import HISTORY_HALF_LIFE, boosted, discounted, feedback, recency, reciprocal_rank_fusion
from tx_graph.graph.word_store import TextSearch
from tx_graph.learnings.similarity_store import SimilarityStore
from tx_graph.records.learning import StoredLearning, unit_interval
from tx_graph.records.learning_store import Brief, LearningStore
from tx_graph.vectors.embedding import Embedding

WITHOUT_EXPANSION = Limits(depth=1)
"""How far learnings are looked for from open files where no expansion is asked for: their direct relatives."""


class Nearby(NamedTuple):
    """Learnings near open files, each with its best way there, and the open places as the walk numbers them."""

    learnings: Mapping[NodeId, Reached]
    places: Mapping[NodeId, float]


def nearby(open_places: Sequence[OpenPlace], view: GraphView, limits: Limits) -> Nearby:
    """Return the learnings near open files, by the best of their scores.

    A hop between files multiplies by the edge's weight and the decay; from a file to a learning anchored there it is
    the anchor's weight alone that counts, as for the files of direct matches (PRD-016: 0.8 × 0.7 × 1.0 = 0.56).
    """
    places = _numbered(open_places, view)
    walk = explore(places, view.between_files, limits=limits)
    best: dict[NodeId, tuple[tuple[float, int, NodeId], Edge]] = {}
    for strand in view.learnings_at(walk.scores):
        for source, target, weight in strand.rows:
            rank = (walk.scores[source] * weight, -walk.hops(source), -source)
            if target not in best or rank > best[target][0]:
                best[target] = (rank, strand.edge(source, target, weight))
    learnings = {node: _ending(walk.reached_at(edge.source), edge, score) for node, ((score, *_), edge) in best.items()}
    return Nearby(learnings=learnings, places=places)


def _ending(file: Reached, edge: Edge, score: float) -> Reached:
    return Reached(node=edge.target, score=score, path=(*file.path, edge))


def _numbered(open_places: Sequence[OpenPlace], view: GraphView) -> dict[NodeId, float]:
    found: dict[NodeId, float] = {}
    for place in open_places:
        node = view.unregistered(place.ref) if place.node is None else place.node
        if node is not None:
            found[node] = max(place.score, found.get(node, 0.0))
    return found


SeedFiles = Mapping[NodeId, tuple[float, str]]
"""Files with their score in (0, 1] and, in words, why the question is about them."""

OPEN = "an open file"
"""Why a walk starts at what somebody works on."""
_SEED_FILES = 5
"""Files a question may mean by the words of their paths."""
_MOST_ANCHORED = 50
"""Files of matching learnings that the walk starts from: a glob may match thousands."""
_NAMED_FILE, _WORDED_FILE = 1.0, 0.5
"""Score of a file that the question names, and most of one whose path merely shares words with it."""


def seed_files(
    question: Question,
    matches: Mapping[NodeId, float],
    briefs: Mapping[NodeId, Brief],
    open_places: Mapping[NodeId, float],
    *,
    text: TextSearch,
    view: GraphView,
) -> SeedFiles:
    """Return the open files, those that the question names or whose paths share its words, and those of the matches.

    A learning stands on its files, so the walk starts from these without paying a hop.
    """
    seeds: dict[NodeId, tuple[float, str]] = {}
    for node, score in open_places.items():
        _offer(seeds, node, score, OPEN)
    for node in question.files:
        _offer(seeds, node, _NAMED_FILE, "named by the query")
    found = [node for node, _ in text.files(question.rest, limit=_SEED_FILES)]
    for node, score in reciprocal_rank_fusion({"paths": found}).items():
        _offer(seeds, node, score * _WORDED_FILE, "its path has words of the query")
    anchored = [(matches[edge.source] * edge.weight, edge) for edge in view.seed_files(list(matches))]
    for score, edge in nlargest(_MOST_ANCHORED, anchored):
        _offer(seeds, edge.target, score, f"where {briefs[edge.source].ref} is anchored")
    return seeds


def _offer(seeds: dict[NodeId, tuple[float, str]], node: NodeId, score: float, reason: str) -> None:
    if node not in seeds or seeds[node][0] < score:
        seeds[node] = (score, reason)


_LEAST_AT_ONCE = 10
"""Candidates judged together: each time costs two queries."""


class Candidate(NamedTuple):
    """A learning in the ranking; sorts best first, and `place` is never the same for two."""

    place: tuple[float, float, int, int]
    relevance: float
    brief: Brief
    hops: int
    support: float


def candidate(brief: Brief, relevance: float, *, hops: int, support: float = 0.0) -> Candidate:
    """Return a learning with its place in the ranking.

    That is by relevance, then by `support`, the weaker of two reasons to show it, then by the shorter way, then by the
    older number.
    """
    return Candidate((-relevance, -support, hops, brief.id), relevance, brief, hops, support)


class Weighed(NamedTuple):
    """A candidate with its place now that its anchors were looked at."""

    candidate: Candidate
    judgements: tuple[Judgement, ...]

    @property
    def standing(self) -> Standing:
        """What is said of its code."""
        return standing(self.judgements)


class Best(NamedTuple):
    """The candidates to show, best first; how many were left out as stale, and how many as not relevant enough."""

    shown: Sequence[Weighed]
    stale: int
    weak: int


def best(ranked: Sequence[Candidate], query: Query, moment: Moment, *, count: int) -> Best:
    """Return the best `count` candidates by what their relevance counts.

    No relevance counts more than it is, so candidates are judged from the top only until those that are kept rank
    above the best of the rest, whatever the rest will turn out to be.
    """
    kept: list[Weighed] = []
    looked_at = stale = weak = 0
    while looked_at < len(ranked) and not _is_settled(kept, ranked[looked_at], count):
        weighed = _weighed(ranked[looked_at : looked_at + max(_LEAST_AT_ONCE, count)], query, moment)
        looked_at += len(weighed)
        holding = [one for one in weighed if not (query.fresh_only and one.standing.is_stale)]
        relevant = [one for one in holding if one.candidate.relevance >= query.min_score]
        stale += len(weighed) - len(holding)
        weak += len(holding) - len(relevant)
        kept = sorted([*kept, *relevant], key=lambda one: one.candidate.place)
    return Best(kept[:count], stale, weak)


def _is_settled(kept: Sequence[Weighed], following: Candidate, limit: int) -> bool:
    return len(kept) >= limit and kept[limit - 1].candidate.place < following.place


def _weighed(candidates: Sequence[Candidate], query: Query, moment: Moment) -> list[Weighed]:
    judged = moment.judgements([one.brief.node for one in candidates])
    return [_discounted(one, judged[one.brief.node], query) for one in candidates]


def _discounted(one: Candidate, judgements: tuple[Judgement, ...], query: Query) -> Weighed:
    if query.include_stale or not standing(judgements).is_stale:
        return Weighed(one, judgements)
    relevance = discounted(one.relevance, is_stale=True)
    return Weighed(candidate(one.brief, relevance, hops=one.hops, support=one.support), judgements)


class Found(NamedTuple):
    """What one search found: direct matches (by number, and their scores by node), the walk, and where it started.

    `briefs` are the learnings among all that; what the walk says of one is multiplied by `scale`.
    """

    matches: Matches
    direct: Mapping[NodeId, float]
    near: Mapping[NodeId, Reached]
    walk: Exploration
    files: SeedFiles
    briefs: Sequence[Brief]
    scale: float = 1.0

    def candidates(self) -> list[Candidate]:
        """Return each learning with the best of its scores: as a direct match, near an open file, or ending a walk.

        A walk reaches many times more than the two others find, so what only it found is dealt with in short, and
        what nobody used is not asked for its feedback, which would leave it as it is.
        """
        scores, scale, hops_of, direct, near = self.walk.scores, self.scale, self.walk.hops, self.direct, self.near
        found = []
        for brief in self.briefs:
            node = brief.node
            if brief.used or brief.helpful or node in direct or node in near:
                found.append(self._candidate(brief))
                continue
            relevance, hops = min(1.0, scores.get(node, 0.0) * scale), hops_of(node)
            found.append(Candidate((-relevance, 0.0, hops, brief.id), relevance, brief, hops, 0.0))
        return found

    def _candidate(self, brief: Brief) -> Candidate:
        node, score = brief.node, feedback(helpful=brief.helpful, used=brief.used)
        if self.is_beyond(node):
            relevance = boosted(self._walked(node), feedback_score=score)
            return candidate(brief, relevance, hops=self.walk.hops(node))
        direct, near = self.direct.get(node, 0.0), self._nearness(node)
        relevance = max(direct, near, self._walked(node))
        hops, support = self._hops(node, relevance), min(direct, near)
        return candidate(brief, boosted(relevance, feedback_score=score), hops=hops, support=support)

    def _nearness(self, node: NodeId) -> float:
        return self.near[node].score if node in self.near else 0.0

    def _walked(self, node: NodeId) -> float:
        return self.walk.scores.get(node, 0.0) * self.scale

    def _hops(self, node: NodeId, relevance: float) -> int:
        if self.direct.get(node, 0.0) >= relevance:
            return 0
        return self.near[node].hops if self._nearness(node) >= relevance else self.walk.hops(node)

    def reached(self, one: Candidate) -> Reached:
        """Return how a candidate was found."""
        node = one.brief.node
        if not one.hops:
            return Reached(node=node, score=one.relevance)
        is_near = self._nearness(node) >= self._walked(node)
        return self.near[node] if is_near else self.walk.reached_at(node)

    def reason(self, reached: Reached) -> str:
        """Return why a walk started at a file; nothing for a walk from a learning, or for a direct match."""
        if not reached.path:
            return ""
        return self.files[reached.seed][1] if reached.seed in self.files else OPEN if reached.node in self.near else ""

    def is_beyond(self, node: NodeId) -> bool:
        """Whether only the walk found it."""
        return node not in self.direct and node not in self.near


def scale_of(walk: Exploration, briefs: Sequence[Brief], scoring: Scoring) -> float:
    """Return by what the scores of a walk are multiplied: under `spread`, so that the best learning has 1."""
    if not isinstance(scoring, Spread):
        return 1.0
    best = max((walk.scores.get(brief.node, 0.0) for brief in briefs), default=0.0)
    return 1 / best if best else 1.0


def direct_score(matches: Matches, number: int, scoring: Scoring) -> float:
    """Return what a direct match scores in [0, 1]: its relevance, and under `hops` what a seed scores there."""
    relevance = matches.relevance[number]
    return scoring.seed_score(matches.similarity(number) or relevance) if isinstance(scoring, Hops) else relevance


def limited(ranked: Sequence[Candidate], found: Found, most: int) -> list[Candidate]:
    """Return the direct matches and what is near open files, and the best of those that only the walk found."""
    beyond = [one for one in ranked if found.is_beyond(one.brief.node)]
    cut = {one.brief.id for one in beyond[most:]}
    return [one for one in ranked if one.brief.id not in cut]


_POOL = 3
"""How many times the results that are shown are looked at: what is further down is not relevant enough to move up."""
_LARGEST_POOL = 300
"""Comparing each two of 300 takes 40 ms; whoever asks for hundreds of results reads them all."""


class Diversifying:
    """Compares learnings by their vectors, and by their words where one of two has none."""

    def __init__(self, *, similarities: SimilarityStore, learnings: LearningStore, model: str) -> None:
        self._similarities = similarities
        self._learnings = learnings
        self._model = model

    def choose(self, candidates: Sequence[DiversifyingCandidate], *, limit: int, diversity: float) -> list[Choice]:
        """Return at most `limit` candidates, by learning number, most relevant first but for repetitions.

        `diversity` in [0, 1] says how much novelty counts beside relevance, the 1 − λ of MMR; 0 is the order of
        relevance alone. Candidates beyond the largest pool follow by relevance.
        """
        if not diversity:
            return [Choice(one, rank) for rank, one in enumerate(candidates[:limit], start=1)]
        pool, rest = candidates[:_LARGEST_POOL], candidates[_LARGEST_POOL:limit]
        likeness = self._likeness([one.id for one in pool]) if len(pool) > 1 else _nothing
        chosen = diversify(pool, limit=limit, similarity=likeness, lam=1 - diversity)
        return chosen + [Choice(one, rank) for rank, one in enumerate(rest, start=len(pool) + 1)]

    def _likeness(self, numbers: Collection[int]) -> Callable[[int, int], float]:
        cosines = self._similarities.cosines(numbers, model=self._model)
        contents: dict[int, str] = {}

        @cache
        def words(number: int) -> frozenset[str]:
            if not contents:
                contents.update(self._learnings.contents(numbers))
            return content_words(contents.get(number, ""))

        def likeness(one: int, other: int) -> float:
            cosine = cosines.get((one, other) if one < other else (other, one))
            return overlap(words(one), words(other)) if cosine is None else cosine

        return likeness


def pool_of(limit: int, *, diversity: float) -> int:
    """Return how many of the best are looked at to show `limit` of them."""
    return max(limit, min(_POOL * limit, _LARGEST_POOL)) if diversity else limit


def placed(results: Mapping[int, SearchResult], chosen: Sequence[Choice]) -> list[SearchResult]:
    """Return the results that were chosen, by learning number, with their places and what above them is like them."""
    return [
        replace(
            results[one.candidate.id],
            position=position,
            relevance_position=one.rank,
            similar_to=None if one.like is None else results[one.like].stored.ref,
            similarity=one.similarity,
        )
        for position, one in enumerate(chosen, start=1)
    ]


def _nothing(_: int, __: int) -> float:
    return 0.0


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
        """Return the learnings that answer the query, best first."""
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
            [_contender(one.candidate) for one in top.shown], limit=query.limit, diversity=query.diversity
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
