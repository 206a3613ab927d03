"""Search: words and vectors fused into seeds, then whatever the graph ties to them."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

from tx_graph.codebase.globs import PathMatcher
from tx_graph.domain.anchor import Verdict
from tx_graph.domain.edges import Direction, EdgeType, NodeId
from tx_graph.domain.learning import Status, StoredLearning, checked_limit, clean_label, unit_interval
from tx_graph.errors import UsageError
from tx_graph.ports import Clock
from tx_graph.retrieval.expansion import Limits, Reached, Walk, explore
from tx_graph.retrieval.fusion import reciprocal_rank_fusion
from tx_graph.retrieval.scoring import boosted, feedback, recency
from tx_graph.services.anchoring import Anchoring
from tx_graph.services.embedding import Embedding
from tx_graph.services.graph_view import GraphView
from tx_graph.services.paths import Neighbor, Step, ViewOf, described
from tx_graph.storage.learnings import Brief, LearningStore
from tx_graph.storage.selection import Selection, SelectionStore
from tx_graph.storage.text_search import TextSearch
from tx_graph.storage.vector_search import VectorStore

_CANDIDATES = 50
"""Learnings each ranking contributes to the fusion; more where more results are asked for."""
_SEEDS = 10
"""Direct matches that the walk starts from; more where more results are asked for (Oasis: seedTopK)."""
_SEED_FILES = 5
"""Files a question may mean by the words of their paths."""
_SAME_NAME = 3
"""Files of one name that a question may mean."""
_PASSED = 500
"""Files a walk may pass through. They are not what is searched for, so they do not count towards `max_nodes`."""
_MOST_ANCHORED = 50
"""Files of matching learnings that the walk starts from: a glob may match thousands."""
_NAMED_FILE, _WORDED_FILE = 1.0, 0.5
"""Score of a file that the question names, and most of one whose path merely shares words with it."""
_FILE_NAME = re.compile(r"(?<![\w@.\-/])(?:[\w@.\-/]*\w\.\w{1,8}\b|[\w@.\-]+/[\w@.\-/]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to find. `expansion` None looks at direct matches alone; filters apply before ranking."""

    text: str
    limit: int = 10
    min_score: float = 0.0
    category: str | None = None
    status: Status | None = None
    file: str | None = None
    expansion: Limits | None = None
    types: Sequence[EdgeType] = tuple(EdgeType)
    direction: Direction = Direction.BOTH


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A learning and why it is there. All scores lie in [0, 1].

    `rrf_score` is the fused one, 0 for what only the graph found; `steps` lead from the seed, itself a learning or
    a file, to this learning. `seed_reason` says why the walk
    started at that file.
    """

    stored: StoredLearning
    relevance: float
    bm25: float
    vector: float
    recency: float
    rrf: float
    feedback: float
    verdict: Verdict
    steps: tuple[Step, ...] = ()
    seed_reason: str = ""

    @property
    def hops(self) -> int:
        """Edges between the seed and this learning; 0 for a direct match."""
        return len(self.steps)

    @property
    def path(self) -> tuple[str, ...]:
        """References from the seed to this learning, both included."""
        return (*(step.source for step in self.steps), self.stored.ref)

    @property
    def source_edge(self) -> str | None:
        """The type of the edge that led here, None for a direct match."""
        return self.steps[-1].type if self.steps else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchStats:
    """What the search rested on: matches of each ranking, seeds, nodes reached, and learnings without a vector."""

    lexical: int
    vector: int
    seeds: int
    seed_files: int
    expanded: int
    matched: int
    lacking_vectors: int
    model: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """The results, best first, and what they rest on."""

    query: Query
    results: tuple[SearchResult, ...]
    stats: SearchStats


@dataclass(frozen=True, slots=True, kw_only=True)
class _Matches:
    """Direct matches by local number: raw scores of each ranking, and the fused one."""

    bm25: Mapping[int, float] = field(default_factory=dict)
    vector: Mapping[int, float] = field(default_factory=dict)
    fused: Mapping[int, float] = field(default_factory=dict)
    model: str | None = None


class _Candidate(NamedTuple):
    """A learning in the ranking; sorts best first, and `place` is never the same for two."""

    place: tuple[float, int, int]
    relevance: float
    brief: Brief
    hops: int


class Search:
    """Answers questions."""

    def __init__(
        self,
        *,
        learnings: LearningStore,
        text: TextSearch,
        vectors: VectorStore,
        selection: SelectionStore,
        embedding: Embedding,
        anchoring: Anchoring,
        view_of: ViewOf,
        clock: Clock,
        min_similarity: float,
    ) -> None:
        self._learnings = learnings
        self._text = text
        self._vectors = vectors
        self._selection = selection
        self._embedding = embedding
        self._anchoring = anchoring
        self._view_of = view_of
        self._clock = clock
        self._min_similarity = min_similarity

    def run(self, query: Query) -> SearchAnswer:
        """Return the learnings that answer the query, best first.

        Raises:
            UsageError: The query is empty, or a number is out of range.
            ModelError: The model is installed but cannot be loaded.
        """
        checked_limit(query.limit)
        if query.category is not None:
            clean_label(query.category, what="category")
        unit_interval(query.min_score, what="least score")
        if not query.text.strip():
            raise UsageError("The query is empty.", hint="Say what to look for, in quotes.")
        view = self._view_of(query.types, query.direction)
        allowed = self._allowed(query)
        matches = self._matches(query, allowed)
        direct = {brief.node: brief for brief in self._learnings.briefs_by_numbers(matches.fused)}
        scores = {node: matches.fused[brief.id] for node, brief in direct.items()}
        walk, seed_files = self._walked(query, scores, direct, view)
        return self._answer(query, matches, scores, walk, view=view, allowed=allowed, seed_files=seed_files)

    def _allowed(self, query: Query) -> set[int] | None:
        """Return the learnings that the filters let through, None when there are no filters."""
        if query.category is None and query.status is None and query.file is None:
            return None
        found = self._selection.numbers(Selection(category=query.category, status=query.status))
        if query.file is None:
            return found
        return found & self._anchored_to(query.file)

    def _anchored_to(self, pattern: str) -> set[int]:
        """Return the learnings anchored to a file that the glob matches, even a deleted one, or by a glob to one."""
        anchored = self._selection.anchored_paths()
        named = set(PathMatcher({path for _, path, is_glob in anchored if not is_glob}).matching(pattern))
        present = set(self._anchoring.files_matching(pattern))
        return {
            number
            for number, path, is_glob in anchored
            if (path in named if not is_glob else not present.isdisjoint(self._anchoring.files_matching(path)))
        }

    def _matches(self, query: Query, allowed: Collection[int] | None) -> _Matches:
        count = max(_CANDIDATES, query.limit)
        bm25 = dict(self._text.learnings(query.text, allowed=allowed, limit=count))
        embedded = self._embedding.query_vector(query.text)
        vector: dict[int, float] = {}
        if embedded is not None:
            nearest = self._vectors.nearest(
                embedded[0],
                model=self._embedding.name,
                dimension=embedded[1].dimension,
                allowed=allowed,
                limit=count,
            )
            vector = {number: similarity for number, similarity in nearest if similarity >= self._min_similarity}
        fused = reciprocal_rank_fusion({"bm25": list(bm25), "vector": list(vector)})
        return _Matches(bm25=bm25, vector=vector, fused=fused, model=self._embedding.name if embedded else None)

    def _walked(
        self, query: Query, scores: Mapping[NodeId, float], direct: Mapping[NodeId, Brief], view: GraphView
    ) -> tuple[Walk, Mapping[NodeId, tuple[float, str]]]:
        """Return the walk from the best direct matches and the files in question, and why it started at those."""
        if query.expansion is None:
            return Walk(scores, Limits(depth=0)), {}
        best = dict(nlargest(max(_SEEDS, query.limit), scores.items(), key=itemgetter(1)))
        files = self._seed_files(query.text, best, direct, view)
        walk = explore(
            best | {node: score for node, (score, _) in files.items()},
            view.neighbors_of,
            limits=replace(query.expansion, max_nodes=max(_PASSED, query.expansion.max_nodes)),
            at_last_hop=view.learnings_near,
        )
        return walk, files

    def _seed_files(
        self,
        text: str,
        scores: Mapping[NodeId, float],
        direct: Mapping[NodeId, Brief],
        view: GraphView,
    ) -> dict[NodeId, tuple[float, str]]:
        """Return the files that the question is about: score and reason of each.

        Those that it names, those whose paths share its words, and those that the direct matches are anchored
        to; a learning stands on its files, so the walk starts from them without paying a hop.
        """
        seeds: dict[NodeId, tuple[float, str]] = {}
        for node in self._named_files(text):
            _offer(seeds, node, _NAMED_FILE, "named by the query")
        found = [node for node, _ in self._text.files(text, limit=_SEED_FILES)]
        for node, score in reciprocal_rank_fusion({"paths": found}).items():
            _offer(seeds, node, score * _WORDED_FILE, "its path has words of the query")
        anchored = [(scores[edge.source] * edge.weight, edge) for edge in view.seed_files(list(scores))]
        for score, edge in nlargest(_MOST_ANCHORED, anchored):
            _offer(seeds, edge.target, score, f"where {direct[edge.source].ref} is anchored")
        return seeds

    def _named_files(self, text: str) -> list[NodeId]:
        names = dict.fromkeys(match[0].removeprefix("./").strip("/") for match in _FILE_NAME.finditer(text[:2000]))
        return [
            node
            for name in list(names)[:_SEED_FILES]
            if name
            for _, node in self._text.files_named(name, limit=_SAME_NAME)
        ]

    def _answer(
        self,
        query: Query,
        matches: _Matches,
        direct: Mapping[NodeId, float],
        walk: Walk,
        *,
        view: GraphView,
        allowed: Collection[int] | None,
        seed_files: Mapping[NodeId, tuple[float, str]],
    ) -> SearchAnswer:
        briefs = self._learnings.briefs_by_nodes([*direct, *(walk.scores.keys() - direct.keys())])
        ranked = sorted(
            _candidate(brief, direct.get(brief.node, 0.0), walk)
            for brief in briefs
            if allowed is None or brief.id in allowed
        )
        if query.expansion is not None:
            ranked = _limited(ranked, direct, query.expansion.max_nodes)
        chosen = [candidate for candidate in ranked if candidate.relevance >= query.min_score]
        return SearchAnswer(
            query=query,
            results=tuple(self._results(chosen[: query.limit], walk, matches, view, seed_files)),
            stats=SearchStats(
                lexical=len(matches.bm25),
                vector=len(matches.vector),
                seeds=len(matches.fused),
                seed_files=len(seed_files),
                expanded=sum(1 for candidate in chosen if candidate.hops),
                matched=len(chosen),
                lacking_vectors=self._embedding.lacking,
                model=matches.model,
            ),
        )

    def _results(
        self,
        top: Sequence[_Candidate],
        walk: Walk,
        matches: _Matches,
        view: GraphView,
        seed_files: Mapping[NodeId, tuple[float, str]],
    ) -> list[SearchResult]:
        """Return the best candidates with all one wants to know of them: only these are worth the reading."""
        stored = {one.id: one for one in self._learnings.by_numbers([candidate.brief.id for candidate in top])}
        reached = [
            walk.reached_at(one.brief.node) if one.hops else Reached(node=one.brief.node, score=one.relevance)
            for one in top
        ]
        ways: Sequence[Neighbor] = described(reached, view)
        return [
            self._result(one, stored[one.brief.id], way, matches, seed_files.get(end.seed) if end.path else None)
            for one, end, way in zip(top, reached, ways, strict=True)
        ]

    def _result(
        self,
        candidate: _Candidate,
        stored: StoredLearning,
        way: Neighbor,
        matches: _Matches,
        seed_file: tuple[float, str] | None,
    ) -> SearchResult:
        return SearchResult(
            stored=stored,
            relevance=candidate.relevance,
            bm25=_share_of_best(matches.bm25, stored.id),
            vector=max(0.0, min(1.0, matches.vector.get(stored.id, 0.0))),
            recency=recency(datetime.fromisoformat(stored.learning.created_at), now=self._clock.now()),
            rrf=matches.fused.get(stored.id, 0.0),
            feedback=feedback(helpful=stored.usage.helpful, used=stored.usage.count),
            verdict=self._anchoring.verdict(stored.learning.anchors),
            steps=way.steps,
            seed_reason=seed_file[1] if seed_file else "",
        )


def _offer(seeds: dict[NodeId, tuple[float, str]], node: NodeId, score: float, reason: str) -> None:
    if node not in seeds or seeds[node][0] < score:
        seeds[node] = (score, reason)


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


def _share_of_best(scores: Mapping[int, float], number: int) -> float:
    """Return a BM25 score as a share of the best one: BM25 itself has no upper bound."""
    best = max(scores.values(), default=0.0)
    return scores.get(number, 0.0) / best if best > 0 else 0.0
