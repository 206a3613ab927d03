"""Walks over the graph: which nodes they reach, and with which score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph.webs import Web
from tx_graph.core.errors import UsageError
from tx_graph.graph.edges import EdgeType, Strand
from tx_graph.graph.expand import Ask, Limits, Reached, chosen_types, expand, explore, types_by_hop


def scores(found: Iterable[Reached]) -> dict[int, float]:
    """Return each node's score, freed of what floats add in the last places."""
    return {one.node: round(one.score, 12) for one in found}


def walk(
    web: Web, *, depth: int = 2, decay: float = 0.7, max_nodes: int = 100, seeds: Mapping[int, float] | None = None
) -> list[Reached]:
    limits = Limits(depth=depth, decay=decay, max_nodes=max_nodes)
    return expand({1: 1.0} if seeds is None else seeds, web.neighbors_of, limits=limits)


def test_a_chain_decays_by_hop_and_stops_at_the_depth() -> None:
    found = walk(Web((1, 2, 1), (2, 3, 1), (3, 4, 1)))
    assert scores(found) == {1: 1.0, 2: 0.7, 3: 0.49}
    assert [one.hops for one in found] == [0, 1, 2]


def test_a_hop_multiplies_by_the_weight_and_the_decay() -> None:
    assert scores(walk(Web((1, 2, 0.8), (2, 3, 0.6)), decay=0.5)) == {1: 1.0, 2: 0.4, 3: 0.12}


def test_depth_zero_gives_the_seeds_and_asks_nothing() -> None:
    web = Web((1, 2, 1))
    assert scores(walk(web, depth=0, seeds={1: 0.9, 5: 0.3})) == {1: 0.9, 5: 0.3}
    assert web.questions == []


def test_a_diamond_visits_its_end_once_by_the_better_path() -> None:
    found = walk(Web((1, 2, 0.5), (1, 3, 0.9), (2, 4, 1), (3, 4, 1)))
    assert scores(found) == {1: 1.0, 2: 0.35, 3: 0.63, 4: 0.441}
    [end] = [one for one in found if one.node == 4]
    assert [edge.source for edge in end.path] == [1, 3]


def test_a_longer_path_wins_when_it_scores_better() -> None:
    found = {one.node: one for one in walk(Web((1, 3, 0.1), (1, 2, 1), (2, 3, 1)))}
    assert found[3].hops == 2
    assert found[3].score == pytest.approx(0.49)


def test_a_shorter_path_wins_a_tie() -> None:
    found = {one.node: one for one in walk(Web((1, 2, 1), (2, 3, 1), (1, 3, 1)), decay=1.0)}
    assert found[3].hops == 1


def test_a_cycle_and_a_self_loop_visit_each_node_once() -> None:
    found = walk(Web((1, 1, 1), (1, 2, 1), (2, 3, 1), (3, 1, 1), (2, 2, 1)), depth=10, decay=1.0)
    assert [one.node for one in found] == [1, 2, 3]
    assert [one.hops for one in found] == [0, 1, 2]


def test_a_seed_that_is_reached_better_than_it_was_found_gains_the_path() -> None:
    found = {one.node: one for one in walk(Web((1, 2, 1)), seeds={1: 1.0, 2: 0.1})}
    assert found[2].score == pytest.approx(0.7)
    assert found[2].seed == 1


def test_an_edge_without_weight_leads_nowhere() -> None:
    assert scores(walk(Web((1, 2, 0)))) == {1: 1.0}


def test_each_hop_is_one_question_about_a_whole_frontier() -> None:
    web = Web((1, 2, 1), (1, 3, 1), (2, 4, 1), (3, 5, 1))
    walk(web, depth=10)
    assert web.questions == [{1}, {2, 3}, {4, 5}]


def test_max_nodes_counts_what_lies_beyond_the_seeds_and_keeps_the_best() -> None:
    web = Web((1, 2, 0.2), (1, 3, 0.9), (1, 4, 0.8), (3, 5, 0.9))
    assert [one.node for one in walk(web, max_nodes=2)] == [1, 3, 4]


def test_ties_go_to_fewer_hops_then_to_the_smaller_node() -> None:
    found = walk(Web((1, 9, 0.5), (1, 3, 0.5), (1, 2, 1), (2, 4, 0.5)), decay=1.0)
    assert [one.node for one in found] == [1, 2, 3, 9, 4]


@pytest.mark.parametrize(
    "limits", [{"depth": -1}, {"depth": 11}, {"decay": 0}, {"decay": 1.1}, {"decay": float("nan")}, {"max_nodes": 0}]
)
def test_limits_out_of_range_are_usage_errors(limits: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        Limits(**limits)


def test_an_import_of_weight_nine_tenths_scores_the_seven_tenths_of_it() -> None:
    assert scores(walk(Web((1, 2, 0.9)))) == {1: 1.0, 2: 0.63}


def test_what_is_anchored_to_a_strong_partner_scores_as_the_partner_does() -> None:
    assert scores(walk(Web((1, 2, 0.8)), depth=1))[2] == 0.56


def test_edges_too_light_to_change_anything_are_not_asked_for() -> None:
    web, least = Web((1, 2, 0.9), (1, 3, 0.8), (2, 4, 0.5), (3, 5, 0.5)), []

    def neighbors_of(ask: Ask) -> list[Strand]:
        least.append(ask.least)
        return web.neighbors_of(ask)

    expand({1: 1.0}, neighbors_of, limits=Limits(max_nodes=2, decay=0.9))
    assert least == [0.0, pytest.approx(0.72 / (0.81 * 0.9))]


def test_types_are_read_for_single_hops() -> None:
    found = types_by_hop(["1=imports", "2=-IMPORTS,-LINKS_TO", "1=LINKS_TO"])
    assert found[1] == (EdgeType.IMPORTS, EdgeType.LINKS_TO)
    assert set(found[2]) == set(EdgeType) - {EdgeType.IMPORTS, EdgeType.LINKS_TO}


@pytest.mark.parametrize(
    "text", ["IMPORTS", "0=IMPORTS", "11=IMPORTS", "1=", "x=IMPORTS", "1=FRIENDS", "1=IMPORTS,-IMPORTS"]
)
def test_types_at_a_hop_that_cannot_be_read_are_usage_errors(text: str) -> None:
    with pytest.raises(UsageError):
        types_by_hop([text])


def test_all_types_but_the_excluded_are_followed() -> None:
    assert chosen_types([], []) == tuple(EdgeType)
    assert chosen_types(["imports", "CO-CHANGES-WITH", "IMPORTS"], []) == (EdgeType.IMPORTS, EdgeType.CO_CHANGES_WITH)
    assert EdgeType.IMPORTS not in chosen_types([], ["imports"])


def test_a_type_both_included_and_excluded_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="IMPORTS cannot be both included and excluded"):
        chosen_types(["IMPORTS", "LINKS_TO"], ["imports"])


def test_an_unknown_type_is_a_usage_error_that_lists_the_known() -> None:
    with pytest.raises(UsageError) as type_error:
        chosen_types(["FRIENDS_WITH"], [])
    assert "CO_CHANGES_WITH" in type_error.value.hint


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
