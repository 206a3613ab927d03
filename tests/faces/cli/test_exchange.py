"""Carrying learnings from one repository to another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine

LOCAL = {"id", "updated_at", "usage_count", "last_used_at", "feedback_score", "record", "existed", "revived"}
COUNTS = {"added": 0, "updated": 0, "revived": 0, "duplicates": 0, "lines": 0}


def test_an_export_can_be_imported_elsewhere(tx: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tx.add("First\n\nwith ünïcode \u2028 and a line separator", "--category", "a", "--keyword", "x,y")
    tx.add("Second", "--anchor", "src/auth.py::login", "--link", "1:elaborates", "--confidence", "0.5")
    tx.ok("learning:remove", tx.add("Removed"))
    exported = tx.ok("learning:export").out
    before = tx.json("learning:list")["learnings"]
    there = tmp_path / "there"
    there.mkdir()
    monkeypatch.chdir(there)
    tx.ok("init")
    assert tx.ok("learning:import", "-", stdin=exported.encode()).out == "Added 2 learnings; 0 known already.\n"
    after = tx.json("learning:list")["learnings"]
    curated = [{key: value for key, value in one.items() if key not in LOCAL} for one in [*before, *after]]
    assert sorted(curated[:2], key=lambda one: one["uid"]) == sorted(curated[2:], key=lambda one: one["uid"])
    assert tx.json("learning:import", "-", stdin=exported.encode()) == COUNTS | {"duplicates": 2, "lines": 2}


def test_one_bad_line_imports_nothing(tx: CommandLine, home: Path) -> None:
    lines = ['{"content": "Good"}', "", "{broken", '{"content": ""}', "[]", '{"content": "x", "colour": "red"}']
    (home / "lines.jsonl").write_text("\n".join(lines), encoding="utf-8")
    outcome = tx("learning:import", "lines.jsonl")
    assert outcome.status == 2
    for number in (3, 4, 5, 6):
        assert f"line {number}: " in outcome.err
    assert tx.json("learning:list")["learnings"] == []


@pytest.mark.parametrize("confidence", ["NaN", "-1", "1.1", '"high"', "true", "Infinity", "1e999"])
def test_bad_numbers_name_their_line(tx: CommandLine, confidence: str) -> None:
    line = f'{{"content": "x", "confidence": {confidence}}}'
    outcome = tx("learning:import", "-", stdin=line.encode())
    assert outcome.status == 2
    assert "line 1: " in outcome.err


def test_a_thousand_bad_lines_do_not_flood(tx: CommandLine) -> None:
    outcome = tx("learning:import", "-", stdin=b"nonsense\n" * 1_000)
    assert outcome.status == 2
    assert len(outcome.err.splitlines()) < 25


@pytest.mark.parametrize("file", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read(tx: CommandLine, file: str) -> None:
    outcome = tx("learning:import", file)
    assert outcome.status == 2
    assert "cannot be read" in outcome.err


def test_nothing_imports_nothing(tx: CommandLine) -> None:
    assert tx.json("learning:import", "-", stdin=b"\n\n") == COUNTS


def test_progress_is_silent_in_a_pipe(tx: CommandLine) -> None:
    lines = "\n".join(json.dumps({"content": f"Number {number}"}) for number in range(50))
    outcome = tx.ok("learning:import", "-", stdin=lines.encode())
    assert (outcome.out, outcome.err) == ("Added 50 learnings; 0 known already.\n", "")
    for command in (["index", "--force"], ["graph:analyze-cochanges"]):
        assert tx.ok(*command).err == ""
