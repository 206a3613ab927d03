"""The best way between two nodes: the path along which the product of weights and decay is highest. Pure."""

from __future__ import annotations

from collections.abc import Collection
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
    walks = Walk({start: 1.0}, limits), Walk({end: 1.0}, limits)
    frontiers: list[Collection[NodeId]] = [[start], [end]]
    hops = [0, 0]
    best = (0.0, 0, 0)  # score, hops and node of the best meeting, each so that more is better
    for hop in range(1, limits.depth + 1):
        if not all(frontiers) or best[0] >= limits.decay**hop:
            break
        near = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        own, other = walks[near], walks[1 - near]
        hops[near] += 1
        # Uncapped: the one edge of a hub that connects the two may be among its lightest.
        strands = neighbors_of(Ask(frontiers[near], hops[near], is_capped=False))
        frontiers[near] = own.step(hops[near], frontiers[near], strands)
        for node in frontiers[near]:
            if node in other.scores:
                best = max(best, (own.scores[node] * other.scores[node], -own.hops(node) - other.hops(node), -node))
        for side, walk in enumerate(walks):
            # Whatever the other walk has not met is farther than it went: forget what leads to nothing better.
            factor = limits.decay ** (hops[1 - side] + 1)
            frontiers[side] = [node for node in frontiers[side] if walk.scores[node] * factor > best[0]]
    if not best[0]:
        return None
    ahead, behind = (walk.reached_at(-best[2]).path for walk in walks)
    back = (edge._replace(source=edge.target, target=edge.source, forward=not edge.forward) for edge in behind[::-1])
    path = (*ahead, *back)
    return Reached(node=path[-1].target, score=prod(edge.weight * limits.decay for edge in path), path=path)
