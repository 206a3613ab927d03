"""Entities and facts are offered where they can stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tx_graph.faces.cli.completion.candidates import Answer, Candidate, Hint, complete
from tx_graph.knowledge.entities import Entities
from tx_graph.knowledge.facts import Facts
from tx_graph.workspace import open_workspace


@pytest.fixture
def facts(memory: Path) -> Path:
    """The root of a workspace in which the billing service uses DuckDB, which is fast."""
    with open_workspace(memory) as workspace:
        workspace.kernel.one(Facts).add(subject="Billing service", predicate="uses", object="DuckDB")
        workspace.kernel.one(Facts).add(subject="DuckDB", predicate="is", value="fast")
        workspace.kernel.one(Entities).edit("DuckDB", type="tool")
    return memory


def values(*words: str, cwd: Path) -> list[str]:
    return [one.value for one in complete(words, cwd=cwd).candidates]


def test_entities_are_offered_by_name_with_what_they_are(facts: Path) -> None:
    assert complete(["entity:show", "d"], cwd=facts) == Answer((Candidate("DuckDB", "tool"),), (Hint.NAMES,))
    assert sorted(values("fact:add", "", cwd=facts)) == ["Billing service", "DuckDB"]
    assert values("fact:add", "x", "uses", "bill", cwd=facts) == ["Billing service"]


def test_a_node_may_be_an_entity(facts: Path) -> None:
    assert values("graph:show", "entity:du", cwd=facts) == ["entity:DuckDB"]
    assert values("graph:path", "1", "entity:Bi", cwd=facts) == ["entity:Billing service"]


def test_facts_are_offered_by_number_with_what_they_say(facts: Path) -> None:
    assert complete(["fact:confirm", ""], cwd=facts).candidates == (
        Candidate("2", "DuckDB is: fast"),
        Candidate("1", "Billing service uses: DuckDB"),
    )


def test_predicates_in_use_are_offered(facts: Path) -> None:
    assert values("fact:add", "x", "", cwd=facts) == ["is", "uses"]
    assert values("fact:list", "--predicate", "u", cwd=facts) == ["uses"]


def test_without_a_workspace_nothing_is_offered(tmp_path: Path) -> None:
    assert values("entity:show", "", cwd=tmp_path) == values("fact:confirm", "", cwd=tmp_path) == []
