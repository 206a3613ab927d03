"""A walk can say where the mass of a node came from: all of it, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph.webs import TwoWayWeb, Web
from tx_graph.graph.expand import Limits, Push, Spread, nothing_known

EDGES = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 8), st.sampled_from([0.1, 0.5, 1.0])).filter(lambda e: e[0] != e[1]),
    max_size=20,
)
SEEDS = st.dictionaries(st.integers(0, 8), st.sampled_from([0.5, 1.0, 7.0]), min_size=1, max_size=3)


def walked(web: Web, seeds: dict[int, float], spread: Spread, *, depth: int = 10) -> Push:
    limits = Limits(depth=depth)
    return Push(
        seeds, web.neighbors_of, limits=limits, spread=spread, degrees_of=nothing_known, prior=nothing_known
    ).finished()


@settings(deadline=None)
@given(EDGES, SEEDS, st.sampled_from([1e-2, 1e-4]), st.sampled_from([0.15, 0.5]), st.integers(0, 3))
def test_what_came_is_what_was_passed_on_or_is_held(
    edges: list[tuple[int, int, float]], seeds: dict[int, float], epsilon: float, restart: float, depth: int
) -> None:
    for web in (Web(*edges), TwoWayWeb(*edges)):
        walk = walked(web, seeds, Spread(epsilon=epsilon, restart=restart), depth=depth)
        total = sum(seeds.values())
        for node, ways in walk.brought_to(range(9)).items():
            came = seeds.get(node, 0.0) / total + sum(mass for mass, _, _ in ways)
            assert came == pytest.approx(walk.passed_on(node) + walk.moving.get(node, 0.0))


def test_the_way_that_brought_most_comes_first() -> None:
    walk = walked(Web((1, 3, 1.0), (2, 3, 1.0), (1, 4, 1.0)), {1: 1.0, 2: 1.0}, Spread())
    found = walk.brought_to([3, 4, 5])
    assert [source for _, source, _ in found[3]] == [2, 1]
    assert [source for _, source, _ in found[4]] == [1]
    assert found[5] == []
