"""What people say of anchors, and what the log tells."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine

SYMBOL = "src/auth.py::login"


@pytest.fixture
def memory(tx: CommandLine) -> CommandLine:
    """A learning that is anchored to a function and to a file."""
    tx.add("Everybody may log in", "--anchor", SYMBOL, "--anchor", "README.md")
    return tx


def edit(home: Path, old: str, new: str) -> None:
    file = home / "src" / "auth.py"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def commit(home: Path, message: str) -> str:
    subprocess.run(["git", "commit", "--quiet", "--all", "--message", message], cwd=home, check=True)
    listing = subprocess.run(["git", "rev-parse", "HEAD"], cwd=home, check=True, stdout=subprocess.PIPE, text=True)
    return listing.stdout.strip()


def record(home: Path) -> str:
    [path] = (home / ".tx" / "learnings").iterdir()
    return path.read_text(encoding="utf-8")


def test_confirming_makes_a_drifted_anchor_hold(memory: CommandLine, home: Path) -> None:
    edit(home, "True", "False")
    assert memory("graph:verify").status == 1
    assert memory.ok("graph:confirm", "1", SYMBOL).out == f"learning:1  {SYMBOL}  confirmed\n"
    assert memory("graph:verify").status == 0


def test_confirming_follows_what_was_renamed(memory: CommandLine, home: Path) -> None:
    edit(home, "def login", "def sign_in")
    assert memory.ok("graph:confirm", "1", SYMBOL).out == (f"learning:1  {SYMBOL} → src/auth.py::sign_in  confirmed\n")
    assert "symbol: sign_in" in record(home)


def test_what_is_nowhere_cannot_be_confirmed(memory: CommandLine, home: Path) -> None:
    (home / "src" / "auth.py").unlink()
    before = record(home)
    outcome = memory("graph:confirm", "1")
    assert (outcome.status, record(home)) == (3, before)
    assert f"{SYMBOL} cannot be confirmed: the file is gone. Nothing was changed." in outcome.err


def test_a_pinned_anchor_on_a_deleted_file_is_left_alone(memory: CommandLine, home: Path) -> None:
    assert memory.ok("graph:pin", "1", SYMBOL).out == f"learning:1  {SYMBOL}  pinned\n"
    assert memory.ok("graph:pin", "1", SYMBOL).out == f"learning:1  {SYMBOL}  is pinned already\n"
    (home / "src" / "auth.py").unlink()
    outcome = memory.ok("graph:verify")
    assert f"skipped: pinned  {SYMBOL}" in outcome.out
    assert memory.ok("graph:unpin", "1").out.splitlines() == [
        "learning:1  README.md  is not pinned",
        f"learning:1  {SYMBOL}  no longer pinned",
    ]
    assert memory("graph:verify").status == 1


def test_invalidating_and_restoring_leaves_the_record_as_it_was(memory: CommandLine, home: Path) -> None:
    before = record(home)
    assert memory.ok("graph:invalidate", "1", SYMBOL, "--reason", "the gateway does it").out == (
        f"learning:1  {SYMBOL}  invalidated\n"
    )
    assert "reason: the gateway does it" in record(home)
    assert "gone" in memory.ok("learning:show", "1").out
    outcome = memory("graph:verify", "--json")
    assert outcome.status == 1
    told = {one["anchor"]: (one["verdict"], one["reason"], one["detail"]) for one in outcome.document["anchors"]}
    assert told[SYMBOL] == ("invalid", "invalidated", "the gateway does it")
    assert memory.ok("graph:restore", "1").out == f"learning:1  {SYMBOL}  restored\n"
    assert record(home) == before
    assert memory("graph:verify").status == 0


def test_history_tells_what_broke_and_what_healed(memory: CommandLine, home: Path) -> None:
    edit(home, "True", "False")
    breaking = commit(home, "nobody may log in")
    memory("graph:verify")
    memory("graph:verify")
    edit(home, "False", "True")
    memory("graph:verify")
    events = memory.json("graph:history", "1")["events"]
    assert [(one["event"], one["anchor"], one["old_status"], one["new_status"]) for one in events] == [
        ("drifted", SYMBOL, "valid", "drifted"),
        ("healed", SYMBOL, "drifted", "valid"),
    ]
    assert (events[0]["commit"], events[0]["commit_subject"]) == (breaking, "nobody may log in")
    assert memory.json("graph:history", SYMBOL)["events"] == events
    assert memory.json("graph:history", "src")["events"] == events
    assert memory.json("graph:history", "README.md")["events"] == []
    told = memory.ok("graph:history", "1", "-n", "1")
    assert "healed" in told.out
    assert "drifted:body" not in told.out
    assert told.err == "1 more; show them with -n 2.\n"


def test_what_leads_out_is_refused_and_logged(memory: CommandLine) -> None:
    for place in ("../elsewhere.py", "/etc/passwd"):
        outcome = memory("graph:link", "1", place)
        assert (outcome.status, "outside the repository" in outcome.err) == (2, True)
    events = memory.json("graph:history", "1")["events"]
    assert [(one["event"], one["reason"], one["new_place"]) for one in events] == [
        ("refused", "outside_repository", "../elsewhere.py"),
        ("refused", "outside_repository", "/etc/passwd"),
    ]


def test_pruning_removes_what_is_invalid_for_long_and_restoring_brings_it_back(memory: CommandLine, home: Path) -> None:
    before = record(home)
    text = (home / "src" / "auth.py").read_text(encoding="utf-8")
    (home / "src" / "auth.py").unlink()
    memory("graph:verify")
    assert memory.ok("graph:prune", "--older-than", "90d").err == "No anchor has been invalid for 90d.\n"
    assert f"learning:1 would lose {SYMBOL}" in memory.ok("graph:prune", "--older-than", "0d", "--dry-run").out
    assert record(home) == before
    pruned = memory.json("graph:prune", "--older-than", "0d")["pruned"]
    assert [(one["anchor"], one["reason"], one["uid"] in record(home)) for one in pruned] == [
        (SYMBOL, "file_deleted", True)
    ]
    assert "auth.py" not in record(home)
    assert [one["event"] for one in memory.json("graph:history", "1")["events"]] == ["invalid", "pruned"]
    (home / "src" / "auth.py").write_text(text, encoding="utf-8")
    memory.ok("graph:restore", "1")
    assert record(home) == before
    assert memory("graph:verify").status == 0


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["graph:confirm", "9"], 3), (["graph:confirm", "1", "nowhere.py"], 3), (["graph:pin", "1", "src/none.py"], 3),
        (["graph:restore", "1"], 3), (["graph:invalidate", "1"], 2), (["graph:invalidate", "1", "--reason", " "], 2),
        (["graph:invalidate", "1", "--reason", "x", "--commit", "nope"], 3), (["graph:history", "nowhere.py"], 3),
        (["graph:history", "../x"], 2), (["graph:history", "1", "-n", "0"], 2),
        (["graph:prune", "--older-than", "x"], 2), (["graph:prune", "--older-than", "-1d"], 2), (["graph:prune"], 2),
    ],
    ids=str,
)  # fmt: skip
def test_what_makes_no_sense_is_refused_and_changes_nothing(
    memory: CommandLine, home: Path, arguments: list[str], status: int
) -> None:
    before = record(home)
    outcome = memory(*arguments)
    assert (outcome.status, record(home)) == (status, before)
    assert outcome.err.startswith("tx: ")


@pytest.mark.parametrize(
    ("word", "spec", "why"),
    [
        ("login", SYMBOL, "the only symbol named 'login'"),
        ("LOGIN", SYMBOL, "the only symbol named 'LOGIN', but for case"),
        ("log", SYMBOL, "the only symbol with 'log' in its name"),
        ("True", "src/auth.py:L2-L2", "the only place with 'True' in it"),
    ],
)
def test_a_word_chooses_the_best_anchor(tx: CommandLine, word: str, spec: str, why: str) -> None:
    tx.add("Everybody may log in")
    told = tx.json("graph:link", "1", "src/auth.py", word, "--dry-run")
    assert (told["anchor"]["anchor"], told["why"], told["learning"]["anchors"]) == (spec, why, [])
    assert tx.ok("graph:link", "1", "src/auth.py", word).out.endswith(f": {why}\n")
    assert [one["anchor"] for one in tx.json("learning:show", "1")["anchors"]] == [spec]


def test_a_word_that_is_everywhere_means_the_file(tx: CommandLine, home: Path) -> None:
    (home / "src" / "auth.py").write_text("def get_a():\n    pass\n\n\ndef get_b():\n    pass\n", encoding="utf-8")
    tx.add("Getters do nothing")
    outcome = tx.ok("graph:link", "1", "src/auth.py", "get")
    assert "so the whole file" in outcome.out
    assert "src/auth.py::get_a, src/auth.py::get_b" in outcome.err


@pytest.mark.parametrize("extra", [["--symbol", "login"], ["--lines", "1-2"], ["--anchor-type", "hash"]])
def test_a_word_and_a_place_contradict_each_other(memory: CommandLine, extra: list[str]) -> None:
    assert memory("graph:link", "1", "src/auth.py", "login", *extra).status == 2
