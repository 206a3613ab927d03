"""Walks over the graph: which nodes they reach, and with which score."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph.webs import TwoWayWeb, Web, expand, scores
from tx_graph.core.errors import UsageError
from tx_graph.graph.connection import connect
from tx_graph.graph.edges import EdgeType, NodeId, Strand
from tx_graph.graph.expand import (
    Ask,
    Hops,
    Limits,
    Profile,
    Reached,
    chosen_types,
    explore,
    scoring_of,
    types_by_hop,
)


def walk(
    web: Web, *, depth: int = 2, decay: float = 0.7, max_nodes: int = 100, seeds: Mapping[int, float] | None = None
) -> list[Reached]:
    limits = Limits(depth=depth, decay=decay, max_nodes=max_nodes)
    return expand({1: 1.0} if seeds is None else seeds, web.neighbors_of, limits=limits)


@pytest.mark.parametrize(
    ("edges", "options", "expected"),
    [
        pytest.param([(1, 2, 1), (2, 3, 1), (3, 4, 1)], {}, {1: 1.0, 2: 0.7, 3: 0.49}, id="a-chain-stops-at-the-depth"),
        pytest.param([(1, 2, 0.8), (2, 3, 0.6)], {"decay": 0.5}, {1: 1.0, 2: 0.4, 3: 0.12}, id="weight-times-decay"),
        pytest.param([(1, 2, 0.9)], {}, {1: 1.0, 2: 0.63}, id="an-import-of-nine-tenths"),
        pytest.param([(1, 2, 0.8)], {"depth": 1}, {1: 1.0, 2: 0.56}, id="what-a-strong-partner-brings"),
        pytest.param([(1, 2, 0)], {}, {1: 1.0}, id="an-edge-without-weight-leads-nowhere"),
        pytest.param([(1, 2, 1)], {"depth": 0, "seeds": {1: 0.9, 5: 0.3}}, {1: 0.9, 5: 0.3}, id="depth-0-gives-seeds"),
    ],
)
def test_a_hop_multiplies_by_the_weight_and_the_decay(
    edges: list[tuple[int, int, float]], options: dict[str, Any], expected: dict[int, float]
) -> None:
    assert scores(walk(Web(*edges), **options)) == expected


@pytest.mark.parametrize(
    ("edges", "options", "node", "path"),
    [
        pytest.param(
            [(1, 2, 0.5), (1, 3, 0.9), (2, 4, 1), (3, 4, 1)], {}, 4, [1, 3], id="a-diamond-by-the-better-path"
        ),
        pytest.param([(1, 3, 0.1), (1, 2, 1), (2, 3, 1)], {}, 3, [1, 2], id="a-longer-one-that-scores-better"),
        pytest.param([(1, 2, 1), (2, 3, 1), (1, 3, 1)], {"decay": 1.0}, 3, [1], id="of-equals-the-shorter-one"),
        pytest.param([(1, 2, 1)], {"seeds": {1: 1.0, 2: 0.1}}, 2, [1], id="a-seed-that-is-reached-better"),
    ],
)
def test_the_path_that_scores_best_wins(
    edges: list[tuple[int, int, float]], options: dict[str, Any], node: int, path: list[int]
) -> None:
    [found] = [one for one in walk(Web(*edges), **options) if one.node == node]
    assert ([edge.source for edge in found.path], found.hops, found.seed) == (path, len(path), 1)


@pytest.mark.parametrize(
    ("edges", "options", "order"),
    [
        pytest.param(
            [(1, 1, 1), (1, 2, 1), (2, 3, 1), (3, 1, 1), (2, 2, 1)],
            {"depth": 10, "decay": 1.0},
            [1, 2, 3],
            id="a-cycle-visits-each-node-once",
        ),
        pytest.param(
            [(1, 2, 0.2), (1, 3, 0.9), (1, 4, 0.8), (3, 5, 0.9)],
            {"max_nodes": 2},
            [1, 3, 4],
            id="max-nodes-keeps-the-best",
        ),
        pytest.param(
            [(1, 9, 0.5), (1, 3, 0.5), (1, 2, 1), (2, 4, 0.5)],
            {"decay": 1.0},
            [1, 2, 3, 9, 4],
            id="ties-go-to-fewer-hops-then-to-the-smaller-node",
        ),
    ],
)
def test_nodes_come_best_first_each_once(
    edges: list[tuple[int, int, float]], options: dict[str, Any], order: list[int]
) -> None:
    assert [one.node for one in walk(Web(*edges), **options)] == order


def test_each_hop_is_one_question_about_a_whole_frontier() -> None:
    web = Web((1, 2, 1), (1, 3, 1), (2, 4, 1), (3, 5, 1))
    walk(web, depth=0)
    assert web.questions == []
    walk(web, depth=10)
    assert web.questions == [{1}, {2, 3}, {4, 5}]


def test_edges_too_light_to_change_anything_are_not_asked_for() -> None:
    web, least = Web((1, 2, 0.9), (1, 3, 0.8), (2, 4, 0.5), (3, 5, 0.5)), []

    def neighbors_of(ask: Ask) -> list[Strand]:
        least.append(ask.least)
        return web.neighbors_of(ask)

    expand({1: 1.0}, neighbors_of, limits=Limits(max_nodes=2, decay=0.9))
    assert least == [0.0, pytest.approx(0.72 / (0.81 * 0.9))]


def test_all_types_but_the_excluded_are_followed_and_errors_list_the_known() -> None:
    assert chosen_types([], []) == tuple(EdgeType)
    assert chosen_types(["imports", "CO-CHANGES-WITH", "IMPORTS"], []) == (EdgeType.IMPORTS, EdgeType.CO_CHANGES_WITH)
    assert EdgeType.IMPORTS not in chosen_types([], ["imports"])
    with pytest.raises(UsageError, match="IMPORTS cannot be both included and excluded"):
        chosen_types(["IMPORTS", "LINKS_TO"], ["imports"])
    with pytest.raises(UsageError) as unknown:
        chosen_types(["FRIENDS_WITH"], [])
    assert "CO_CHANGES_WITH" in unknown.value.hint


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        *((Limits, {"depth": depth}) for depth in (-1, 11)),
        *((Limits, {"decay": decay}) for decay in (0, 1.1, math.nan)),
        (Limits, {"max_nodes": 0}),
        *((Hops, {"graph_weight": weight}) for weight in (0.5, -0.1, math.nan)),
        (Hops, {"vector_weight": math.nan}),
        *((Hops, {"hop_decay": decays}) for decays in ((), (1.0, 1.1))),
    ],
)
def test_numbers_out_of_range_are_usage_errors(made: Callable[..., Any], wrong: Any) -> None:  # noqa: ANN401
    with pytest.raises(UsageError):
        made(**wrong)


@pytest.mark.parametrize(
    "text", ["IMPORTS", "0=IMPORTS", "11=IMPORTS", "1=", "x=IMPORTS", "1=FRIENDS", "1=IMPORTS,-IMPORTS"]
)
def test_types_at_a_hop_that_cannot_be_read_are_usage_errors(text: str) -> None:
    with pytest.raises(UsageError):
        types_by_hop([text])


def test_types_are_read_for_single_hops() -> None:
    found = types_by_hop(["1=imports", "2=-IMPORTS,-LINKS_TO", "1=LINKS_TO"])
    assert found[1] == (EdgeType.IMPORTS, EdgeType.LINKS_TO)
    assert set(found[2]) == set(EdgeType) - {EdgeType.IMPORTS, EdgeType.LINKS_TO}


NODES = st.integers(0, 7)
WEBS = st.lists(st.tuples(NODES, NODES, st.sampled_from([0.0, 0.25, 0.3, 0.5, 0.8, 1.0])), max_size=18)
SEEDS = st.dictionaries(NODES, st.sampled_from([0.2, 0.5, 1.0]), min_size=1, max_size=3)


def exhaustive(web: Web, seeds: Mapping[int, float], limits: Limits) -> dict[int, tuple[float, int]]:
    """Try every walk of at most `depth` edges; return the best score of each node and the fewest hops to it."""
    best = {node: (score, 0) for node, score in seeds.items()}
    walks = [(node, score) for node, score in seeds.items()]
    for hops in range(1, limits.depth + 1):
        further = [
            (edge.target, score * limits.decay * edge.weight)
            for node, score in walks
            for edge in web.edges
            if edge.source == node and edge.weight > 0
        ]
        walks = list(dict.fromkeys(further))
        for node, score in walks:
            if node not in best or score > best[node][0]:
                best[node] = (score, hops)
    return best


@settings(deadline=None)
@given(edges=WEBS, seeds=SEEDS, depth=st.integers(0, 4), decay=st.sampled_from([0.5, 0.7, 1.0]))
def test_a_walk_finds_what_trying_every_path_finds(
    edges: list[tuple[int, int, float]], seeds: dict[int, float], depth: int, decay: float
) -> None:
    limits, web = Limits(depth=depth, decay=decay), Web(*edges)
    found = expand(seeds, web.neighbors_of, limits=limits)
    assert {one.node: (one.score, one.hops) for one in found} == exhaustive(web, seeds, limits)
    for one in found:
        ends = [one.seed, *(edge.target for edge in one.path)]
        assert ends[-1] == one.node
        assert [edge.source for edge in one.path] == ends[:-1]
        assert len(set(ends)) == len(ends)


@settings(deadline=None)
@given(edges=WEBS, seeds=SEEDS, depth=st.integers(0, 4), max_nodes=st.integers(1, 4), decay=st.sampled_from([0.7, 1.0]))
def test_cutting_off_never_changes_the_top_of_the_list(
    edges: list[tuple[int, int, float]], seeds: dict[int, float], depth: int, max_nodes: int, decay: float
) -> None:
    def ranked(most: int) -> list[tuple[int, float, int]]:
        limits = Limits(depth=depth, decay=decay, max_nodes=most)
        found = expand(seeds, Web(*edges).neighbors_of, limits=limits)
        return [(one.node, one.score, one.hops) for one in found if one.node not in seeds]

    assert ranked(max_nodes) == ranked(1000)[:max_nodes]


def test_the_last_hop_may_be_asked_of_somebody_who_knows_less() -> None:
    web, last = Web((1, 2, 1), (2, 3, 1), (2, 4, 1)), Web((2, 4, 1))
    found = explore({1: 1.0}, web.neighbors_of, limits=Limits(depth=2), at_last_hop=last.neighbors_of)
    assert {node: round(score, 12) for node, score in found.scores.items()} == {1: 1.0, 2: 0.7, 4: 0.49}
    assert found.hops(4) == 2
    assert [edge.target for edge in found.reached_at(4).path] == [2, 4]
    assert (web.questions, last.questions) == ([{1}], [{2}])


def hopped(web: Web, *, depth: int = 4, max_nodes: int = 100, hops: Hops | None = None) -> dict[int, Reached]:
    limits = Limits(depth=depth, max_nodes=max_nodes)
    return {one.node: one for one in expand({1: 0.93}, web.neighbors_of, limits=limits, scoring=hops or Hops())}


def test_the_cosine_makes_a_seeds_score_and_the_last_edge_with_its_hop_all_others() -> None:
    assert [Hops().seed_score(cosine) for cosine in (0.9, 1.0)] == pytest.approx([0.93, 1.0])
    found = hopped(Web((1, 2, 0.1), (2, 3, 0.8), (3, 4, 1.0), (4, 5, 1.0)))
    assert {node: round(one.score, 12) for node, one in found.items()} == {1: 0.93, 2: 0.021, 3: 0.12, 4: 0.15, 5: 0.15}
    assert found[5].hops == 4
    assert set(hopped(Web((1, 2, 0.1), (1, 3, 0.2), (3, 4, 1)), max_nodes=2)) == {1, 3, 4}
    table = Hops(graph_weight=1.0, vector_weight=0.0, hop_decay=(1.0,))
    assert hopped(Web((1, 2, 0.5), (2, 3, 0.5)), hops=table)[3].score == 0.5


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
    found = hopped(Web(*edges), depth=depth)[node]
    assert found.score == pytest.approx(score)
    assert [edge.source for edge in found.path] == path


@pytest.mark.parametrize("profile", list(Profile))
def test_every_profile_tells_how_much_it_looked_at(profile: Profile) -> None:
    web = Web((1, 2, 1), (2, 3, 0.5), (7, 8, 1))
    stats = explore({1: 1.0}, web.neighbors_of, limits=Limits(), scoring=scoring_of(profile)).stats()
    assert (stats.seeds, stats.expanded, stats.nodes_visited, stats.max_depth_reached) == (1, 2, 3, 2)
    assert (stats.max_nodes_reached, stats.fan_out_reached) == (False, 0)
    cut = explore({1: 1.0}, web.neighbors_of, limits=Limits(max_nodes=1), scoring=scoring_of(profile)).stats()
    assert cut.max_nodes_reached


def connected(found: Reached | None) -> list[NodeId]:
    assert found is not None
    return [found.seed, *(edge.target for edge in found.path)]


def test_a_node_is_connected_to_itself_and_nothing_connects_what_lies_apart() -> None:
    assert connect(1, 1, TwoWayWeb().neighbors_of, limits=Limits()) == Reached(node=1, score=1.0)
    web = TwoWayWeb((1, 2, 1), (3, 4, 1))
    assert connect(1, 4, web.neighbors_of, limits=Limits(depth=10)) is None


def test_strong_edges_are_worth_a_detour() -> None:
    web = TwoWayWeb((1, 4, 0.1), (1, 2, 1), (2, 3, 1), (3, 4, 1))
    found = connect(1, 4, web.neighbors_of, limits=Limits(depth=6))
    assert connected(found) == [1, 2, 3, 4]
    assert found is not None
    assert found.score == pytest.approx(0.7**3)
    assert connected(connect(1, 4, web.neighbors_of, limits=Limits(depth=2))) == [1, 4]


def test_edges_are_followed_against_their_direction_and_say_so() -> None:
    found = connect(1, 3, TwoWayWeb((1, 2, 1), (3, 2, 1)).neighbors_of, limits=Limits())
    assert found is not None
    assert [(edge.source, edge.target, edge.forward) for edge in found.path] == [(1, 2, True), (2, 3, False)]


@given(WEBS, st.integers(min_value=1, max_value=6), st.sampled_from([0.5, 0.7, 1.0]))
def test_two_walks_that_meet_find_what_one_walk_finds(
    edges: list[tuple[int, int, float]], depth: int, decay: float
) -> None:
    limits, web = Limits(depth=depth, decay=decay, max_nodes=1_000), TwoWayWeb(*edges)
    by_one = {one.node: one for one in expand({1: 1.0}, web.neighbors_of, limits=limits)}
    for end in range(8):
        found = connect(1, end, web.neighbors_of, limits=limits)
        if end not in by_one:
            assert found is None
            continue
        assert found is not None
        assert found.score == pytest.approx(by_one[end].score)
        assert found.hops <= depth
        ends = connected(found)
        assert (ends[0], ends[-1], len(set(ends))) == (1, end, len(ends))
