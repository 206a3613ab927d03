"""config, model, doctor and status."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine
from tx_graph.core.settings import SETTINGS


def test_config_shows_every_setting(tx: CommandLine) -> None:
    out = tx.ok("config").out
    assert all(key in out and setting.summary in out for key, setting in SETTINGS.items())
    shape = tx.json("config")["settings"]
    assert shape == {
        key: list(one.default) if isinstance(one.default, tuple) else one.default for key, one in SETTINGS.items()
    }
    assert all(glob in out for glob in shape["cochanges.exclude"])


def test_a_list_is_shown_and_set_entry_by_entry(tx: CommandLine) -> None:
    assert tx.ok("config", "set", "cochanges.exclude", "*.lock, docs/**").out == "*.lock\ndocs/**\n"
    assert tx.ok("config", "get", "cochanges.exclude").out == "*.lock\ndocs/**\n"
    assert tx.json("config", "get", "cochanges.exclude")["value"] == ["*.lock", "docs/**"]
    assert "\n  *.lock, docs/**\n" in tx.ok("config").out
    tx.ok("config", "set", "cochanges.exclude", "[]")
    assert tx.json("config")["settings"]["cochanges.exclude"] == []


def test_set_keeps_comments_and_get_reads_it_back(tx: CommandLine, home: Path) -> None:
    file = home / ".tx" / "config.toml"
    file.write_text("# why 5\n[cochanges]\nmin_support = 4 # four\n", encoding="utf-8")
    assert tx.ok("config", "set", "cochanges.min_support", "5").out == "5\n"
    assert tx.json("config", "get", "cochanges.min_support") == {"key": "cochanges.min_support", "value": 5}
    assert "# why 5" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["get"], 2), (["set"], 2), (["set", "embedder"], 2), (["show", "embedder"], 2), (["get", "embedder", "x"], 2),
        (["get", "min_support"], 3), (["set", "cochanges.min_suport", "3"], 3),
        (["set", "cochanges.min_support", "3.7"], 2), (["set", "cochanges.min_support", "0"], 2),
        (["set", "search.min_similarity", "NaN"], 2), (["set", "search.min_similarity", "1.1"], 2),
        (["set", "cochanges.half_life_days", "inf"], 2), (["set", "embedder", "foo"], 2),
    ],
    ids=str,
)  # fmt: skip
def test_a_wrong_setting_is_refused(tx: CommandLine, home: Path, arguments: list[str], status: int) -> None:
    before = (home / ".tx" / "config.toml").read_bytes()
    outcome = tx("config", *arguments)
    assert outcome.status == status
    assert outcome.err.startswith("tx: ")
    assert (home / ".tx" / "config.toml").read_bytes() == before


def test_a_mistyped_setting_suggests_the_nearest(tx: CommandLine) -> None:
    assert "  cochanges.min_support" in tx("config", "get", "cochanges.min_suport").err.splitlines()


@pytest.mark.parametrize(
    "text", ["embedder = ", "[", "embedder = 'a'\nembedder = 'b'", "colour = 'red'", "cochanges.min_support = []"]
)
def test_a_broken_file_is_named(tx: CommandLine, home: Path, text: str) -> None:
    (home / ".tx" / "config.toml").write_text(text, encoding="utf-8")
    outcome = tx("status")
    assert outcome.status == 2
    assert "config.toml" in outcome.err


def test_a_broken_file_does_not_stop_help(tx: CommandLine, home: Path) -> None:
    (home / ".tx" / "config.toml").write_text("[", encoding="utf-8")
    tx.ok("config", "--help")


def test_model_status_without_a_model(elsewhere: CommandLine, tmp_path: Path) -> None:
    outcome = elsewhere("model", "status", "--json")
    assert outcome.status == 1
    assert outcome.document["state"] == "missing"
    assert outcome.document["path"].startswith(str(tmp_path / "no-model"))
    assert "not installed; 'tx model install' puts it into" in elsewhere("model", "status").out


@pytest.mark.parametrize("arguments", [[], ["frobnicate"], ["remove", "fastembed:x"], ["install", "other-model"]])
def test_a_wrong_model_command_is_refused(elsewhere: CommandLine, arguments: list[str]) -> None:
    assert elsewhere("model", *arguments).status == 2


def test_removing_no_model_is_fine(elsewhere: CommandLine) -> None:
    assert elsewhere.json("model", "remove")["freed_bytes"] == 0


def test_the_doctor_mends(tx: CommandLine, home: Path) -> None:
    tx.add("One", "--anchor", "src/auth.py")
    [record] = (home / ".tx" / "learnings").glob("*.md")
    outcome = tx.ok("doctor", "--fix")
    assert "fixed: read all records again" in outcome.err
    assert "PROBLEM" not in outcome.out
    assert record.exists()
    assert tx.json("doctor", "--fix").keys() == {"fixed", "findings"}


def test_the_doctor_advises_without_failing(tx: CommandLine) -> None:
    findings = {one["check"]: one for one in tx.json("doctor")["findings"]}
    assert findings["model"]["level"] == "advice"
    assert "tx model install" in findings["model"]["hint"]


def test_status_is_honest_about_what_is_missing(tx: CommandLine) -> None:
    tx.add("One")
    outcome = tx.ok("status")
    assert "not installed: search is by words alone" in outcome.out
    assert "Co-changes were never analysed" in outcome.err
    shape = tx.json("status")
    assert shape["embedding"]["installed"] is False
    assert shape["embedding"]["lacking"] == 1


def test_search_by_words_alone_says_so_once(tx: CommandLine) -> None:
    tx.add("One")
    outcome = tx.ok("learning:search", "one")
    assert outcome.err.count("By words alone") == 1
    assert tx("learning:search", "one", "--json").err == ""


def test_a_model_that_does_not_exist_fails_no_addition(tx: CommandLine) -> None:
    tx.ok("config", "set", "embedder", "fastembed:nope/none")
    outcome = tx.ok("learning:add", "One")
    assert outcome.out.startswith("Added learning:1 ")
    assert "warning: It has no vector yet: " in outcome.err
    tx.ok("learning:edit", "1", "--content", "Two")
    assert tx.json("learning:show", "1")["content"] == "Two"


def test_the_doctor_leaves_the_times_of_learnings_alone(
    tx: CommandLine, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tx.add("One", "--anchor", "src/auth.py", "--anchor", "src/*.py")
    tx.add("Two", "--link", "1:part-of", "--link", "1")
    before = tx.json("learning:list")["learnings"]
    monkeypatch.setattr("tx_graph.core.kernel.SystemClock.now", lambda self: datetime(2030, 1, 1, tzinfo=UTC))
    assert "read all records again (0 taken in)" in tx.ok("doctor", "--fix").err
    assert tx.json("learning:list")["learnings"] == before
