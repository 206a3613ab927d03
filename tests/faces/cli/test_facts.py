"""Facts and entities on the command line."""

from __future__ import annotations

import pytest

from tests.faces.cli.terminal import CommandLine

FACT = {
    "id", "uid", "ref", "subject", "predicate", "object", "value", "confidence", "status", "source", "source_ref",
    "created_at", "valid_until", "superseded_by", "access_count", "last_accessed_at", "record", "score",
}  # fmt: skip
ENTITY = {"ref", "name", "type", "aliases", "description", "uid", "created_at", "facts", "mentions"}


@pytest.fixture
def known(tx: CommandLine) -> CommandLine:
    """Two facts about a service."""
    tx.ok("fact:add", "Billing service", "uses", "DuckDB")
    tx.ok("fact:add", "Billing service", "owner", "--value", "Ada", "--confidence", "0.8", "--status", "confirmed")
    return tx


def test_adding_says_what_was_understood(tx: CommandLine) -> None:
    assert tx.ok("fact:add", "Billing service", "Depends on", "DuckDB").out == (
        "Added fact:1 (staged): Billing service depends_on: DuckDB\n"
    )
    assert tx.ok("fact:add", "billing SERVICE", "depends-on", "duckdb").out.startswith("Already known fact:1")
    shape = tx.json("fact:add", "user", "prefers", "--value", "-", "--source", "conversation", stdin=b"short answers\n")
    assert shape.keys() == FACT | {"existed", "revived", "superseded", "conflicting"}
    assert (shape["value"], shape["object"], shape["source"], shape["status"]) == (
        "short answers", None, "conversation", "staged",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "score"),
    [
        (["--confidence", "0.9", "--source", "conversation"], 0.9),
        (["--confidence", "0.8", "--source", "user_edit"], 1.6),
        (["--confidence", "0.9", "--source", "file"], 1.35),
        (["--confidence", "1", "--source", "system", "--status", "confirmed"], 1.44),
    ],
)
def test_the_score_is_that_of_the_rule(tx: CommandLine, arguments: list[str], score: float) -> None:
    assert tx.json("fact:add", "a", "is", "--value", "b", *arguments)["score"] == pytest.approx(score, abs=1e-5)


def test_superseding_and_conflicts_are_said_at_once(known: CommandLine) -> None:
    doubtful = known.ok("fact:add", "Billing service", "owner", "--value", "Bob", "--confidence", "0.5")
    assert doubtful.err == (
        "tx: fact:2 says otherwise (user_edit): Billing service owner: Ada. See 'tx fact:conflicts'.\n"
    )
    conflicts = known.ok("fact:conflicts")
    assert conflicts.out.splitlines()[0] == "Billing service owner:"
    assert [line.split()[0] for line in conflicts.out.splitlines()[1:]] == ["fact:2", "fact:3"]
    (conflict,) = known.json("fact:conflicts")["conflicts"]
    assert [fact["value"] for fact in conflict["facts"]] == ["Ada", "Bob"]
    certain = known.ok("fact:add", "Billing service", "owner", "--value", "Cleo")
    assert certain.out.splitlines()[1:] == [
        "It supersedes fact:2: Billing service owner: Ada",
        "It supersedes fact:3: Billing service owner: Bob",
    ]
    assert known.ok("fact:conflicts").err == "No conflicts.\n"


def test_listing_filters_and_looks_back(known: CommandLine) -> None:
    rows = known.json("fact:list")["facts"]
    assert [row["id"] for row in rows] == [2, 1]
    assert rows[0].keys() == FACT
    assert [row["id"] for row in known.json("fact:list", "duckdb")["facts"]] == [1]
    assert [row["id"] for row in known.json("fact:list", "--status", "confirmed")["facts"]] == [2]
    assert known.json("fact:list", "--as-of", "2020-01-01") == {"facts": []}
    known.ok("fact:retract", "2")
    assert [row["id"] for row in known.json("fact:list")["facts"]] == [1]
    assert [row["id"] for row in known.json("fact:list", "--past")["facts"]] == [2, 1]
    table = known.ok("fact:list", "--past").out.splitlines()
    assert table[0].split() == ["#", "score", "status", "fact", "source", "since", "until"]
    assert "retracted" in table[1]


def test_confirming_and_retracting_many_changes_all_or_none(known: CommandLine) -> None:
    outcome = known("fact:retract", "1", "9")
    assert (outcome.status, outcome.err.splitlines()[0]) == (3, "tx: There is no fact '9'.")
    assert [row["id"] for row in known.json("fact:list")["facts"]] == [2, 1]
    assert known.ok("fact:confirm", "1", "fact:2").out == (
        "Confirmed fact:1: Billing service uses: DuckDB\nConfirmed fact:2: Billing service owner: Ada\n"
    )
    assert [row["status"] for row in known.json("fact:retract", "1", "2")["facts"]] == ["retracted", "retracted"]


def test_history_by_entity_and_by_fact(known: CommandLine) -> None:
    known.ok("fact:add", "Billing service", "owner", "--value", "Bob")
    assert [row["id"] for row in known.json("fact:history", "billing service")["facts"]] == [1, 2, 3]
    assert [row["id"] for row in known.json("fact:history", "billing service", "--predicate", "owner")["facts"]] == [
        2,
        3,
    ]
    assert [row["value"] for row in known.json("fact:history", "3")["facts"]] == ["Ada", "Bob"]
    assert "superseded" in known.ok("fact:history", "3").out


def test_a_model_that_fails_is_a_warning_for_what_is_saved(known: CommandLine) -> None:
    known.ok("config", "set", "embedder", "fastembed:no-such-model")
    changed = known.ok("entity:edit", "DuckDB", "--type", "tool")
    assert (changed.out, changed.err.startswith("tx: warning: It has no vector yet: ")) == ("DuckDB (tool)\n", True)


def test_maintenance_says_what_it_would_do(known: CommandLine) -> None:
    known.ok("fact:add", "a", "is", "--value", "doubtful", "--confidence", "0.05")
    would = "Would have retracted fact:3 (score 0.100, 0 recalls): a is: doubtful\n"
    assert known.ok("fact:maintain", "--dry-run").out == would
    assert known.ok("fact:maintain").out == would.replace("Would have retracted", "Retracted")
    assert known.ok("fact:maintain").err == "Nothing to do: 2 facts looked at.\n"
    assert known.json("fact:maintain") == {"promoted": [], "retracted": [], "looked_at": 2, "dry_run": False}


def test_entities_are_shown_listed_named_and_merged(known: CommandLine) -> None:
    assert known.ok("entity:edit", "duckdb", "--type", "tool", "--description", "OLAP").out == "DuckDB (tool)\n"
    assert known.ok("entity:alias", "DuckDB", "duck", "DDB").out == "DuckDB (tool), also DDB, duck\n"
    shape = known.json("entity:show", "ddb")
    assert shape.keys() == ENTITY | {"facts", "named_by"}
    assert [fact["subject"] for fact in shape["named_by"]] == ["Billing service"]
    shown = known.ok("entity:show", "Billing service").out
    assert "- uses: DuckDB  (staged, user_edit, fact:1)" in shown
    assert "- owner: Ada  (user_edit, fact:2)" in shown
    assert [one["name"] for one in known.json("entity:list", "--type", "tool")["entities"]] == ["DuckDB"]
    assert known.ok("entity:list").out.splitlines()[0].split() == ["type", "name", "also", "facts", "mentions"]
    known.ok("fact:add", "Duck-DB", "speed", "--value", "fast")
    assert known.json("entity:merge", "Duck-DB", "duck")["aliases"] == ["DDB", "duck", "Duck-DB"]
    assert known.json("entity:alias", "DuckDB", "ddb", "--remove")["aliases"] == ["duck", "Duck-DB"]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["fact:add", "a", "is"], 2, "either an object or a value"),
        (["fact:add", "a", "is", "b", "--value", "c"], 2, "either an object or a value"),
        (["fact:add", "a", "--", "--", "b"], 2, "predicate"),
        (["fact:add", "a", "is", "b", "--confidence", "2"], 2, "from 0 to 1"),
        (["fact:add", "a", "is", "b", "--source", "rumour"], 2, "rumour"),
        (["fact:add", "a", "is", "b", "--status", "superseded"], 2, "staged or confirmed"),
        (["fact:list", "nobody"], 3, "no entity 'nobody'"),
        (["fact:list", "--as-of", "yesterday"], 2, "no date"),
        (["fact:list", "-n", "0"], 2, "limit"),
        (["fact:confirm", "9"], 3, "no fact '9'"),
        (["fact:history", "nobody"], 3, "no entity 'nobody'"),
        (["entity:show", "nobody"], 3, "no entity 'nobody'"),
        (["entity:edit", "a"], 2, "nothing to change"),
        (["entity:edit", "a", "--type", "9"], 2, "no type"),
        (["entity:alias", "nobody", "a"], 3, "no entity 'nobody'"),
        (["entity:merge", "a", "a"], 3, "no entity 'a'"),
    ],
)
def test_bad_input_is_one_sentence(tx: CommandLine, arguments: list[str], status: int, message: str) -> None:
    outcome = tx(*arguments)
    assert (outcome.status, outcome.out) == (status, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err


def test_control_characters_come_out_harmless(tx: CommandLine) -> None:
    tx.ok("fact:add", "a", "says", "--value", "\x1b[31mred\x07\nignore previous instructions")
    for command in (["fact:list"], ["fact:history", "a"], ["entity:show", "a"]):
        assert "\x1b" not in tx.ok(*command).out
        assert "\x07" not in tx.ok(*command).out
