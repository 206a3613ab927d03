"""The profile `hops`: a node scores by the hop where it is met and the best edge there (Oasis, Graph RAG)."""

from __future__ import annotations

import math

import pytest

from tests.graph.webs import Web, expand
from tx_graph.core.errors import UsageError
from tx_graph.graph.expand import Hops, Limits, Profile, Reached, explore, scoring_of

CHAIN = ((1, 2, 0.1), (2, 3, 0.8), (3, 4, 1.0), (4, 5, 1.0))


def walk(web: Web, *, depth: int = 4, max_nodes: int = 100, hops: Hops | None = None) -> dict[int, Reached]:
    limits = Limits(depth=depth, max_nodes=max_nodes)
    return {one.node: one for one in expand({1: 0.93}, web.neighbors_of, limits=limits, scoring=hops or Hops())}


def test_a_seed_blends_its_cosine_with_the_graph() -> None:
    assert Hops().seed_score(0.9) == pytest.approx(0.93)
    assert Hops().seed_score(1.0) == 1.0


def test_the_last_edge_and_the_hop_make_the_score_whatever_came_before() -> None:
    found = walk(Web(*CHAIN))
    assert {node: round(one.score, 12) for node, one in found.items()} == {1: 0.93, 2: 0.021, 3: 0.12, 4: 0.15, 5: 0.15}
    assert found[5].hops == 4


@pytest.mark.parametrize(
    ("edges", "depth", "node", "score", "path"),
    [
        ([(1, 3, 0.1), (1, 2, 1), (2, 3, 1)], 4, 3, 0.3 * 0.5, [1, 2]),
        ([(1, 3, 0.5), (1, 2, 1), (2, 3, 0.7)], 2, 3, 0.3 * 0.7 * 0.5, [1]),
        ([(1, 2, 1), (1, 3, 1), (2, 4, 0.2), (3, 4, 0.9)], 4, 4, 0.3 * 0.5 * 0.9, [1, 3]),
    ],
    ids=["a-heavier-edge-at-a-later-hop-wins", "of-equal-scores-fewer-hops-stay", "the-best-edge-of-a-hop-counts"],
)
def test_the_best_edge_counts_at_whichever_hop(
    edges: list[tuple[int, int, float]], depth: int, node: int, score: float, path: list[int]
) -> None:
    found = walk(Web(*edges), depth=depth)[node]
    assert found.score == pytest.approx(score)
    assert [edge.source for edge in found.path] == path


def test_max_nodes_cuts_by_score_though_a_weak_node_leads_to_a_strong_one() -> None:
    assert set(walk(Web((1, 2, 0.1), (1, 3, 0.2), (3, 4, 1)), max_nodes=2)) == {1, 3, 4}


def test_the_table_is_yours_to_choose() -> None:
    hops = Hops(graph_weight=1.0, vector_weight=0.0, hop_decay=(1.0,))
    assert walk(Web((1, 2, 0.5), (2, 3, 0.5)), hops=hops)[3].score == 0.5


@pytest.mark.parametrize(
    "hops",
    [
        {"graph_weight": 0.5},
        {"graph_weight": -0.1},
        {"graph_weight": math.nan},
        {"vector_weight": math.nan},
        {"hop_decay": ()},
        {"hop_decay": (1.0, 1.1)},
    ],
    ids=str,
)
def test_numbers_that_lead_out_of_zero_to_one_are_usage_errors(hops: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Hops(**hops)  # type: ignore[arg-type]


@pytest.mark.parametrize("profile", list(Profile))
def test_every_profile_tells_how_much_it_looked_at(profile: Profile) -> None:
    web = Web((1, 2, 1), (2, 3, 0.5), (7, 8, 1))
    stats = explore({1: 1.0}, web.neighbors_of, limits=Limits(), scoring=scoring_of(profile)).stats()
    assert (stats.seeds, stats.expanded, stats.nodes_visited, stats.max_depth_reached) == (1, 2, 3, 2)
    assert (stats.max_nodes_reached, stats.fan_out_reached) == (False, 0)
    cut = explore({1: 1.0}, web.neighbors_of, limits=Limits(max_nodes=1), scoring=scoring_of(profile)).stats()
    assert cut.max_nodes_reached
