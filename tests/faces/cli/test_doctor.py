"""doctor on what does not open, and what search says of an old index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.faces.cli.terminal import CommandLine


def put_garbage(home: Path) -> None:
    (home / ".tx" / "graph.db").write_bytes(b"no database at all " * 1_000)


def findings(document: Any) -> dict[str, dict[str, str]]:  # noqa: ANN401 - JSON
    return {one["check"]: one for one in document["findings"]}


def test_a_damaged_database_is_a_finding(tx: CommandLine, home: Path) -> None:
    put_garbage(home)
    outcome = tx("doctor")
    assert outcome.status == 1
    assert "PROBLEM  database" in outcome.out
    assert "ok       git" in outcome.out
    found = findings(tx("doctor", "--json").document)
    assert (found["database"]["level"], "--fix" in found["database"]["hint"]) == ("problem", True)


def test_a_damaged_database_is_moved_aside_and_built_again(tx: CommandLine, home: Path) -> None:
    tx.add("Kept in text")
    put_garbage(home)
    outcome = tx.ok("doctor", "--fix")
    assert "fixed: moved the damaged database to" in outcome.err
    assert "Run 'tx index'." in outcome.out
    assert (home / ".tx" / "graph.db.damaged").exists()
    assert [one["content"] for one in tx.json("learning:list")["learnings"]] == ["Kept in text"]
    tx.ok("index")
    assert findings(tx.json("doctor"))["index"]["level"] == "ok"


def test_a_broken_configuration_is_a_finding(tx: CommandLine, home: Path) -> None:
    (home / ".tx" / "config.toml").write_text("embedder = [", encoding="utf-8")
    outcome = tx("doctor")
    assert outcome.status == 1
    assert "PROBLEM  config" in outcome.out
    assert "ok       database" in outcome.out


def test_a_walk_says_that_the_index_is_missing(tx: CommandLine) -> None:
    tx.add("One")
    sentence = "Files were never indexed; run 'tx index'.\n"
    assert tx.ok("learning:search", "one", "--expand").err.endswith(sentence)
    assert sentence not in tx.ok("learning:search", "one").err
    assert tx.json("learning:search", "one", "--expand")["results"]
    tx.ok("index")
    assert "indexed" not in tx.ok("learning:search", "one", "--expand").err


def test_a_search_without_a_walk_asks_git_nothing(
    tx: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tx.add("One")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("subprocess.Popen", refuse)
    assert tx.json("learning:search", "one")["results"]
