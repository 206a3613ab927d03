"""Learnings near open files: those anchored there, and those anchored to what the files import or change with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tx_graph.domain.edges import Edge, NodeId
from tx_graph.retrieval.expansion import Limits, Reached, explore
from tx_graph.services.graph_view import GraphView
from tx_graph.services.open_files import OpenPlace

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
