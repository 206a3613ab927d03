"""Graphs in memory, for walks that need no database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tx_graph.graph.edges import Edge, EdgeType, Strand
from tx_graph.graph.expand import Ask, Limits, NeighborsOf, Reached, explore


class Web:
    """Edges that are followed forwards; counts the questions it is asked."""

    def __init__(self, *edges: tuple[int, int, float]) -> None:
        self.edges = [Edge(source, target, EdgeType.LINKS_TO, weight) for source, target, weight in edges]
        self.questions: list[set[int]] = []

    def neighbors_of(self, ask: Ask) -> list[Strand]:
        self.questions.append(set(ask.nodes))
        return strands(edge for edge in self.edges if edge.source in ask.nodes and edge.weight >= ask.least)


class TwoWayWeb(Web):
    """Edges that are followed both ways."""

    def neighbors_of(self, ask: Ask) -> list[Strand]:
        back = [edge._replace(source=edge.target, target=edge.source, forward=False) for edge in self.edges]
        self.questions.append(set(ask.nodes))
        return strands(edge for edge in self.edges + back if edge.source in ask.nodes and edge.weight >= ask.least)


def strands(edges: Iterable[Edge]) -> list[Strand]:
    """Return the edges as a walk is told of them: by type and way."""
    rows: dict[tuple[str, bool], list[tuple[int, int, float]]] = {}
    for edge in edges:
        rows.setdefault((edge.type, edge.forward), []).append((edge.source, edge.target, edge.weight))
    return [Strand(kind, forward, found) for (kind, forward), found in sorted(rows.items())]


def expand(
    seeds: Mapping[int, float],
    neighbors_of: NeighborsOf,
    *,
    limits: Limits,
    **how: Any,  # noqa: ANN401 - each has its type
) -> list[Reached]:
    """Return all that is reached, best first."""
    return explore(seeds, neighbors_of, limits=limits, **how).reached()


def scores(found: Iterable[Reached]) -> dict[int, float]:
    """Return each node's score, freed of what floats add in the last places."""
    return {one.node: round(one.score, 12) for one in found}
