"""What resembles a question speaks for what it is related to, but never for itself."""

from __future__ import annotations

import pytest

from tx_graph.graph.fuse import supports

FACTORS = (1.0, 0.7, 0.5)


def factor(hop: int) -> float:
    return FACTORS[min(hop, 2)]


@pytest.mark.parametrize(
    ("likeness", "hops", "stands_for", "expected"),
    [
        pytest.param(
            {1: 0.9},
            [[(1, 2, 0.8)], [(2, 3, 0.5)]],
            {},
            {2: 0.9 * 0.8 * 0.7, 3: 0.9 * 0.8 * 0.5 * 0.5},
            id="weight-and-hop",
        ),
        pytest.param(
            {1: 0.9, 2: 0.5},
            [[(1, 3, 0.2), (2, 3, 1.0), (1, 3, 0.4)]],
            {},
            {3: 0.35},
            id="the-best-seed-and-the-best-way",
        ),
        pytest.param({1: 0.9, 2: 0.5}, [[(1, 2, 1.0), (2, 1, 1.0)]], {}, {1: 0.35, 2: 0.63}, id="seeds-for-each-other"),
        pytest.param({1: 0.9}, [[(1, 3, 1.0)], [(3, 1, 1.0)]], {}, {3: 0.63}, id="no-seed-for-itself"),
        pytest.param(
            {1: 0.9, 2: 0.5},
            [[(1, 9, 1.0), (2, 9, 1.0)], [(9, 1, 1.0), (9, 2, 1.0)]],
            {},
            {9: 0.63, 1: 0.25, 2: 0.45},
            id="the-second-best-speaks-for-the-best",
        ),
        pytest.param({1: 0.9}, [[(1, 2, 1.0)]], {2: 5}, {5: 0.63}, id="it-goes-to-what-a-node-stands-for"),
        pytest.param({1: 0.9}, [[(1, 2, 1.0)]], {2: 1}, {}, id="unless-that-gave-it"),
    ],
)
def test_a_seed_hands_on_its_likeness_by_the_weight_and_the_hop(
    likeness: dict[int, float],
    hops: list[list[tuple[int, int, float]]],
    stands_for: dict[int, int],
    expected: dict[int, float],
) -> None:
    assert supports(likeness, hops, factor, stands_for) == pytest.approx(expected)
