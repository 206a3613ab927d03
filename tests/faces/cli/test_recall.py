"""tx recall: the narrative on stdout, what is to say beside it on stderr, and one JSON document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine


@pytest.fixture
def facts(tx: CommandLine) -> None:
    """The user works on JACQ, which uses DuckDB; that the user prefers dark mode is only staged."""
    tx.ok("fact:add", "user", "prefers", "--value", "dark mode")
    tx.ok("fact:add", "user", "works_on", "JACQ", "--status", "confirmed")
    tx.ok(
        "fact:add", "JACQ", "uses", "DuckDB", "--status", "confirmed", "--source", "file", "--source-ref", "docs/a.md"
    )


@pytest.mark.usefixtures("facts")
def test_the_narrative_is_all_there_is_on_stdout(tx: CommandLine) -> None:
    outcome = tx.ok("recall", "what does the user do?")
    assert outcome.out == (
        "### 👤 USER CONTEXT\n"
        "- works_on: JACQ\n"
        "- prefers: dark mode (staged)\n"
        "\n"
        "### 💡 CONTEXT: JACQ\n"
        "- uses: DuckDB (docs/a.md is gone)\n"
    )
    assert outcome.err == "From user (named).\n"


@pytest.mark.usefixtures("facts")
def test_what_is_cut_is_said(tx: CommandLine) -> None:
    outcome = tx.ok("recall", "user", "--max-facts", "1")
    assert outcome.out == "### 👤 USER CONTEXT\n- works_on: JACQ\n"
    assert outcome.err.splitlines()[-1] == "2 more facts: see --max-facts, --per-entity and --budget."


@pytest.mark.usefixtures("facts")
def test_nothing_known_prints_nothing(tx: CommandLine) -> None:
    outcome = tx.ok("recall", "DuckDB")
    assert (outcome.out, outcome.err) == ("", "Nothing is known about DuckDB (named).\n")
    outcome = tx.ok("recall", "something else")
    assert outcome.out == ""
    assert "tx entity:list" in outcome.err


@pytest.mark.usefixtures("facts")
def test_json_has_every_key(tx: CommandLine) -> None:
    document = tx.json("recall", "what does the user do?", "--hops", "1")
    assert document["query"] == "what does the user do?"
    assert document["anchors"] == [
        {"ref": "entity:user", "name": "user", "type": "person", "score": 1.0, "matched_by": "name"}
    ]
    first = document["facts"][0]
    expected = {
        "subject": "user",
        "predicate": "works_on",
        "object": "JACQ",
        "value": None,
        "status": "confirmed",
        "hops": 1,
        "verdict": None,
        "conflicting": False,
        "score": 2.4,
    }
    assert first | expected == first
    assert document["narrative"].startswith("### 👤 USER CONTEXT\n- works_on: JACQ")
    assert (document["found"], document["omitted"], document["notices"]) == (2, 0, [])


@pytest.mark.usefixtures("facts")
def test_a_fact_of_a_document_has_its_verdict(tx: CommandLine) -> None:
    (fact,) = tx.json("recall", "JACQ")["facts"]
    assert fact["verdict"] == "gone"


@pytest.mark.usefixtures("facts")
def test_the_past_and_a_budget_can_be_asked_for(tx: CommandLine) -> None:
    assert tx.json("recall", "user", "--as-of", "2020-01-01")["facts"] == []
    outcome = tx.ok("recall", "user", "--budget", "25")
    assert outcome.out.splitlines()[-1] == "… and 2 more facts; a bigger --budget shows more."


def test_a_question_may_come_on_stdin(tx: CommandLine, facts: None) -> None:
    assert tx.ok("recall", "-", stdin=b"the user").out.startswith("### 👤 USER CONTEXT")


@pytest.mark.parametrize("arguments", [[""], ["x", "--hops", "11"], ["x", "--anchors", "0"], ["x", "--as-of", "soon"]])
def test_what_cannot_be_asked_is_a_usage_error(tx: CommandLine, arguments: list[str]) -> None:
    outcome = tx("recall", *arguments)
    assert outcome.status == 2
    assert outcome.out == ""


@pytest.mark.usefixtures("facts")
def test_the_graph_shows_entities_by_their_names(tx: CommandLine) -> None:
    tx.ok("entity:edit", "DuckDB", "--description", "Embedded OLAP database")
    assert "entity:DuckDB" in tx.ok("graph:neighbors", "entity:user").out
    assert "Embedded OLAP database" in tx.ok("graph:show", "entity:duckdb").out
    assert "uses" in tx.ok("graph:path", "entity:JACQ", "entity:DuckDB").out
    outcome = tx("graph:show", "entity:DuckBD")
    assert outcome.status == 3
    assert "entity:DuckDB" in outcome.err


@pytest.mark.usefixtures("facts")
def test_context_tells_facts_in_every_form(tx: CommandLine) -> None:
    assert '- `JACQ` uses: "DuckDB" (docs/a.md is gone)' in tx.ok("context", "what is JACQ").out
    assert '  JACQ uses: "DuckDB" (docs/a.md is gone)' in tx.ok("context", "what is JACQ", "--format", "plain").out
    (fact,) = json.loads(tx.ok("context", "what is JACQ", "--json").out)["facts"]
    assert (fact["subject"], fact["object"], fact["verdict"]) == ("JACQ", "DuckDB", "gone")


@pytest.mark.usefixtures("facts")
def test_a_database_that_cannot_be_written_still_recalls(tx: CommandLine, home: Path) -> None:
    for path in (home / ".tx", home / ".tx" / "graph.db"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert tx.ok("recall", "user").out.startswith("### 👤 USER CONTEXT")
    finally:
        (home / ".tx").chmod(0o755)
