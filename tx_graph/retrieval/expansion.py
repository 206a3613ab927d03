"""Graph expansion: from a few seeds to what is connected with them, best path first."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from tx_graph.domain.edges import Edge, EdgeType, NodeId
from tx_graph.errors import UsageError

NeighborsOf = Callable[[Collection[NodeId]], Iterable[Edge]]
"""Gives every edge that leads away from a frontier, in one question."""

MAX_DEPTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far an expansion goes: hops (0–10), factor per hop in (0, 1], and most nodes reached beyond the seeds."""

    depth: int = 2
    decay: float = 0.7
    max_nodes: int = 100

    def __post_init__(self) -> None:
        """Raise UsageError for numbers out of range."""
        if not 0 <= self.depth <= MAX_DEPTH:
            raise UsageError(f"The depth must be from 0 to {MAX_DEPTH}, not {self.depth}.")
        if not 0 < self.decay <= 1:
            raise UsageError(f"The decay must be above 0 and at most 1, not {self.decay:g}.")
        if self.max_nodes < 1:
            raise UsageError(f"The most nodes to reach must be at least 1, not {self.max_nodes}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A node with its best score in [0, 1] and the edges, seed first, that earned it; a seed has none."""

    node: NodeId
    score: float
    path: tuple[Edge, ...] = ()

    @property
    def hops(self) -> int:
        """Edges between the seed and this node."""
        return len(self.path)

    @property
    def seed(self) -> NodeId:
        """Where the path starts."""
        return self.path[0].source if self.path else self.node


def expand(seeds: Mapping[NodeId, float], neighbors_of: NeighborsOf, *, limits: Limits) -> list[Reached]:
    """Return every node reached within the limits, seeds included, best first, each with its best path.

    A hop multiplies the score by the edge's weight and the decay. The best-scoring path wins, not the first;
    a seed too may be reached better than it was found, though not through a node that `max_nodes` leaves out.
    Ties go to fewer hops, then to the smaller node. One question per hop is asked of `neighbors_of`.
    """
    return explore(seeds, neighbors_of, limits=limits).reached()


def explore(
    seeds: Mapping[NodeId, float],
    neighbors_of: NeighborsOf,
    *,
    limits: Limits,
    at_last_hop: NeighborsOf | None = None,
) -> Walk:
    """Return the walk that `expand` makes, for whoever wants a few of its nodes and need not build all paths.

    `at_last_hop` may answer the last question with only those edges whose targets are of interest, since
    nothing is walked on from there.
    """
    walk = Walk(seeds, limits)
    frontier: Collection[NodeId] = set(seeds)
    for hop in range(1, limits.depth + 1):
        if not frontier:
            break
        is_last = hop == limits.depth
        improved = walk.step(hop, (at_last_hop if is_last and at_last_hop else neighbors_of)(frontier))
        frontier = () if is_last else walk.worth_walking(improved)
    return walk


class Walk:
    """The best score of every node met so far, and for each hop the edge that earned it.

    A node that a step improves is in the next frontier, so the source of an edge walked at hop h got its score
    at hop h - 1: following the trail backwards gives the path.
    """

    def __init__(self, seeds: Mapping[NodeId, float], limits: Limits) -> None:
        self._seeds = seeds
        self._limits = limits
        self._scores = dict(seeds)
        self._hops = dict.fromkeys(seeds, 0)
        self._trail: dict[tuple[NodeId, int], Edge] = {}

    @property
    def scores(self) -> Mapping[NodeId, float]:
        """The best score in [0, 1] of every node met."""
        return self._scores

    def hops(self, node: NodeId) -> int:
        """Return how many edges lead to a node that was met."""
        return self._hops[node]

    def step(self, hop: int, edges: Iterable[Edge]) -> Collection[NodeId]:
        """Walk the edges of one hop; return the nodes that this improved."""
        offers = self._offers(edges)
        for node, (score, edge) in offers.items():
            self._scores[node] = score
            self._hops[node] = hop
            self._trail[node, hop] = edge
        return offers

    def _offers(self, edges: Iterable[Edge]) -> dict[NodeId, tuple[float, Edge]]:
        """Return the nodes that one more edge reaches better than before."""
        scores, decay = self._scores, self._limits.decay
        offers: dict[NodeId, tuple[float, Edge]] = {}
        for edge in edges:
            target = edge[1]
            score = scores[edge[0]] * edge[3] * decay
            if score <= scores.get(target, 0.0):
                continue
            offer = offers.get(target)
            if offer is None or score > offer[0] or (score == offer[0] and edge < offer[1]):
                offers[target] = (score, edge)
        return offers

    def worth_walking(self, improved: Iterable[NodeId]) -> list[NodeId]:
        """Return the improved nodes that can still lead to one of the best, or to a better path to a seed.

        Scores only fall along a path, so what is not among the best now leads to none of them later.
        """
        kept = self._best_beyond_seeds()
        full = len(kept) >= self._limits.max_nodes
        floor = min(-kept[-1][0], *self._seeds.values()) if full and kept else 0.0
        nodes = {node for _, _, node in kept} | self._seeds.keys()
        return [node for node in improved if node in nodes and self._scores[node] * self._limits.decay > floor]

    def _best_beyond_seeds(self) -> list[tuple[float, int, NodeId]]:
        """Return the sort keys of the best nodes that are no seeds, best first, no more than the limit."""
        hops, seeds = self._hops, self._seeds
        keys = [(-score, hops[node], node) for node, score in self._scores.items() if node not in seeds]
        return heapq.nsmallest(self._limits.max_nodes, keys)

    def reached(self) -> list[Reached]:
        """Return the seeds and the best of the others, best first."""
        seeds = [(-self._scores[node], self._hops[node], node) for node in self._seeds]
        ranked = sorted([*seeds, *self._best_beyond_seeds()])
        return [self.reached_at(node) for _, _, node in ranked]

    def reached_at(self, node: NodeId) -> Reached:
        """Return a node that was met, with the path that earned its score."""
        edges: list[Edge] = []
        start = node
        for hop in range(self._hops[node], 0, -1):
            edges.append(self._trail[start, hop])
            start = edges[-1].source
        return Reached(node=node, score=self._scores[node], path=tuple(reversed(edges)))


def chosen_types(include: Iterable[str], exclude: Iterable[str]) -> tuple[EdgeType, ...]:
    """Return the edge types to follow: the included ones, or all but the excluded.

    Raises:
        UsageError: A type is unknown, or both included and excluded.
    """
    included, excluded = _types(include), _types(exclude)
    if both := [kind for kind in included if kind in excluded]:
        raise UsageError(f"{', '.join(both)} cannot be both included and excluded.")
    return tuple(kind for kind in included or tuple(EdgeType) if kind not in excluded)


def _types(names: Iterable[str]) -> tuple[EdgeType, ...]:
    known = {kind.value: kind for kind in EdgeType}
    found = []
    for name in names:
        key = name.strip().upper().replace("-", "_")
        if key not in known:
            raise UsageError(f"'{name}' is no edge type.", hint=f"Choose from {', '.join(known)}.")
        found.append(known[key])
    return tuple(dict.fromkeys(found))
