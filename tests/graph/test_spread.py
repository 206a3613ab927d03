"""Mass spreads from the seeds: personalised PageRank by local push, held against a dense power iteration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph.webs import TwoWayWeb, Web, expand, scores
from tx_graph.core.errors import UsageError
from tx_graph.graph.expand import FactorsOf, Limits, Push, Spread, nothing_known

DEEP = Limits(depth=10, max_nodes=1_000)
ENDS = st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda ends: ends[0] < ends[1])
PAIRS = st.sets(ENDS, min_size=1, max_size=20)
SEEDS = st.dictionaries(st.integers(0, 8), st.sampled_from([0.5, 1.0, 7.0]), min_size=1, max_size=3)
RESTARTS = st.sampled_from([0.15, 0.5, 0.9])
EPSILONS = st.sampled_from([1e-2, 1e-3, 1e-5])


def pushed(
    web: Web,
    seeds: Mapping[int, float],
    spread: Spread,
    *,
    limits: Limits = DEEP,
    degrees_of: FactorsOf = nothing_known,
    prior: FactorsOf = nothing_known,
) -> Push:
    return Push(seeds, web.neighbors_of, limits=limits, spread=spread, degrees_of=degrees_of, prior=prior).finished()


def exact(
    pairs: Collection[tuple[int, int, float]], seeds: Mapping[int, float], restart: float, pull: Mapping[int, float]
) -> np.ndarray:
    """Return the PageRank of the nodes 0 to 8 by power iteration; `pull` is what draws the walk to each."""
    weights = np.zeros((9, 9))
    for a, b, weight in pairs:
        weights[a, b] += weight * pull.get(b, 1.0)
        weights[b, a] += weight * pull.get(a, 1.0)
    weights[np.diag_indices(9)] += weights.sum(axis=1) == 0
    steps = weights / weights.sum(axis=1, keepdims=True)
    start = np.array([seeds.get(node, 0.0) for node in range(9)])
    start /= start.sum()
    at = start
    for _ in range(2_000):
        at = restart * start + (1 - restart) * at @ steps
    return at


@settings(deadline=None)
@given(pairs=PAIRS, seeds=SEEDS, restart=RESTARTS, epsilon=EPSILONS)
def test_what_settles_is_the_exact_pagerank_but_for_epsilon_per_edge(
    pairs: set[tuple[int, int]], seeds: dict[int, float], restart: float, epsilon: float
) -> None:
    edges, degrees = [(a, b, 1.0) for a, b in pairs], Counter(end for pair in pairs for end in pair)
    spread = Spread(restart=restart, epsilon=epsilon, hub_damping=0.0, max_rounds=1_000)
    push = pushed(TwoWayWeb(*edges), seeds, spread, degrees_of=lambda nodes: {node: degrees[node] for node in nodes})
    for node, pagerank in enumerate(exact(edges, seeds, restart, {})):
        missing = pagerank - push.settled.get(node, 0.0)
        assert -1e-9 <= missing <= epsilon * max(1, degrees[node]) + 1e-9


@settings(deadline=None)
@given(
    pairs=st.dictionaries(ENDS, st.sampled_from([0.1, 0.5, 1.0]), min_size=1, max_size=20),
    seeds=SEEDS,
    restart=RESTARTS,
    damping=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_weights_and_the_damping_of_hubs_shape_the_walk(
    pairs: dict[tuple[int, int], float], seeds: dict[int, float], restart: float, damping: float
) -> None:
    edges, degrees = [(*pair, weight) for pair, weight in pairs.items()], Counter(end for pair in pairs for end in pair)
    spread = Spread(restart=restart, epsilon=1e-9, hub_damping=damping, max_rounds=1_000)
    push = pushed(TwoWayWeb(*edges), seeds, spread, degrees_of=lambda nodes: {node: degrees[node] for node in nodes})
    pull = {node: degree**-damping for node, degree in degrees.items()}
    for node, pagerank in enumerate(exact(edges, seeds, restart, pull)):
        assert push.settled.get(node, 0.0) == pytest.approx(pagerank, abs=1e-6)


@settings(deadline=None)
@given(pairs=PAIRS, seeds=SEEDS, restart=RESTARTS, epsilon=EPSILONS, depth=st.integers(0, 4), asked=st.integers(1, 5))
def test_no_mass_is_lost_however_early_it_ends(
    pairs: set[tuple[int, int]], seeds: dict[int, float], restart: float, epsilon: float, depth: int, asked: int
) -> None:
    web = TwoWayWeb(*[(a, b, 1.0) for a, b in pairs])
    spread = Spread(restart=restart, epsilon=epsilon, max_asked=asked, max_rounds=3)
    push = pushed(web, seeds, spread, limits=Limits(depth=depth))
    assert sum(push.settled.values()) + sum(push.moving.values()) == pytest.approx(1.0)
    assert len(set().union(*web.questions)) <= asked
    for one in push.reached():
        assert 0 <= one.score <= 1
        assert one.hops <= depth
        ends = [one.seed, *(edge.target for edge in one.path)]
        assert (ends[0] in seeds, ends[-1], len(set(ends))) == (True, one.node, len(ends))
        assert [edge.source for edge in one.path] == ends[:-1]


def test_the_best_scores_one_and_only_the_proportions_of_seeds_count() -> None:
    edges = [(1, 2, 1.0), (2, 3, 1.0)]
    found = expand({1: 1.0, 3: 0.5}, TwoWayWeb(*edges).neighbors_of, limits=DEEP, scoring=Spread())
    again = expand({1: 200.0, 3: 100.0}, TwoWayWeb(*edges).neighbors_of, limits=DEEP, scoring=Spread())
    assert max(scores(found).values()) == 1.0
    assert scores(again) == pytest.approx(scores(found))
    assert scores(expand({1: 0.0}, Web((1, 2, 1)).neighbors_of, limits=DEEP, scoring=Spread())) == {1: 0.0}
    assert expand({}, Web((1, 2, 1)).neighbors_of, limits=DEEP, scoring=Spread()) == []


def test_many_ways_to_a_node_count_together_and_nodes_are_asked_about_once_and_many_at_a_time() -> None:
    web = TwoWayWeb((1, 2, 0.6), (1, 3, 0.6), (1, 4, 0.9), (2, 5, 1), (3, 5, 1), (4, 6, 1))
    found = scores(expand({1: 1.0}, web.neighbors_of, limits=DEEP, scoring=Spread(epsilon=1e-6)))
    assert found[5] > found[6]
    assert web.questions == [{1}, {2, 3, 4}, {5, 6}]


def test_a_hub_is_damped_and_what_is_old_draws_less() -> None:
    def found(**factors: FactorsOf) -> dict[int, float]:
        web = Web((1, 2, 1), (1, 3, 1))
        return scores(expand({1: 1.0}, web.neighbors_of, limits=DEEP, scoring=Spread(), **factors))

    plain, hub, old = found(), found(degrees_of=lambda _: {2: 100.0}), found(prior=lambda _: {2: 0.25})
    assert plain[2] == plain[3]
    assert hub[3] == pytest.approx(10 * hub[2])
    assert old[3] == pytest.approx(4 * old[2])


def test_the_depth_ends_a_walk_that_spreads_too_and_max_nodes_keeps_the_best_that_mass_reached() -> None:
    web = Web((1, 2, 1), (2, 3, 1), (3, 4, 1))
    found = expand({1: 1.0}, web.neighbors_of, limits=Limits(depth=2), scoring=Spread())
    assert [one.node for one in found] == [1, 2, 3]
    assert expand({1: 1.0}, web.neighbors_of, limits=Limits(depth=0), scoring=Spread())[0].score == 1.0
    push = pushed(Web((1, 2, 0.2), (1, 3, 0.9), (1, 4, 0.8)), {1: 1.0}, Spread(), limits=Limits(max_nodes=2))
    assert [one.node for one in push.reached()] == [1, 3, 4]
    assert (push.stats().max_nodes_reached, push.stats().expanded, push.stats().nodes_visited) == (True, 2, 4)


@pytest.mark.parametrize("seed", [-1.0, float("nan"), float("inf")])
def test_weights_of_seeds_out_of_range_are_usage_errors(seed: float) -> None:
    with pytest.raises(UsageError):
        expand({1: seed}, Web().neighbors_of, limits=DEEP, scoring=Spread())
