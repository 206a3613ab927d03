"""The best way between two nodes: the path along which the product of weights and decay is highest. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import prod

from tx_graph.graph.edges import NodeId
from tx_graph.graph.expand import Ask, Limits, NeighborsOf, Reached, Walk


def connect(start: NodeId, end: NodeId, neighbors_of: NeighborsOf, *, limits: Limits) -> Reached | None:
    """Return `end` as the best path of at most `depth` hops reaches it, None when there is none.

    The score is that of a walk: each hop multiplies it by the edge's weight and the decay. Ties go to fewer hops.
    Two walks meet, one from each end, so `neighbors_of` must follow edges both ways; it is asked once per hop.
    After i hops from one end and j from the other every path of at most i + j hops has been weighed, and a longer
    one scores no more than decay^(i + j + 1): the search is over as soon as that is no better than what was found.
    """
    if start == end:
        return Reached(node=end, score=1.0)
    sides = (_Side(start, limits), _Side(end, limits))
    best: _Meeting | None = None
    for hop in range(1, limits.depth + 1):
        if not all(side.frontier for side in sides) or (best and best.score >= limits.decay**hop):
            break
        near, far = sorted(sides, key=lambda side: len(side.frontier))
        best = max(filter(None, [best, near.step(neighbors_of, towards=far)]), key=_Meeting.rank, default=None)
        for side, other in ((near, far), (far, near)):
            side.narrow(best.score if best else 0.0, other)
    return _joined(best.node, *sides, limits) if best else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meeting:
    """A node that both walks reached, and what the path through it scores."""

    node: NodeId
    score: float
    hops: int

    def rank(self) -> tuple[float, int, NodeId]:
        """The key by which the best is the greatest."""
        return self.score, -self.hops, -self.node


class _Side:
    """The walk from one of the two ends."""

    def __init__(self, start: NodeId, limits: Limits) -> None:
        self.walk = Walk({start: 1.0}, limits)
        self.frontier: Collection[NodeId] = [start]
        self._decay = limits.decay
        self._hops = 0

    def step(self, neighbors_of: NeighborsOf, *, towards: _Side) -> _Meeting | None:
        """Walk one hop; return the best meeting with the other walk among the nodes that this improved."""
        self._hops += 1
        # Uncapped: the one edge of a hub that connects the two may be among its lightest.
        strands = neighbors_of(Ask(self.frontier, self._hops, is_capped=False))
        self.frontier = self.walk.step(self._hops, self.frontier, strands)
        own, other = self.walk, towards.walk
        met = [node for node in self.frontier if node in other.scores]
        meetings = (
            _Meeting(node=node, score=own.scores[node] * other.scores[node], hops=own.hops(node) + other.hops(node))
            for node in met
        )
        return max(meetings, key=_Meeting.rank, default=None)

    def narrow(self, best: float, other: _Side) -> None:
        """Forget nodes that lead to nothing better: whatever the other walk has not met is farther than it went."""
        factor = self._decay ** (other._hops + 1)
        self.frontier = [node for node in self.frontier if self.walk.scores[node] * factor > best]


def _joined(node: NodeId, first: _Side, second: _Side, limits: Limits) -> Reached:
    """Return the path through the node where the walks met, from the first start to the second."""
    ahead, behind = first.walk.reached_at(node).path, second.walk.reached_at(node).path
    path = (
        *ahead,
        *(edge._replace(source=edge.target, target=edge.source, forward=not edge.forward) for edge in reversed(behind)),
    )
    return Reached(node=path[-1].target, score=prod(edge.weight * limits.decay for edge in path), path=path)
