"""Cycles of imports: few and short, and without the imports that close them there is none."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from tx_graph.code.cycles import Pair, knots_of, shortest_cycles

NODES = st.sampled_from("abcdefgh")
GRAPHS = st.lists(st.tuples(NODES, NODES), max_size=30)


def chain(*nodes: str) -> list[Pair]:
    return list(pairwise(nodes))


def distance(start: str, end: str, edges: list[Pair]) -> int | None:
    """Return how many edges lead from one node to another: the plainest search there is."""
    pending, far = deque([start]), {start: 0}
    while pending:
        node = pending.popleft()
        for source, target in edges:
            if source == node and target not in far:
                far[target] = far[node] + 1
                pending.append(target)
    return far.get(end)


def nodes_of(edges: Iterable[Pair]) -> list[tuple[str, ...]]:
    return [cycle.nodes for cycle in shortest_cycles(edges)]


def test_without_a_way_back_there_is_no_cycle() -> None:
    assert nodes_of([*chain("a", "b", "c"), ("a", "c")]) == []
    assert nodes_of([]) == []


def test_a_cycle_starts_at_its_smallest_node() -> None:
    [cycle] = shortest_cycles(chain("c", "a", "b", "c"))
    assert (cycle.nodes, cycle.length) == (("a", "b", "c"), 3)
    assert cycle.edges == (("a", "b"), ("b", "c"), ("c", "a"))
    assert cycle.closed_by in cycle.edges


def test_a_file_is_no_cycle_by_itself() -> None:
    assert nodes_of([("a", "a")]) == []


def test_the_shortest_come_first_and_then_by_name() -> None:
    edges = [*chain("d", "e", "f", "d"), *chain("y", "z", "y"), *chain("b", "c", "b")]
    assert nodes_of(edges) == [("b", "c"), ("y", "z"), ("d", "e", "f")]


def test_one_import_against_the_grain_is_one_cycle_however_many_it_closes() -> None:
    layers = [[f"{layer}{number}" for number in range(5)] for layer in range(4)]
    edges = [pair for above, below in pairwise(layers) for pair in product(above, below)]
    [cycle] = shortest_cycles([*edges, ("32", "01")])
    assert (cycle.closed_by, cycle.nodes) == (("32", "01"), ("01", "10", "20", "32"))


def test_files_that_all_import_each_other_do_not_flood() -> None:
    names = [f"{number:02}" for number in range(20)]
    found = nodes_of(product(names, names))
    assert len(found) == 20 * 19 / 2
    assert {len(nodes) for nodes in found} == {2}


def test_a_long_ring_is_one_cycle() -> None:
    names = [f"{number:05}" for number in range(20_000)]
    assert nodes_of([*chain(*names), (names[-1], names[0])]) == [tuple(names)]


def test_knots_are_apart_and_have_only_their_own_edges() -> None:
    edges = [*chain("a", "b", "a"), ("b", "c"), *chain("c", "d", "c"), ("d", "e")]
    assert knots_of(edges) == [[("a", "b"), ("b", "a")], [("c", "d"), ("d", "c")]]


@given(GRAPHS)
def test_without_the_closing_edges_no_cycle_is_left(edges: list[Pair]) -> None:
    closing = {cycle.closed_by for cycle in shortest_cycles(edges)}
    assert knots_of(set(edges) - closing) == []


@given(GRAPHS)
def test_each_cycle_is_a_shortest_through_its_closing_edge(edges: list[Pair]) -> None:
    for cycle in shortest_cycles(edges):
        source, target = cycle.closed_by
        assert distance(target, source, edges) == cycle.length - 1
        assert set(cycle.edges) <= set(edges)
        assert (cycle.nodes[0], len(set(cycle.nodes))) == (min(cycle.nodes), cycle.length)


@given(GRAPHS)
def test_a_shortest_of_all_and_every_pair_are_among_them(edges: list[Pair]) -> None:
    found = shortest_cycles(edges)
    backs = [distance(target, source, edges) for source, target in edges if source != target]
    lengths = [back + 1 for back in backs if back is not None]
    assert [cycle.length for cycle in found[:1]] == ([min(lengths)] if lengths else [])
    pairs = {(source, target) for source, target in edges if source < target and (target, source) in edges}
    assert {cycle.nodes for cycle in found if cycle.length == 2} == pairs


@given(GRAPHS, st.randoms(use_true_random=False))
def test_the_order_of_the_edges_does_not_matter(edges: list[Pair], chance: random.Random) -> None:
    shuffled = [*edges, *edges[:3]]
    chance.shuffle(shuffled)
    assert shortest_cycles(shuffled) == shortest_cycles(edges)
