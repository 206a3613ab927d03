"""config, model, doctor and status."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.faces.cli.terminal import Checkout, CommandLine
from tests.isolation import run_without
from tx_graph.core.settings import SETTINGS


def put_garbage(home: Path) -> None:
    (home / ".tx" / "graph.db").write_bytes(b"no database at all " * 1_000)


def findings(document: Any) -> dict[str, dict[str, str]]:  # noqa: ANN401 - JSON
    return {one["check"]: one for one in document["findings"]}


def test_settings_are_shown_without_what_downloads() -> None:
    loaded = run_without(
        ["http", "ssl"],
        "import tx_graph.faces.cli.render.settings\nprint(json.dumps('tx_graph.vectors.download' in sys.modules))",
    )
    assert loaded is False


def test_config_shows_every_setting(shared: CommandLine) -> None:
    out = shared.ok("config").out
    assert all(key in out and setting.summary in out for key, setting in SETTINGS.items())
    shape = shared.json("config")["settings"]
    assert shape == {
        key: list(one.default) if isinstance(one.default, tuple) else one.default for key, one in SETTINGS.items()
    }
    assert all(glob in out for glob in shape["cochanges.exclude"])


def test_a_list_is_shown_and_set_entry_by_entry(tx: CommandLine) -> None:
    assert tx.ok("config", "set", "cochanges.exclude", "*.lock, docs/**").out == "*.lock\ndocs/**\n"
    assert tx.ok("config get cochanges.exclude").out == "*.lock\ndocs/**\n"
    assert tx.json("config get cochanges.exclude")["value"] == ["*.lock", "docs/**"]
    assert "\n  *.lock, docs/**\n" in tx.ok("config").out
    tx.ok("config set cochanges.exclude []")
    assert tx.json("config")["settings"]["cochanges.exclude"] == []


def test_set_keeps_comments_and_get_reads_it_back(tx: CommandLine, checkout: Checkout) -> None:
    file = checkout.write(".tx/config.toml", "# why 5\n[cochanges]\nmin_support = 4 # four\n")
    assert tx.ok("config set cochanges.min_support 5").out == "5\n"
    assert tx.json("config get cochanges.min_support") == {"key": "cochanges.min_support", "value": 5}
    assert "# why 5" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text", ["embedder = ", "[", "embedder = 'a'\nembedder = 'b'", "colour = 'red'", "cochanges.min_support = []"]
)
def test_a_broken_configuration_is_named_and_stops_no_help_and_no_doctor(
    tx: CommandLine, checkout: Checkout, text: str
) -> None:
    checkout.write(".tx/config.toml", text)
    outcome = tx("status")
    assert (outcome.status, "config.toml" in outcome.err) == (2, True)
    tx.ok("config --help")
    outcome = tx("doctor")
    assert outcome.status == 1
    assert "PROBLEM  config" in outcome.out
    assert "ok       database" in outcome.out


def test_without_a_model_status_says_where_it_goes_and_there_is_nothing_to_remove(
    elsewhere: CommandLine, tmp_path: Path
) -> None:
    outcome = elsewhere("model status --json")
    assert (outcome.status, outcome.document["state"]) == (1, "missing")
    assert outcome.document["path"].startswith(str(tmp_path / "no-model"))
    assert "not installed; 'tx model install' puts it into" in elsewhere("model status").out
    assert elsewhere.json("model remove")["freed_bytes"] == 0


def test_status_search_and_doctor_are_honest_about_what_is_missing(tx: CommandLine) -> None:
    tx.add("One")
    outcome = tx.ok("status")
    assert "not installed: search is by words alone" in outcome.out
    assert "Co-changes were never analysed" in outcome.err
    embedding = tx.json("status")["embedding"]
    assert (embedding["installed"], embedding["lacking"]) == (False, 1)
    assert tx.ok("learning:search one").err.count("By words alone") == 1
    assert tx("learning:search one --json").err == ""
    advice = findings(tx.json("doctor"))["model"]
    assert (advice["level"], "tx model install" in advice["hint"]) == ("advice", True)


def test_a_model_that_fails_is_a_warning_for_what_is_saved(tx: CommandLine) -> None:
    tx.ok("config set embedder fastembed:nope/none")
    outcome = tx.ok("learning:add One")
    assert outcome.out.endswith("(learning:1)\n")
    assert "warning: It has no vector yet: " in outcome.err
    tx.ok("learning:edit 1 --content Two")
    assert tx.json("learning:show 1")["content"] == "Two"
    tx.ok("fact:add Service uses DuckDB")
    changed = tx.ok("entity:edit DuckDB --type tool")
    assert (changed.out, changed.err.startswith("tx: warning: It has no vector yet: ")) == ("DuckDB (tool)\n", True)


def test_the_doctor_mends_and_leaves_the_times_of_learnings_alone(
    tx: CommandLine, checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    tx.add("One", "--anchor", "src/auth.py", "--anchor", "src/*.py")
    tx.add("Two", "--link", "1:part-of", "--link", "1")
    before = tx.json("learning:list")["learnings"]
    monkeypatch.setattr("tx_graph.core.kernel.SystemClock.now", lambda self: datetime(2030, 1, 1, tzinfo=UTC))
    outcome = tx.ok("doctor --fix")
    assert "fixed: read all records again (0 taken in)" in outcome.err
    assert "PROBLEM" not in outcome.out
    assert tx.json("learning:list")["learnings"] == before
    assert tx.json("doctor --fix").keys() == {"fixed", "findings"}


def test_a_damaged_database_is_a_finding_moved_aside_and_built_again(tx: CommandLine, home: Path) -> None:
    tx.add("Kept in text")
    put_garbage(home)
    outcome = tx("doctor")
    assert outcome.status == 1
    assert "PROBLEM  database" in outcome.out
    assert "ok       git" in outcome.out
    found = findings(tx("doctor --json").document)["database"]
    assert (found["level"], "--fix" in found["hint"]) == ("problem", True)
    outcome = tx.ok("doctor --fix")
    assert "fixed: moved the damaged database to" in outcome.err
    assert "Run 'tx sync'." in outcome.out
    assert (home / ".tx" / "graph.db.damaged").exists()
    assert [one["content"] for one in tx.json("learning:list")["learnings"]] == ["Kept in text"]
    tx.ok("index")
    assert findings(tx.json("doctor"))["index"]["level"] == "ok"


def test_a_walk_says_that_the_index_is_missing_and_a_search_without_one_does_not_look(
    tx: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    tx.add("One")
    sentence = "Files were never indexed; run 'tx sync'.\n"
    assert tx.ok("learning:search one --expand").err.endswith(sentence)
    assert sentence not in tx.ok("learning:search one").err
    assert tx.json("learning:search one --expand")["results"]
    tx.ok("index")
    assert "indexed" not in tx.ok("learning:search one --expand").err
    monkeypatch.delattr("subprocess.Popen")
    assert tx.json("learning:search one")["results"], "git is asked nothing"
