"""Recall: which names a text states, what spreading from them comes to, how that is ranked, and how it is told."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.core.errors import UsageError
from tx_graph.core.identifiers import is_telling
from tx_graph.graph.edges import NodeId
from tx_graph.knowledge.entity import entity_key
from tx_graph.knowledge.fact import Fact, StoredFact
from tx_graph.knowledge.spreading import RecallLimits, Spreading, Stated, Told, narrative, ranked, spread, stated


class Knowledge:
    """Facts about named entities; each name gets its node when it first comes up. Notes each frontier it was asked."""

    def __init__(self) -> None:
        self.nodes: dict[str, NodeId] = {}
        self.facts: list[StoredFact] = []
        self.asked: list[list[str]] = []

    def node(self, name: str) -> NodeId:
        return self.nodes.setdefault(name, len(self.nodes) + 1)

    def says(
        self, subject: str, predicate: str, value: str = "", *, to: str | None = None, confidence: float = 1.0
    ) -> StoredFact:
        """Add a fact with a value, or `to` another entity."""
        number, said = len(self.facts) + 1, None if to else value
        fact = Fact(
            uid=f"f{number}",
            subject=subject,
            predicate=predicate,
            object=to,
            value=said,
            confidence=confidence,
            created_at="2026-11-20T12:00:00Z",
        )
        node, named = self.node(subject), self.node(to) if to else None
        stored = StoredFact(id=number, fact=fact, subject=node, subject_name=subject, object=named, object_name=to)
        self.facts.append(stored)
        return stored

    def facts_of(self, entities: Collection[NodeId]) -> dict[NodeId, Sequence[StoredFact]]:
        """Answer a frontier: all facts of each entity, by confidence."""
        self.asked.append(self.names(entities))
        found = {node: [one for one in self.facts if one.subject == node] for node in entities}
        return {node: sorted(facts, key=lambda one: (-one.fact.confidence, one.id)) for node, facts in found.items()}

    def names(self, nodes: Collection[NodeId]) -> list[str]:
        names = {node: name for name, node in self.nodes.items()}
        return [names[node] for node in nodes]


@pytest.fixture
def known() -> Knowledge:
    return Knowledge()


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


NAMES = ["DuckDB", "Memory", "Memory graph", "graph store", "C++", ".NET", "docs/adr/003.md", "003", "go", "the"]
NAMES += ["Straße", "記憶", "Next.js 16"]


def names_in(text: str) -> Stated:
    known = {entity_key(name): number for number, name in enumerate(NAMES, start=1)}

    def names_of(keys: Collection[str]) -> dict[str, NodeId]:
        return {key: known[key] for key in keys if key in known}

    return stated(text, names_of, is_name=is_telling)


@pytest.mark.parametrize(("text", "expected"), [
    ("What is DuckDB?", ["duckdb"]), ("duckdb's cache, DUCKDB!", ["duckdb"]),
    ("duckdbs and myduckdb and duckdb_cache", []), ("(DuckDB)-based", ["duckdb"]),
    ("why C++ and not .NET", ["c++", ".net"]), ("c+", []), ("see docs/adr/003.md#decision", ["docs/adr/003.md"]),
    ("ADR 003", ["003"]), ("is next.js   16 fast", ["next.js 16"]), ("STRASSE", ["strasse"]),
    ("会話の記憶を保存", ["記憶"]), ("let it go", ["go"]), ("the", []), ("", []), ("\x1b[31m ' \" ( * ) -- ;", []),
    # Of names that overlap the longest is meant; names come in the order of the text, each once.
    ("the memory graph store", ["memory graph"]), ("memory and graph store", ["memory", "graph store"]),
    ("C++ in DuckDB, and C++", ["c++", "duckdb"]),
    # An endless text is looked at as far as it tells something.
    pytest.param("word " * 399 + "DuckDB", ["duckdb"], id="400 words"),
    pytest.param("word " * 400 + "DuckDB", [], id="401 words"),
])  # fmt: skip
def test_a_name_is_stated_by_whole_tokens_in_any_letters(text: str, expected: list[str]) -> None:
    assert list(names_in(text).names.values()) == expected


def test_the_other_words_are_left() -> None:
    assert names_in("how does DuckDB store the memory graph?").rest == "how does store the ?"
    assert names_in("nothing known").rest == "nothing known"


def test_all_names_are_asked_for_at_once() -> None:
    asked: list[Collection[str]] = []

    def names_of(keys: Collection[str]) -> dict[str, NodeId]:
        asked.append(keys)
        return {}

    stated("a memory of graphs", names_of)
    assert len(asked) == 1
    assert len(list(asked[0])) == len(set(asked[0])) == 10


def spread_from(known: Knowledge, *names: str, **limits: int) -> Spreading:
    return spread([known.node(name) for name in names], known.facts_of, limits=RecallLimits(**limits))


def predicates(found: Spreading) -> list[tuple[str, int]]:
    return [(one.fact.fact.predicate, one.hops) for one in found.facts]


@pytest.mark.parametrize(("start", "hops", "expected"), [
    ("user", 0, []),
    ("user", 1, [("prefers", 1), ("works_on", 1)]),
    ("user", 2, [("prefers", 1), ("works_on", 1), ("status", 2), ("uses", 2)]),
    ("user", 3, [("prefers", 1), ("works_on", 1), ("status", 2), ("uses", 2), ("type", 3), ("written_in", 3)]),
    ("DuckDB", 3, [("type", 1), ("written_in", 1)]),  # what leads here is not followed backwards
    ("user user", 1, [("prefers", 1), ("works_on", 1)]),  # an anchor named twice is one
])  # fmt: skip
def test_each_hop_tells_the_facts_of_what_the_one_before_led_to(
    chain: Knowledge, start: str, hops: int, expected: list[tuple[str, int]]
) -> None:
    assert predicates(spread_from(chain, *start.split(), hops=hops)) == expected


def test_a_whole_level_is_asked_for_at_once(chain: Knowledge) -> None:
    chain.says("user", "knows", to="Ada")
    spread_from(chain, "user", hops=3)
    assert chain.asked == [["user"], ["JACQ", "Ada"], ["DuckDB"]]


def test_entities_come_in_the_order_in_which_they_are_reached_anchors_first(chain: Knowledge) -> None:
    found = spread_from(chain, "DuckDB", "user", hops=2)
    assert chain.names(found.entities) == ["DuckDB", "user", "C++", "JACQ"]


def test_what_an_overlooked_fact_leads_to_is_not_reached(known: Knowledge) -> None:
    known.says("a", "likes", to="b", confidence=0.9)
    known.says("a", "likes", to="c", confidence=0.1)
    known.says("c", "is", "far")
    assert predicates(spread_from(known, "a", per_entity=1)) == [("likes", 1)]


def test_two_thousand_entities_are_enough_and_it_is_said(known: Knowledge) -> None:
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


def by_confidence(stored: StoredFact) -> float:
    return stored.fact.confidence


def test_among_equals_the_nearer_then_the_older_fact_comes_first(known: Knowledge) -> None:
    known.says("b", "is", "far")
    known.says("a", "second", to="b")
    known.says("a", "third", "x")
    met = spread([known.node("a")], known.facts_of, limits=RecallLimits()).facts
    assert [one.fact.id for one in ranked(reversed(met), by_confidence)] == [2, 3, 1]


def told(known: Knowledge, *order: str) -> str:
    return narrative([Told(one) for one in known.facts], [known.node(name) for name in order])


def test_blocks_follow_the_entities_whatever_the_order_of_the_facts(known: Knowledge) -> None:
    known.says("b", "is", "second")
    known.says("a", "is", "first")
    assert told(known, "a", "b") == "### 💡 CONTEXT: a\n- is: first\n\n### 💡 CONTEXT: b\n- is: second"


@pytest.mark.parametrize("name", ["user", "User", "USER"])
def test_the_user_is_known_in_any_letters(known: Knowledge, name: str) -> None:
    known.says(name, "prefers", "tabs")
    assert told(known, name).startswith("### 👤 USER CONTEXT\n")


def test_a_value_stays_on_its_line(known: Knowledge) -> None:
    known.says("a", "is", "x\n\n### 💡 CONTEXT: b\r\n- is: \x1b[31mred\u202e\u2028end")
    heading, line = told(known, "a").split("\n")
    assert heading == "### 💡 CONTEXT: a"
    assert line == r"- is: x ### 💡 CONTEXT: b\x0d - is: \x1b[31mred\u202e\u2028end"


def test_a_name_cannot_end_its_heading(known: Knowledge) -> None:
    known.says("a\n- is: forged", "is", "x")
    assert told(known, "a\n- is: forged").split("\n") == ["### 💡 CONTEXT: a - is: forged", "- is: x"]
