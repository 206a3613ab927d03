"""A frontier of sections is answered by as many questions as there are ways to follow edges."""

from __future__ import annotations

import pytest

from tests.shelf import Shelf
from tx_graph.core.database import Database
from tx_graph.documents.edge_store import SectionWalk
from tx_graph.graph.edges import Direction, NodeId, Relation


@pytest.fixture
def nodes(database: Database) -> dict[str, NodeId]:
    """Three sections: `a` depends on `b`, and is like `c`; `c` refers to `a`."""
    shelf = Shelf(database)
    nodes = shelf.document("a.md", {"a": "1", "b": "2", "c": "3"})
    shelf.tie(
        (nodes["a"], nodes["b"], Relation.DEPENDS_ON, 0.8),
        (nodes["a"], nodes["c"], Relation.SIMILAR_TO, 0.6),
        (nodes["c"], nodes["a"], Relation.REFERENCES, 0.9),
    )
    return nodes


def leaving(database: Database, *frontier: NodeId, **options: object) -> set[tuple[NodeId, NodeId, float, bool]]:
    asked = {"relations": tuple(Relation), "direction": Direction.BOTH, **options}
    strands = SectionWalk(database).leaving(frontier, **asked)  # type: ignore[arg-type]
    return {(*row, strand.forward) for strand in strands for row in strand.rows}


def test_edges_are_followed_both_ways(database: Database, nodes: dict[str, NodeId]) -> None:
    a, b, c = nodes["a"], nodes["b"], nodes["c"]
    assert leaving(database, a) == {(a, b, 0.8, True), (a, c, 0.6, True), (a, c, 0.9, False)}


def test_one_way_alone_follows_what_is_alike_too(database: Database, nodes: dict[str, NodeId]) -> None:
    a, b, c = nodes["a"], nodes["b"], nodes["c"]
    assert leaving(database, c, direction=Direction.OUT) == {(c, a, 0.9, True), (c, a, 0.6, False)}
    assert leaving(database, a, direction=Direction.IN) == {(a, c, 0.9, False), (a, c, 0.6, True)}
    assert leaving(database, b, direction=Direction.OUT) == set()


def test_light_edges_and_other_relations_are_left_out(database: Database, nodes: dict[str, NodeId]) -> None:
    a, b, c = nodes["a"], nodes["b"], nodes["c"]
    assert leaving(database, a, least=0.85) == {(a, c, 0.9, False)}
    assert leaving(database, a, relations=(Relation.DEPENDS_ON,)) == {(a, b, 0.8, True)}


def test_ties_are_told_whichever_way_they_lead(database: Database, nodes: dict[str, NodeId]) -> None:
    found = SectionWalk(database).ties([nodes["a"]], [nodes["b"], nodes["c"]])
    assert [(tie.relation, tie.weight) for tie in found] == [
        ("references", 0.9),
        ("depends_on", 0.8),
        ("similar_to", 0.6),
    ]
