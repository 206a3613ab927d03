"""Spreading over facts: level by level, each fact and entity once, the most confident facts of each entity."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.knowledge.recall.knowledge import Knowledge
from tx_graph.core.errors import UsageError
from tx_graph.knowledge.spreading import RecallLimits, Spreading, spread


@pytest.fixture
def chain() -> Knowledge:
    """user works on JACQ, which uses DuckDB, which is written in C++; each also has a value."""
    known = Knowledge()
    known.says("user", "prefers", "dark mode")
    known.says("user", "works_on", to="JACQ")
    known.says("JACQ", "status", "active")
    known.says("JACQ", "uses", to="DuckDB")
    known.says("DuckDB", "type", "OLAP database")
    known.says("DuckDB", "written_in", to="C++")
    return known


def spread_from(known: Knowledge, *names: str, **limits: int) -> Spreading:
    return spread([known.node(name) for name in names], known.facts_of, limits=RecallLimits(**limits))


def predicates(found: Spreading) -> list[tuple[str, int]]:
    return [(one.fact.fact.predicate, one.hops) for one in found.facts]


@pytest.mark.parametrize(
    ("hops", "expected"),
    [
        (0, []),
        (1, [("prefers", 1), ("works_on", 1)]),
        (2, [("prefers", 1), ("works_on", 1), ("status", 2), ("uses", 2)]),
        (3, [("prefers", 1), ("works_on", 1), ("status", 2), ("uses", 2), ("type", 3), ("written_in", 3)]),
    ],
)
def test_each_hop_tells_the_facts_of_what_the_one_before_led_to(
    chain: Knowledge, hops: int, expected: list[tuple[str, int]]
) -> None:
    assert predicates(spread_from(chain, "user", hops=hops)) == expected


def test_a_whole_level_is_asked_for_at_once(chain: Knowledge) -> None:
    chain.says("user", "knows", to="Ada")
    spread_from(chain, "user", hops=3)
    assert chain.asked == [["user"], ["JACQ", "Ada"], ["DuckDB"]]


def test_entities_come_in_the_order_in_which_they_are_reached_anchors_first(chain: Knowledge) -> None:
    found = spread_from(chain, "DuckDB", "user", hops=2)
    assert chain.names(found.entities) == ["DuckDB", "user", "C++", "JACQ"]


def test_an_anchor_named_twice_is_one(chain: Knowledge) -> None:
    found = spread_from(chain, "user", "user", hops=1)
    assert predicates(found) == [("prefers", 1), ("works_on", 1)]


def test_facts_that_lead_here_are_not_followed_backwards(chain: Knowledge) -> None:
    assert predicates(spread_from(chain, "DuckDB", hops=3)) == [("type", 1), ("written_in", 1)]


def test_a_cycle_tells_each_fact_once() -> None:
    known = Knowledge()
    known.says("a", "knows", to="b")
    known.says("b", "knows", to="a")
    known.says("a", "is", to="a")
    found = spread_from(known, "a", hops=10)
    assert [one.fact.id for one in found.facts] == [1, 3, 2]
    assert known.names(found.entities) == ["a", "b"]


def test_of_one_entity_the_most_confident_facts_are_looked_at() -> None:
    known = Knowledge()
    for confidence in (0.2, 0.9, 0.5, 0.9):
        known.says("a", f"is_{confidence}", "so", confidence=confidence)
    found = spread_from(known, "a", per_entity=3)
    assert [one.fact.id for one in found.facts] == [2, 4, 3]


def test_what_an_overlooked_fact_leads_to_is_not_reached() -> None:
    known = Knowledge()
    known.says("a", "likes", to="b", confidence=0.9)
    known.says("a", "likes", to="c", confidence=0.1)
    known.says("c", "is", "far")
    assert predicates(spread_from(known, "a", per_entity=1)) == [("likes", 1)]


def test_two_thousand_entities_are_enough_and_it_is_said() -> None:
    known = Knowledge()
    for number in range(2_500):
        known.says("hub", "has", to=f"part {number}")
    found = spread_from(known, "hub", hops=2, per_entity=10_000)
    assert len(found.entities) == 2_000
    assert found.is_cut
    assert not spread_from(known, "hub", hops=1, per_entity=10_000).is_cut


@pytest.mark.parametrize(
    "limits", [{"hops": -1}, {"hops": 11}, {"max_facts": 0}, {"per_entity": 0}, {"max_facts": 10_001}]
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="must be from"):
        RecallLimits(**limits)


@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 9), st.floats(0, 1)), max_size=40),
    st.integers(0, 4),
    st.integers(1, 4),
)
def test_no_fact_and_no_entity_comes_twice_and_more_hops_never_lose_a_fact(
    edges: list[tuple[int, int, float]], hops: int, per_entity: int
) -> None:
    known = Knowledge()
    known.node("0")
    for start, end, confidence in edges:
        known.says(str(start), "to", to=str(end), confidence=confidence)
    fewer = spread_from(known, "0", hops=hops, per_entity=per_entity)
    more = spread_from(known, "0", hops=hops + 1, per_entity=per_entity)
    numbers = [one.fact.id for one in more.facts]
    assert len(numbers) == len(set(numbers))
    assert len(more.entities) == len(set(more.entities))
    assert numbers[: len(fewer.facts)] == [one.fact.id for one in fewer.facts]
    assert all(1 <= one.hops <= hops + 1 for one in more.facts)
