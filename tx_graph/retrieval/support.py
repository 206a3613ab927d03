"""Support: how much what resembles a question speaks for what it is related to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from tx_graph.domain.edges import NodeId

Row = tuple[NodeId, NodeId, float]
"""An edge that was followed: from where, to where, and its weight in [0, 1]."""


class Backing(NamedTuple):
    """How much one seed speaks for a node, in [0, 1], and which seed."""

    share: float
    seed: NodeId


def supports(
    likeness: Mapping[NodeId, float],
    hops: Sequence[Iterable[Row]],
    factor: Callable[[int], float],
    stands_for: Mapping[NodeId, NodeId],
) -> dict[NodeId, float]:
    """Return how much the other seeds speak for each node that edges lead to, in [0, 1]; the best of them counts.

    A seed hands on its likeness to the question times the weights of the edges of a path, and times the factor of the
    hop where that ends, counted from 1. `hops` are the edges followed at each hop. What a node gets goes to what it
    stands for, if that is another one; no seed speaks for itself.
    """
    reached: Mapping[NodeId, tuple[Backing, ...]] = {seed: (Backing(one, seed),) for seed, one in likeness.items()}
    found: dict[NodeId, float] = defaultdict(float)
    for hop, rows in enumerate(hops, start=1):
        reached = _handed_on(reached, rows)
        for node, backings in reached.items():
            credited = stands_for.get(node, node)
            share = max((one.share for one in backings if one.seed != credited), default=0.0)
            found[credited] = max(found[credited], share * factor(hop))
    return {node: share for node, share in found.items() if share}


def _handed_on(reached: Mapping[NodeId, tuple[Backing, ...]], rows: Iterable[Row]) -> dict[NodeId, tuple[Backing, ...]]:
    """Return what one more edge brings each node: the best of two seeds, so that one is left that is not itself."""
    offers: dict[NodeId, dict[NodeId, float]] = defaultdict(dict)
    for source, target, weight in rows:
        for share, seed in reached.get(source, ()):
            if seed != target and share * weight > offers[target].get(seed, 0.0):
                offers[target][seed] = share * weight
    return {node: _best_two(offer) for node, offer in offers.items()}


def _best_two(offer: Mapping[NodeId, float]) -> tuple[Backing, ...]:
    return tuple(sorted((Backing(share, seed) for seed, share in offer.items()), reverse=True)[:2])
