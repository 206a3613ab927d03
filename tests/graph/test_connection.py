"""The best way between two nodes is the one that the product of weights and decay favours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graph.webs import expand, strands
from tx_graph.graph.connection import connect
from tx_graph.graph.edges import Edge, NodeId, Strand
from tx_graph.graph.expand import Ask, Limits, NeighborsOf, Reached

WEIGHTS = st.sampled_from([0.05, 0.3, 0.6, 0.9, 1.0])
NODES = st.integers(min_value=1, max_value=9)
GRAPHS = st.lists(st.builds(Edge, NODES, NODES, st.just("LINKS_TO"), WEIGHTS), max_size=30)


def both_ways(*edges: Edge) -> NeighborsOf:
    def neighbors_of(ask: Ask) -> list[Strand]:
        back = [edge._replace(source=edge.target, target=edge.source, forward=False) for edge in edges]
        return strands(edge for edge in [*edges, *back] if edge.source in ask.nodes)

    return neighbors_of


def nodes(found: Reached | None) -> list[NodeId]:
    assert found is not None
    return [found.seed, *(edge.target for edge in found.path)]


def test_a_node_is_connected_to_itself() -> None:
    assert connect(1, 1, both_ways(), limits=Limits()) == Reached(node=1, score=1.0)


def test_nothing_connects_what_lies_apart() -> None:
    edges = [Edge(1, 2, "IMPORTS"), Edge(3, 4, "IMPORTS")]
    assert connect(1, 4, both_ways(*edges), limits=Limits(depth=10)) is None


def test_strong_edges_are_worth_a_detour() -> None:
    edges = [Edge(1, 4, "LINKS_TO", 0.1), Edge(1, 2, "LINKS_TO"), Edge(2, 3, "LINKS_TO"), Edge(3, 4, "LINKS_TO")]
    found = connect(1, 4, both_ways(*edges), limits=Limits(depth=6))
    assert nodes(found) == [1, 2, 3, 4]
    assert found is not None
    assert found.score == pytest.approx(0.7**3)
    assert nodes(connect(1, 4, both_ways(*edges), limits=Limits(depth=2))) == [1, 4]


def test_edges_are_followed_against_their_direction_and_say_so() -> None:
    edges = [Edge(1, 2, "IMPORTS"), Edge(3, 2, "IMPORTS")]
    found = connect(1, 3, both_ways(*edges), limits=Limits())
    assert found is not None
    assert [(edge.source, edge.target, edge.forward) for edge in found.path] == [(1, 2, True), (2, 3, False)]


@given(GRAPHS, st.integers(min_value=1, max_value=6), st.sampled_from([0.5, 0.7, 1.0]))
def test_two_walks_that_meet_find_what_one_walk_finds(edges: list[Edge], depth: int, decay: float) -> None:
    limits = Limits(depth=depth, decay=decay, max_nodes=1_000)
    by_one = {one.node: one for one in expand({1: 1.0}, both_ways(*edges), limits=limits)}
    for end in range(1, 10):
        found = connect(1, end, both_ways(*edges), limits=limits)
        if end not in by_one:
            assert found is None
            continue
        assert found is not None
        assert found.score == pytest.approx(by_one[end].score)
        assert found.hops <= depth
        ends = nodes(found)
        assert (ends[0], ends[-1], len(set(ends))) == (1, end, len(ends))
