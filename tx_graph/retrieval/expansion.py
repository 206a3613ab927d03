"""Graph expansion: from a few seeds to what is connected with them, best path first."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from tx_graph.domain.edges import Direction, Edge, EdgeType, NodeId
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

    @property
    def rank(self) -> tuple[float, int, NodeId]:
        """Sort key: best score first, then fewest hops, then the smallest node."""
        return (-self.score, self.hops, self.node)


def expand(seeds: Mapping[NodeId, float], neighbors_of: NeighborsOf, *, limits: Limits) -> list[Reached]:
    """Return every node reached within the limits, seeds included, best first, each with its best path.

    A hop multiplies the score by the edge's weight and the decay. The best-scoring path wins, not the first;
    a seed too may be reached better than it was found. One question per hop is asked of `neighbors_of`.
    """
    best = {node: Reached(node=node, score=score) for node, score in seeds.items()}
    frontier = set(best)
    for _ in range(limits.depth):
        improved = _step(best, neighbors_of(frontier), limits.decay) if frontier else {}
        best.update(improved)
        # Scores only fall along a path: what is not among the best now cannot lead to one of them later.
        kept = _within(best, seeds, limits.max_nodes)
        frontier = {node for node in improved if node in kept}
    return sorted((best[node] for node in _within(best, seeds, limits.max_nodes)), key=lambda reached: reached.rank)


def _step(best: Mapping[NodeId, Reached], edges: Iterable[Edge], decay: float) -> dict[NodeId, Reached]:
    """Return the nodes that one more edge reaches better than before."""
    offers: dict[NodeId, tuple[float, Edge]] = {}
    for edge in edges:
        score = best[edge.source].score * edge.weight * decay
        known = best.get(edge.target)
        if score <= 0 or (known is not None and score <= known.score):
            continue
        offer = offers.get(edge.target)
        if offer is None or score > offer[0]:
            offers[edge.target] = (score, edge)
    return {
        node: Reached(node=node, score=score, path=(*best[edge.source].path, edge))
        for node, (score, edge) in offers.items()
    }


def _within(best: Mapping[NodeId, Reached], seeds: Collection[NodeId], max_nodes: int) -> set[NodeId]:
    beyond = [reached for node, reached in best.items() if node not in seeds]
    if len(beyond) > max_nodes:
        beyond = heapq.nsmallest(max_nodes, beyond, key=lambda reached: reached.rank)
    return {reached.node for reached in beyond} | set(seeds)


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


def direction_of(name: str) -> Direction:
    """Return the direction called `name`.

    Raises:
        UsageError: It is none of both, out, in.
    """
    try:
        return Direction(name.strip().lower())
    except ValueError:
        raise UsageError(f"'{name}' is no direction.", hint="Choose both, out or in.") from None
