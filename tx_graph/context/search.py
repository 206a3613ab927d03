"""Search: direct matches, what is near open files, and the walk that ties them together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, partial
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

from tx_graph.anchors.relocating import Moment, Standings
from tx_graph.anchors.verdict import Judgement, Standing, standing
from tx_graph.context.graph import described
from tx_graph.context.graph_view import GraphView
from tx_graph.context.matching import (
    CANDIDATES,
    Matches,
    Query,
    Question,
    Retrievers,
    SearchAnswer,
    SearchResult,
    SearchStats,
    allowed,
    read_question,
)
from tx_graph.context.open_files import OpenFiles, OpenPlace
from tx_graph.core.errors import UsageError
from tx_graph.core.identifiers import content_words
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit, clean_label
from tx_graph.graph.diversify import Candidate as Contender
from tx_graph.graph.diversify import Choice, diversify, overlap
from tx_graph.graph.edges import Edge, NodeId
from tx_graph.graph.expand import Exploration, Hops, Limits, Profile, Reached, Spread, Walk, explore, scoring_of
from tx_graph.graph.fuse import HISTORY_HALF_LIFE, boosted, discounted, feedback, recency, reciprocal_rank_fusion
from tx_graph.graph.word_store import TextSearch
from tx_graph.learnings.similarity_store import SimilarityStore
from tx_graph.records.learning import unit_interval
from tx_graph.records.learning_store import Brief, LearningStore
from tx_graph.vectors.embedding import Embedding

_SEEDS = 10
"""Direct matches that the walk starts from; more where more results are asked for (Oasis: seedTopK)."""
_FURTHER = 4
"""How many times further down the rankings are followed, each time that too few of the results are fresh."""
_PASSED = 500
"""Files a walk may pass through. They are not what is searched for, so they do not count towards `max_nodes`."""


class Search:
    """Answers questions: seeds, fused, expanded, judged, and as many shown as are asked for, unlike each other."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._learnings = LearningStore(kernel.database)
        self._text = TextSearch(kernel.database)
        self._retrievers = kernel.one(Retrievers)

    def run(self, query: Query) -> SearchAnswer:
        """Return the learnings that answer the query, best first.

        Where stale results are left out and too few remain, the rankings are followed further down.
        """
        _check(query)
        moment = self._kernel.one(Standings).now()
        view = GraphView(
            self._kernel, query.types, query.direction, types_at=query.types_at, is_stale_shown=query.include_stale
        )
        places = self._kernel.one(OpenFiles).named(query.context_files)
        question = read_question(query.text, self._text)
        matcher = self._retrievers.named(query.retriever)
        may_answer = allowed(self._kernel, query)
        near = nearby(places, view, query) if places else Nearby({}, {})
        pool = max(query.limit, min(_POOL * query.limit, _LARGEST_POOL)) if query.diversity else query.limit
        count = max(CANDIDATES, pool)
        while True:
            matches = matcher(question, may_answer, count=count) if query.text.strip() else Matches()
            found = self._expanded(query, question, matches, near, view)
            ranked = sorted(one for one in found.candidates() if may_answer is None or one.brief.id in may_answer)
            if query.expansion:
                ranked = found.limited(ranked, query.expansion.max_nodes)
            chosen = [one for one in ranked if one.relevance >= query.min_score]
            top = best(chosen, query, moment, count=pool)
            if not top.stale or len(top.shown) >= query.limit or not matches.is_cut:
                break
            count *= _FURTHER
        return SearchAnswer(
            query=query,
            results=tuple(self._results(query, top, found, view)),
            stats=SearchStats(
                lexical=len(matches.bm25),
                vector=len(matches.vector),
                seeds=len(found.direct),
                seed_files=len(found.files),
                expanded=sum(1 for one in chosen if one.hops and found.is_beyond(one.brief.node)),
                matched=len(chosen) - top.stale - top.weak,
                lacking_vectors=self._kernel.one(Embedding).lacking(),
                stale_left_out=top.stale,
                model=matches.model,
                retriever=query.retriever or self._retrievers.standard,
                retrieved=len(matches.retrieved),
                dropped=matches.dropped,
                open_files=tuple(place.ref for place in places),
                near=len(near.learnings),
                walk=found.walk.stats() if query.expansion else None,
            ),
        )

    def _expanded(self, query: Query, question: Question, matches: Matches, near: Nearby, view: GraphView) -> Found:
        """Return direct matches, what is near open files, and where a walk from there leads, if one is asked for."""
        briefs = {brief.node: brief for brief in self._learnings.briefs_by_numbers(matches.fused)}
        relevance = {node: matches.relevance[brief.id] for node, brief in briefs.items()}
        if query.expansion is None:
            everything = self._learnings.briefs_by_nodes({*relevance, *near.learnings})
            return Found(matches, relevance, near.learnings, Walk({}, Limits(depth=0)), {}, everything)
        scoring = scoring_of(query.profile)
        direct = relevance
        if isinstance(scoring, Hops):
            direct = {
                node: scoring.seed_score(matches.similarity(briefs[node].id) or score)
                for node, score in relevance.items()
            }
        most = max(_SEEDS, query.limit)
        best_direct = dict(nlargest(most, direct.items(), key=itemgetter(1)))
        near_scores = {node: one.score for node, one in near.learnings.items()}
        files = seed_files(question, best_direct, briefs, near.places, text=self._text, view=view)
        best_near = dict(nlargest(most, near_scores.items(), key=itemgetter(1)))
        several = (best_direct, best_near, {node: score for node, (score, _) in files.items()})
        nodes = {node for scores in several for node in scores}
        seeds = {node: max(scores.get(node, 0.0) for scores in several) for node in nodes}
        walk = explore(
            seeds,
            view.neighbors_of,
            limits=replace(query.expansion, max_nodes=max(_PASSED, query.expansion.max_nodes)),
            scoring=scoring,
            at_last_hop=partial(view.neighbors_of, only_to_learnings=True),
            degrees_of=view.degrees,
            prior=self._freshness_of_history,
        )
        everything = self._learnings.briefs_by_nodes({*direct, *near.learnings, *walk.scores})
        scale = 1.0
        if isinstance(scoring, Spread):  # the best learning has 1, not the best of all nodes
            scale = 1 / (max((walk.scores.get(brief.node, 0.0) for brief in everything), default=0.0) or 1.0)
        return Found(matches, direct, near.learnings, walk, files, everything, scale)

    def _freshness_of_history(self, nodes: Collection[NodeId]) -> dict[NodeId, float]:
        """Return how recent the learnings among some nodes are that commits tell; what people wrote does not age."""
        now = self._kernel.clock.now()
        return {
            node: recency(datetime.fromisoformat(time), now=now, half_life=HISTORY_HALF_LIFE)
            for node, time in self._learnings.told_by_commits(nodes).items()
        }

    def _results(self, query: Query, top: Best, found: Found, view: GraphView) -> list[SearchResult]:
        """Return the best candidates with all one wants to know of them: only these are worth the reading."""
        weighed = {one.candidate.brief.id: one for one in top.shown}
        contenders = [
            Contender(number, one.candidate.relevance, one.candidate.brief.category) for number, one in weighed.items()
        ]
        chosen = self.diversified(contenders, limit=query.limit, diversity=query.diversity)
        stored = {one.id: one for one in self._learnings.by_numbers([one.candidate.id for one in chosen])}
        reached = [found.reached(weighed[one.candidate.id].candidate) for one in chosen]
        now, matches, results = self._kernel.clock.now(), found.matches, []
        ways = zip(chosen, reached, described(reached, view), strict=True)
        for position, (choice, end, way) in enumerate(ways, start=1):
            number = choice.candidate.id
            one, shown = weighed[number], stored[number]
            result = SearchResult(
                stored=shown,
                relevance=one.candidate.relevance,
                bm25=matches.bm25_share(number),
                vector=matches.similarity(number),
                recency=recency(datetime.fromisoformat(shown.learning.created_at), now=now),
                rrf=matches.fused.get(number, 0.0),
                feedback=feedback(helpful=shown.usage.helpful, used=shown.usage.count),
                standing=one.standing,
                anchors=one.judgements,
                steps=way.steps,
                seed_reason=found.reason(end),
                retrieved=matches.retrieved.get(number, 0.0),
                position=position,
                relevance_position=choice.rank,
                similar_to=None if choice.like is None else stored[choice.like].ref,
                similarity=choice.similarity,
            )
            results.append(result)
        return results

    def diversified(self, candidates: Sequence[Contender], *, limit: int, diversity: float) -> list[Choice]:
        """Return at most `limit` candidates, by learning number, most relevant first but for repetitions.

        `diversity` in [0, 1] says how much novelty counts beside relevance, the 1 − λ of MMR; 0 is the order of
        relevance alone. Candidates beyond the largest pool follow by relevance.
        """
        if not diversity:
            return [Choice(one, rank) for rank, one in enumerate(candidates[:limit], start=1)]
        pool, rest = candidates[:_LARGEST_POOL], candidates[_LARGEST_POOL:limit]
        likeness = self._likeness([one.id for one in pool]) if len(pool) > 1 else lambda _one, _other: 0.0
        chosen = diversify(pool, limit=limit, similarity=likeness, lam=1 - diversity)
        return chosen + [Choice(one, rank) for rank, one in enumerate(rest, start=len(pool) + 1)]

    def _likeness(self, numbers: Collection[int]) -> Callable[[int, int], float]:
        """Return what compares learnings by their vectors, and by their words where one of two has none."""
        cosines = SimilarityStore(self._kernel.database).cosines(numbers, model=self._kernel.one(Embedding).name)
        is_complete = len(cosines) == len(numbers) * (len(numbers) - 1) // 2
        contents = {} if is_complete else self._learnings.contents(numbers)

        @cache
        def words(number: int) -> frozenset[str]:
            return content_words(contents.get(number, ""))

        def likeness(one: int, other: int) -> float:
            cosine = cosines.get((one, other) if one < other else (other, one))
            return overlap(words(one), words(other)) if cosine is None else cosine

        return likeness


_POOL = 3
"""How many times the results that are shown are looked at: what is further down is not relevant enough to move up."""
_LARGEST_POOL = 300
"""Comparing each two of 300 takes 40 ms; whoever asks for hundreds of results reads them all."""


def _check(query: Query) -> None:
    checked_limit(query.limit)
    unit_interval(query.min_score, what="least score")
    unit_interval(query.diversity, what="diversity")
    if query.category is not None:
        clean_label(query.category, what="category")
    if not query.text.strip() and not query.context_files:
        raise UsageError("The query is empty.", hint="Say what to look for, in quotes, or name open files.")


class Nearby(NamedTuple):
    """Learnings near open files, each with its best way there, and the open places as the walk numbers them."""

    learnings: Mapping[NodeId, Reached]
    places: Mapping[NodeId, float]


def nearby(open_places: Sequence[OpenPlace], view: GraphView, query: Query) -> Nearby:
    """Return the learnings near open files, by the best of their scores.

    A hop between files multiplies by the edge's weight and the decay; from a file to a learning anchored there it is
    the anchor's weight alone that counts, as for the files of direct matches (PRD-016: 0.8 × 0.7 × 1.0 = 0.56).
    """
    # Without an expansion it is the direct relatives of open files; other profiles than `decay` go on from the files.
    limits = query.expansion or Limits(depth=1)
    if query.expansion and query.profile is not Profile.DECAY:
        limits = replace(limits, depth=0)
    places: dict[NodeId, float] = {}
    for place in open_places:
        node = view.unregistered(place.ref) if place.node is None else place.node
        if node is not None:
            places[node] = max(place.score, places.get(node, 0.0))
    walk = explore(places, view.between_files, limits=replace(limits, max_nodes=max(_PASSED, limits.max_nodes)))
    found: dict[NodeId, tuple[tuple[float, int, NodeId], Edge]] = {}
    for strand in view.learnings_at(walk.scores):
        for source, target, weight in strand.rows:
            rank = (walk.scores[source] * weight, -walk.hops(source), -source)
            if target not in found or rank > found[target][0]:
                found[target] = (rank, strand.edge(source, target, weight))
    learnings = {
        node: Reached(node=node, score=score, path=(*walk.reached_at(edge.source).path, edge))
        for node, ((score, *_), edge) in found.items()
    }
    return Nearby(learnings=learnings, places=places)


SeedFiles = Mapping[NodeId, tuple[float, str]]
"""Files with their score in (0, 1] and, in words, why the question is about them."""

_OPEN = "an open file"
_SEED_FILES = 5
"""Files a question may mean by the words of their paths."""
_MOST_ANCHORED = 50
"""Files of matching learnings that the walk starts from: a glob may match thousands."""
_WORDED_FILE = 0.5
"""Most that a file scores whose path merely shares words with the question, where one that it names has 1."""


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
    found = [node for node, _ in text.files(question.rest, limit=_SEED_FILES)]
    anchored = [(matches[edge.source] * edge.weight, edge) for edge in view.seed_files(list(matches))]
    offers = [
        *((node, score, _OPEN) for node, score in open_places.items()),
        *((node, 1.0, "named by the query") for node in question.files),
        *(
            (node, score * _WORDED_FILE, "its path has words of the query")
            for node, score in reciprocal_rank_fusion({"paths": found}).items()
        ),
        *(
            (edge.target, score, f"where {briefs[edge.source].ref} is anchored")
            for score, edge in nlargest(_MOST_ANCHORED, anchored)
        ),
    ]
    seeds: dict[NodeId, tuple[float, str]] = {}
    for node, score, reason in offers:
        if node not in seeds or seeds[node][0] < score:
            seeds[node] = (score, reason)
    return seeds


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
        walked = self._walked(node)
        if self.is_beyond(node):
            return candidate(brief, boosted(walked, feedback_score=score), hops=self.walk.hops(node))
        direct, near = self.direct.get(node, 0.0), self._nearness(node)
        relevance = max(direct, near, walked)
        hops = 0
        if direct < relevance:
            hops = self.near[node].hops if near >= relevance else self.walk.hops(node)
        return candidate(brief, boosted(relevance, feedback_score=score), hops=hops, support=min(direct, near))

    def _nearness(self, node: NodeId) -> float:
        return self.near[node].score if node in self.near else 0.0

    def _walked(self, node: NodeId) -> float:
        return self.walk.scores.get(node, 0.0) * self.scale

    def limited(self, ranked: Sequence[Candidate], most: int) -> list[Candidate]:
        """Return the direct matches and what is near open files, and the best of those that only the walk found."""
        beyond = [one for one in ranked if self.is_beyond(one.brief.node)]
        cut = {one.brief.id for one in beyond[most:]}
        return [one for one in ranked if one.brief.id not in cut]

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
        return self.files[reached.seed][1] if reached.seed in self.files else _OPEN if reached.node in self.near else ""

    def is_beyond(self, node: NodeId) -> bool:
        """Whether only the walk found it."""
        return node not in self.direct and node not in self.near


_LEAST_AT_ONCE = 10
"""Candidates judged together: each time costs two queries."""


class Weighed(NamedTuple):
    """A candidate with its place now that its anchors were looked at, and what is said of its code."""

    candidate: Candidate
    judgements: tuple[Judgement, ...]
    standing: Standing


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
    while looked_at < len(ranked):
        if len(kept) >= count and kept[count - 1].candidate.place < ranked[looked_at].place:
            break
        batch = ranked[looked_at : looked_at + max(_LEAST_AT_ONCE, count)]
        looked_at += len(batch)
        judged = moment.judgements([one.brief.node for one in batch])
        for one in batch:
            weighed = _weighed(one, judged[one.brief.node], query)
            if query.fresh_only and weighed.standing.is_stale:
                stale += 1
            elif weighed.candidate.relevance < query.min_score:
                weak += 1
            else:
                kept.append(weighed)
        kept.sort(key=lambda one: one.candidate.place)
    return Best(kept[:count], stale, weak)


def _weighed(one: Candidate, judgements: tuple[Judgement, ...], query: Query) -> Weighed:
    told = standing(judgements)
    if told.is_stale and not query.include_stale:
        one = candidate(one.brief, discounted(one.relevance, is_stale=True), hops=one.hops, support=one.support)
    return Weighed(one, judgements, told)
