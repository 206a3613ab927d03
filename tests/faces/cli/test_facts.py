"""Facts and entities on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import CommandLine

FACT = {
    "node", "verdict", "drift",
    "id", "uid", "ref", "subject", "predicate", "object", "value", "confidence", "status", "source", "source_ref",
    "created_at", "valid_until", "superseded_by", "access_count", "last_accessed_at", "record", "private", "score",
}  # fmt: skip
ENTITY = {"node", "ref", "name", "type", "aliases", "description", "uid", "created_at", "facts", "mentions"}
BILLING = "'Billing service'"


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    """Two facts about a service."""
    return prepared(
        f"fact:add {BILLING} uses DuckDB", f"fact:add {BILLING} owner --value Ada --confidence 0.8 --status confirmed"
    )


def column(name: str, document: Any) -> list[Any]:  # noqa: ANN401 - JSON
    return [fact[name] for fact in document["facts"]]


def test_adding_says_what_was_understood(tx: CommandLine) -> None:
    added = tx.ok("fact:add 'Search service' 'Depends on' DuckDB")
    assert added.out == "Added fact:3 (staged): Search service depends_on: DuckDB\n"
    assert tx.ok("fact:add 'search SERVICE' depends-on duckdb").out.startswith("Already known fact:3")
    shape = tx.json("fact:add user prefers --value - --source conversation", stdin=b"short answers\n")
    assert shape["score"] == pytest.approx(1.0)
    assert shape.keys() == FACT | {"existed", "revived", "superseded", "conflicting"}
    told = (shape["value"], shape["object"], shape["source"], shape["status"])
    assert told == ("short answers", None, "conversation", "staged")


def test_superseding_and_conflicts_are_said_at_once(tx: CommandLine) -> None:
    doubtful = tx.ok(f"fact:add {BILLING} owner --value Bob --confidence 0.5")
    says = "tx: fact:2 says otherwise (user_edit): Billing service owner: Ada. See 'tx fact:conflicts'.\n"
    assert doubtful.err == says
    heading, *rows = tx.ok("fact:conflicts").out.splitlines()
    assert (heading, [row.split()[0] for row in rows]) == ("Billing service owner:", ["fact:2", "fact:3"])
    (conflict,) = tx.json("fact:conflicts")["conflicts"]
    assert column("value", conflict) == ["Ada", "Bob"]
    certain = tx.ok(f"fact:add {BILLING} owner --value Cleo")
    assert certain.out.splitlines()[1:] == [
        "It supersedes fact:2: Billing service owner: Ada",
        "It supersedes fact:3: Billing service owner: Bob",
    ]
    assert tx.ok("fact:conflicts").err == "No conflicts.\n"


def test_listing_filters_and_looks_back(tx: CommandLine) -> None:
    rows = tx.json("fact:list")
    assert (column("id", rows), rows["facts"][0].keys()) == ([2, 1], FACT)
    assert column("id", tx.json("fact:list duckdb")) == [1]
    assert column("id", tx.json("fact:list --status confirmed")) == [2]
    assert tx.json("fact:list --as-of 2020-01-01") == {"facts": []}
    tx.ok("fact:retract 2")
    assert column("id", tx.json("fact:list")) == [1]
    assert column("id", tx.json("fact:list --past")) == [2, 1]
    table = tx.ok("fact:list --past").out.splitlines()
    assert table[0].split() == ["#", "score", "status", "fact", "source", "since", "until"]
    assert "retracted" in table[1]


def test_confirming_and_retracting_takes_many(tx: CommandLine) -> None:
    assert tx.ok("fact:confirm 1 fact:2").out == (
        "Confirmed fact:1: Billing service uses: DuckDB\nConfirmed fact:2: Billing service owner: Ada\n"
    )
    assert column("status", tx.json("fact:retract 1 2")) == ["retracted", "retracted"]


def test_history_by_entity_and_by_fact(tx: CommandLine) -> None:
    tx.ok(f"fact:add {BILLING} owner --value Bob")
    asked = {"'billing service'": [1, 2, 3], "'billing service' --predicate owner": [2, 3], "3": [2, 3]}
    assert {of: column("id", tx.json(f"fact:history {of}")) for of in asked} == asked
    assert "superseded" in tx.ok("fact:history 3").out


def test_maintenance_says_what_it_would_do(tx: CommandLine) -> None:
    tx.ok("fact:add a is --value doubtful --confidence 0.05")
    faded = "Faded: fact:3 (score 0.100, 0 recalls): a is: doubtful\n"
    assert tx.ok("fact:maintain").out == tx.ok("fact:maintain --dry-run").out == faded
    assert "fact:maintain --apply" in tx.ok("fact:maintain").err
    assert tx.ok("fact:maintain --apply").out == faded.replace("Faded", "Retracted")
    assert tx.ok("fact:maintain").err == "Nothing to do: 2 facts looked at.\n"
    nothing = {"promoted": [], "retracted": [], "waiting": [], "looked_at": 2}
    assert tx.json("fact:maintain --apply") == {**nothing, "dry_run": False}


def test_a_private_fact_says_so(tx: CommandLine) -> None:
    assert tx.ok("fact:add me likes --value tea --private").out == "Added fact:3 (staged, private): me likes: tea\n"
    assert "staged, private" in tx.ok("fact:list --grep TEA").out
    assert tx.json("fact:list --grep tea")["facts"][0]["private"] is True


def test_entities_are_shown_listed_named_and_merged(tx: CommandLine) -> None:
    assert tx.ok("entity:edit duckdb --type tool --description OLAP").out == "DuckDB (tool)\n"
    assert tx.ok("entity:alias DuckDB duck DDB").out == "DuckDB (tool), also DDB, duck\n"
    shape = tx.json("entity:show ddb")
    assert shape.keys() == ENTITY | {"facts", "named_by"}
    assert [fact["subject"] for fact in shape["named_by"]] == ["Billing service"]
    shown = tx.ok(f"entity:show {BILLING}").out
    assert "- uses: DuckDB  (staged, user_edit, fact:1)" in shown
    assert "- owner: Ada  (user_edit, fact:2)" in shown
    assert [one["name"] for one in tx.json("entity:list --type tool")["entities"]] == ["DuckDB"]
    assert tx.ok("entity:list").out.splitlines()[0].split() == ["type", "name", "also", "facts", "mentions"]
    tx.ok("fact:add Duck-DB speed --value fast")
    assert tx.json("entity:merge Duck-DB duck")["aliases"] == ["DDB", "duck", "Duck-DB"]
    assert tx.json("entity:alias DuckDB ddb --remove")["aliases"] == ["duck", "Duck-DB"]


def test_the_graph_shows_entities_by_their_names(tx: CommandLine) -> None:
    tx.ok("entity:edit DuckDB --description 'Embedded OLAP database'")
    assert "entity:DuckDB" in tx.ok("graph:neighbors 'entity:Billing service'").out
    assert "Embedded OLAP database" in tx.ok("graph:show entity:duckdb").out
    assert "uses" in tx.ok("graph:path 'entity:Billing service' entity:DuckDB").out
