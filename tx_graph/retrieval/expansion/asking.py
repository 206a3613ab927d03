"""How an expansion asks for edges: one question about a whole frontier, answered in bare rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from tx_graph.domain.edges import NodeId, Strand


class Ask(NamedTuple):
    """One question: the edges that lead away from these nodes.

    `hop` counts from 1 and is that of the edges asked for. Edges lighter than `least` change nothing and may be left
    out. `is_capped` allows to leave out all but the heaviest edges of a node that has very many.
    """

    nodes: Collection[NodeId]
    hop: int = 1
    least: float = 0.0
    is_capped: bool = True


NeighborsOf = Callable[[Ask], Iterable[Strand]]
"""Answers with every edge that leads away from the nodes asked about, each node as the source of its rows."""

FactorsOf = Callable[[Collection[NodeId]], Mapping[NodeId, float]]
"""Answers with a number for each of these nodes; one that it leaves out has 1."""


def nothing_known(nodes: Collection[NodeId]) -> Mapping[NodeId, float]:
    """Return no factor: every node counts 1."""
    del nodes
    return {}
