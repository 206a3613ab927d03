"""What resembles a question speaks for what it is related to, but never for itself."""

from __future__ import annotations

import pytest

from tx_graph.graph.fuse import supports

FACTORS = (1.0, 0.7, 0.5)


def factor(hop: int) -> float:
    return FACTORS[min(hop, 2)]


def test_a_seed_hands_on_its_likeness_by_the_weight_and_the_hop() -> None:
    found = supports({1: 0.9}, [[(1, 2, 0.8)], [(2, 3, 0.5)]], factor, {})
    assert found == {2: pytest.approx(0.9 * 0.8 * 0.7), 3: pytest.approx(0.9 * 0.8 * 0.5 * 0.5)}


def test_the_best_seed_and_the_best_way_count() -> None:
    found = supports({1: 0.9, 2: 0.5}, [[(1, 3, 0.2), (2, 3, 1.0), (1, 3, 0.4)]], factor, {})
    assert found == {3: pytest.approx(0.35)}


def test_seeds_speak_for_each_other_and_not_for_themselves() -> None:
    both_ways = [(1, 2, 1.0), (2, 1, 1.0)]
    assert supports({1: 0.9, 2: 0.5}, [both_ways], factor, {}) == {1: pytest.approx(0.35), 2: pytest.approx(0.63)}
    assert supports({1: 0.9}, [[(1, 3, 1.0)], [(3, 1, 1.0)]], factor, {}) == {3: pytest.approx(0.63)}


def test_the_second_best_seed_speaks_for_the_best() -> None:
    rows = [(1, 9, 1.0), (2, 9, 1.0)], [(9, 1, 1.0), (9, 2, 1.0)]
    found = supports({1: 0.9, 2: 0.5}, rows, factor, {})
    assert found == {9: pytest.approx(0.63), 1: pytest.approx(0.25), 2: pytest.approx(0.45)}


def test_what_a_node_gets_goes_to_what_it_stands_for_unless_that_gave_it() -> None:
    assert supports({1: 0.9}, [[(1, 2, 1.0)]], factor, {2: 5}) == {5: pytest.approx(0.63)}
    assert supports({1: 0.9}, [[(1, 2, 1.0)]], factor, {2: 1}) == {}
