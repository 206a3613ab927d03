"""graph:analyze-cochanges, graph:cochanges and graph:check-changes, as people, scripts and hooks meet them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.faces.cli.terminal import PROGRAM, CommandLine, Program
from tests.git_sandbox import SETTINGS

KEYS = {"pairs", "commits", "dropped", "files", "head", "shallow", "mode", "new_commits", "reason"}


def git(home: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=home, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def change(home: Path, *paths: str) -> None:
    for path in paths:
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        with (home / path).open("a", encoding="utf-8") as file:
            file.write("more\n")


def commit(home: Path, *paths: str) -> None:
    change(home, *paths)
    git(home, "add", "--all")
    git(home, "commit", "--quiet", "--message=change")


@pytest.fixture(scope="module")
def past(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`src/jwt.py` changed in 10 of 12 commits that touched `src/auth.py`, the first of which is the template's."""
    root = tmp_path_factory.mktemp("past") / "project"
    shutil.copytree(template, root)
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name, value in SETTINGS.items():
            monkeypatch.setenv(name, value)
        for _ in range(10):
            commit(root, "src/auth.py", "src/jwt.py", "uv.lock")
        commit(root, "src/auth.py")
    return root


@pytest.fixture
def history(home: Path, past: Path) -> Path:
    """The working directory with that past."""
    shutil.copytree(past, home, dirs_exist_ok=True)
    return home


def hook(home: Path, *arguments: str) -> None:
    """Check each commit with a pre-commit hook that refuses."""
    file = home / ".git" / "hooks" / "pre-commit"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\nexec '{PROGRAM[0]}' -m tx_graph graph:check-changes {' '.join(arguments)}\n")
    file.chmod(0o755)


def attempt(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    source = Path(__file__).resolve().parents[3]
    return subprocess.run(
        ["git", "commit", "--message=attempt", *arguments],
        cwd=home,
        env=os.environ | {"PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_partners_are_told_in_words(tx: CommandLine, history: Path) -> None:
    tx.ok("graph:analyze-cochanges")
    outcome = tx.ok("graph:cochanges", "src/auth.py")
    assert outcome.out == "`src/jwt.py` changed in 10 of 12 commits that touched `src/auth.py` (83%)\n"
    assert outcome.err == ""


def test_partners_as_a_document(tx: CommandLine, history: Path) -> None:
    tx.ok("graph:analyze-cochanges")
    shape = tx.json("graph:cochanges", "src/auth.py")
    assert (shape["file"], shape["commits"], shape["total"], shape["notices"]) == ("src/auth.py", 12, 1, [])
    assert shape["partners"] == [
        {"path": "src/jwt.py", "shared": 10, "commits": 12, "confidence": 10 / 12, "score": 10 / 12}
    ]


def test_lock_files_are_left_out_unless_asked_for(tx: CommandLine, history: Path) -> None:
    assert tx.json("graph:analyze-cochanges")["pairs"] == 1
    assert tx.json("graph:analyze-cochanges", "--no-exclude")["pairs"] == 3
    assert tx.json("graph:analyze-cochanges", "--exclude", "jwt.py, nothing", "--exclude", "x")["pairs"] == 0
    assert tx.json("graph:analyze-cochanges", "--no-exclude", "--exclude", "src/")["pairs"] == 0
    tx.ok("config", "set", "cochanges.exclude", "[]")
    assert tx.json("graph:analyze-cochanges")["pairs"] == 3


def test_the_report_says_how_much_was_read_and_why(tx: CommandLine, history: Path) -> None:
    first = tx.json("graph:analyze-cochanges")
    assert first.keys() >= KEYS
    assert (first["mode"], first["new_commits"], first["reason"]) == ("full", 12, None)
    commit(history, "src/auth.py", "src/jwt.py")
    outcome = tx.ok("graph:analyze-cochanges")
    assert outcome.out == "1 pair of files changes together, from 13 commits.\n"
    assert outcome.err == "Incremental: 1 new commit read, the others were known.\n"
    git(history, "commit", "--quiet", "--amend", "--message=other")
    assert tx.ok("graph:analyze-cochanges").err.startswith("Full pass: HEAD does not build on ")
    assert tx.ok("graph:analyze-cochanges", "--full").err == "Full pass: it was asked for.\n"
    assert tx.json("graph:analyze-cochanges")["mode"] == "incremental"


def test_all_pairs_as_tab_separated_lines(tx: CommandLine, history: Path) -> None:
    for _ in range(3):
        commit(history, "a\tb.py", 'c"d.py', "ünï.py")
    tx.ok("graph:analyze-cochanges", "--min-support", "3")
    header, *lines = tx.ok("graph:cochanges", "--all", "--tsv").out.splitlines()
    assert header.split("\t") == ["file_a", "file_b", "score", "commit_count", "commits_a", "commits_b"]
    rows = [line.split("\t") for line in lines]
    assert rows == [
        ['"a\\tb.py"', '"c\\"d.py"', "1.0", "3", "3", "3"],
        ['"a\\tb.py"', "ünï.py", "1.0", "3", "3", "3"],
        ['"c\\"d.py"', "ünï.py", "1.0", "3", "3", "3"],
        ["src/auth.py", "src/jwt.py", repr(10 / 12), "10", "12", "10"],
    ]
    pairs = tx.json("graph:cochanges", "--all")["pairs"]
    assert [pair["commit_count"] for pair in pairs] == [3, 3, 3, 10]
    assert len(tx.ok("graph:cochanges", "--all", "--tsv", "-n", "2").out.splitlines()) == 3
    assert "`src/auth.py` and `src/jwt.py`: 10 commits together, of 12 and 10" in tx.ok("graph:cochanges", "--all").out


def test_without_an_analysis_it_says_so(tx: CommandLine, history: Path) -> None:
    for command in (["src/auth.py"], ["--all"], ["--all", "--tsv"]):
        outcome = tx.ok("graph:cochanges", *command)
        assert outcome.err == "Co-changes were never analysed; run 'tx graph:analyze-cochanges'.\n"
    [notice] = tx.json("graph:cochanges", "src/auth.py")["notices"]
    assert notice.startswith("Co-changes were never analysed")


def test_a_file_without_partners_says_how_often_it_changed(tx: CommandLine, history: Path) -> None:
    tx.ok("graph:analyze-cochanges")
    outcome = tx.ok("graph:cochanges", "README.md")
    assert (outcome.out, outcome.err) == ("", "Nothing usually changes with README.md, in 1 counted commit.\n")
    change(history, "new.py")
    assert tx.ok("graph:cochanges", "new.py").err == "No commit that was counted touched new.py.\n"


@pytest.mark.parametrize(
    "arguments",
    [[], ["--tsv"], ["README.md", "--all"], ["README.md", "--tsv"], ["--all", "--tsv", "--json"], ["--all", "-n", "0"]],
    ids=" ".join,
)
def test_a_question_that_makes_no_sense_is_refused_with_a_hint(tx: CommandLine, arguments: list[str]) -> None:
    outcome = tx("graph:cochanges", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("tx: " if "--json" not in arguments else '{"error"')


def test_an_unknown_file_is_not_found(tx: CommandLine) -> None:
    outcome = tx("graph:cochanges", "src/auht.py")
    assert outcome.status == 3
    assert "  src/auth.py" in outcome.err.splitlines()


def test_old_co_changes_are_called_stale_wherever_they_are_read(
    tx: CommandLine, history: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tx.ok("graph:analyze-cochanges")
    monkeypatch.setattr("tx_graph.core.kernel.SystemClock.now", lambda self: datetime(2099, 1, 1, tzinfo=UTC))
    for command in (["graph:cochanges", "src/auth.py"], ["graph:cochanges", "--all", "--tsv"], ["graph:check-changes"]):
        assert re.search(r"Co-changes are \d+ days old \(stale after 7\)", tx.ok(*command).err)


def test_a_change_without_its_usual_partner_is_a_finding(tx: CommandLine, history: Path) -> None:
    tx.ok("graph:analyze-cochanges")
    change(history, "src/auth.py")
    sentence = "`src/jwt.py` usually changes with `src/auth.py`: 10 of 12 commits (83%)\n"
    outcome = tx.ok("graph:check-changes")
    assert (outcome.out, outcome.err) == (sentence, "")
    assert (tx("graph:check-changes", "--strict").status, tx.ok("graph:check-changes", "--staged").out) == (1, "")
    assert tx.ok("graph:check-changes", "--strict", "--min-confidence", "0.9").out == ""
    shape = tx.json("graph:check-changes")
    evidence = {"file": "src/auth.py", "shared": 10, "commits": 12, "confidence": 10 / 12}
    assert shape["findings"] == [{"path": "src/jwt.py", **evidence, "evidence": [evidence]}]
    assert shape["changed"] == ["src/auth.py"]
    assert (shape["min_confidence"], shape["min_support"], shape["notices"]) == (0.6, 3, [])


def test_the_least_support_is_the_settings(tx: CommandLine, history: Path) -> None:
    tx.ok("graph:analyze-cochanges")
    change(history, "src/auth.py")
    tx.ok("config", "set", "cochanges.min_support", "11")
    assert tx.ok("graph:check-changes").out == ""
    assert tx.ok("graph:check-changes", "--min-support", "10").out != ""


def test_a_complete_change_is_met_with_silence(tx: CommandLine, history: Path) -> None:
    tx.ok("graph:analyze-cochanges")
    change(history, "src/auth.py", "src/jwt.py")
    outcome = tx.ok("graph:check-changes", "--strict")
    assert (outcome.out, outcome.err) == ("", "")


@pytest.mark.parametrize("share", ["0", "1.1", "NaN", "-1"])
def test_a_confidence_without_meaning_is_refused(tx: CommandLine, share: str) -> None:
    assert "above 0 and at most 1" in tx("graph:check-changes", "--min-confidence", share).err


def test_outside_git_there_is_nothing_to_check(elsewhere: CommandLine) -> None:
    elsewhere.ok("init")
    assert elsewhere("graph:check-changes").status == 6
    assert "not a git repository" in elsewhere("graph:check-changes").err


def test_a_hook_sees_the_commit_that_is_under_way(program: Program, history: Path) -> None:
    program("graph:analyze-cochanges")
    hook(history, "--staged", "--strict")
    change(history, "src/auth.py", "src/jwt.py")
    git(history, "add", "src/auth.py")
    refused = attempt(history)
    assert refused.returncode == 1
    assert "`src/jwt.py` usually changes with `src/auth.py`" in refused.stdout + refused.stderr
    assert attempt(history, "src/auth.py").returncode == 1, "a part, from an index of its own"
    assert attempt(history, "--all").returncode == 0, "all, though the index proper has one file only"
    assert git(history, "status", "--porcelain") == ""


def test_a_hook_in_a_linked_worktree_sees_its_own_commit(program: Program, history: Path) -> None:
    linked = history.parent / "linked"
    git(history, "worktree", "add", "--quiet", "-b", "side", str(linked))
    Program(linked)("graph:analyze-cochanges")
    hook(history, "--staged", "--strict")
    change(linked, "src/auth.py", "src/jwt.py")
    assert attempt(linked, "src/auth.py").returncode == 1
    assert attempt(linked, "--all").returncode == 0


def test_a_hook_without_an_analysis_lets_commits_pass(program: Program, history: Path) -> None:
    hook(history, "--staged", "--strict")
    change(history, "src/auth.py")
    passed = attempt(history, "--all")
    assert passed.returncode == 0
    assert passed.stderr.count("never analysed") == 1
