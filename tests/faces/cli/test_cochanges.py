"""graph:analyze-cochanges, graph:cochanges and graph:check-changes, as people, scripts and hooks meet them."""

from __future__ import annotations

import os
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import PROGRAM, Checkout, CommandLine, Program, bare
from tests.git_sandbox import use_settings
from tests.isolation import ROOT

NEVER = "Co-changes were never analysed; run 'tx sync'.\n"


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    """`src/jwt.py` changed in 10 of 12 commits that touched `src/auth.py`; that was never analysed."""
    past = Checkout(prepared())
    with pytest.MonkeyPatch.context() as monkeypatch:
        use_settings(monkeypatch)
        for _ in range(10):
            past.commit("change", "src/auth.py", "src/jwt.py", "uv.lock")
        past.commit("change", "src/auth.py")
    return past.root


@pytest.fixture
def known(tx: CommandLine) -> CommandLine:
    """The command line where co-changes were analysed."""
    tx.ok("graph:analyze-cochanges")
    return tx


def hook(checkout: Checkout, *arguments: str) -> None:
    """Check each commit with a pre-commit hook that refuses."""
    command = f"exec '{PROGRAM[0]}' -m tx_graph graph:check-changes {' '.join(arguments)}"
    checkout.write(".git/hooks/pre-commit", f"#!/bin/sh\n{command}\n").chmod(0o755)


def attempt(checkout: Checkout, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "commit", "--message=attempt", *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=checkout.root, env=environment, capture_output=True, text=True, check=False)


def test_partners_are_told_in_words_and_as_a_document(known: CommandLine) -> None:
    outcome = known.ok("graph:cochanges src/auth.py")
    assert outcome.out == "`src/jwt.py` changed in 10 of 12 commits that touched `src/auth.py` (83%)\n"
    assert outcome.err == ""
    shape = known.json("graph:cochanges src/auth.py")
    assert (shape["file"], shape["commits"], shape["total"], shape["notices"]) == ("src/auth.py", 12, 1, [])
    share = 10 / 12
    partner = {"path": "src/jwt.py", "shared": 10, "commits": 12, "confidence": share, "score": share}
    assert bare(shape["partners"]) == [partner]


def test_lock_files_are_left_out_unless_asked_for(tx: CommandLine) -> None:
    def pairs(options: str) -> object:
        return tx.json(f"graph:analyze-cochanges {options}")["pairs"]

    assert (pairs(""), pairs("--no-exclude")) == (1, 3)
    assert pairs("--exclude 'jwt.py, nothing' --exclude x") == pairs("--no-exclude --exclude src/") == 0
    tx.ok("config set cochanges.exclude []")
    assert pairs("") == 3


def test_the_report_says_how_much_was_read_and_why(tx: CommandLine, checkout: Checkout) -> None:
    first = tx.json("graph:analyze-cochanges")
    assert first.keys() >= {"pairs", "commits", "dropped", "files", "head", "shallow", "mode", "new_commits", "reason"}
    assert (first["mode"], first["new_commits"], first["reason"]) == ("full", 12, None)
    checkout.commit("change", "src/auth.py", "src/jwt.py")
    outcome = tx.ok("graph:analyze-cochanges")
    assert outcome.out == "1 pair of files changes together, from 13 commits.\n"
    assert outcome.err == "Incremental: 1 new commit read, the others were known.\n"
    checkout.git("commit", "--quiet", "--amend", "--message=other")
    assert tx.ok("graph:analyze-cochanges").err.startswith("Full pass: HEAD does not build on ")
    assert tx.ok("graph:analyze-cochanges --full").err == "Full pass: it was asked for.\n"
    assert tx.json("graph:analyze-cochanges")["mode"] == "incremental"
    tx.ok(f"graph:analyze-cochanges --max-files {'9' * 30} --min-support {'9' * 30}")


def test_all_pairs_as_tab_separated_lines(tx: CommandLine, checkout: Checkout) -> None:
    for _ in range(3):
        checkout.commit("change", "a\tb.py", 'c"d.py', "ünï.py")
    tx.ok("graph:analyze-cochanges --min-support 3")
    header, *lines = tx.ok("graph:cochanges --all --tsv").out.splitlines()
    assert header.split("\t") == ["file_a", "file_b", "score", "commit_count", "commits_a", "commits_b"]
    assert [line.split("\t") for line in lines] == [
        ['"a\\tb.py"', '"c\\"d.py"', "1.0", "3", "3", "3"],
        ['"a\\tb.py"', "ünï.py", "1.0", "3", "3", "3"],
        ['"c\\"d.py"', "ünï.py", "1.0", "3", "3", "3"],
        ["src/auth.py", "src/jwt.py", repr(10 / 12), "10", "12", "10"],
    ]
    assert [pair["commit_count"] for pair in tx.json("graph:cochanges --all")["pairs"]] == [3, 3, 3, 10]
    assert len(tx.ok("graph:cochanges --all --tsv -n 2").out.splitlines()) == 3
    assert "`src/auth.py` and `src/jwt.py`: 10 commits together, of 12 and 10" in tx.ok("graph:cochanges --all").out


def test_without_an_analysis_it_says_so(shared: CommandLine) -> None:
    for question in ("src/auth.py", "--all", "--all --tsv"):
        assert shared.ok(f"graph:cochanges {question}").err == NEVER
    assert [f"{one}\n" for one in shared.json("graph:cochanges src/auth.py")["notices"]] == [NEVER]


def test_a_file_without_partners_says_how_often_it_changed(known: CommandLine, checkout: Checkout) -> None:
    outcome = known.ok("graph:cochanges README.md")
    assert (outcome.out, outcome.err) == ("", "Nothing usually changes with README.md, in 1 counted commit.\n")
    checkout.write("new.py")
    assert known.ok("graph:cochanges new.py").err == "No commit that was counted touched new.py.\n"


def test_old_co_changes_are_called_stale_wherever_they_are_read(
    known: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tx_graph.core.kernel.SystemClock.now", lambda self: datetime(2099, 1, 1, tzinfo=UTC))
    for command in ("graph:cochanges src/auth.py", "graph:cochanges --all --tsv", "graph:check-changes"):
        assert re.search(r"Co-changes are \d+ days old \(stale after 7\)", known.ok(command).err)


def test_a_change_without_its_usual_partner_is_a_finding(known: CommandLine, checkout: Checkout) -> None:
    checkout.change("src/auth.py")
    outcome = known.ok("graph:check-changes")
    sentence = "`src/jwt.py` usually changes with `src/auth.py`: 10 of 12 commits (83%)\n"
    assert (outcome.out, outcome.err) == (sentence, "")
    assert (known("graph:check-changes --strict").status, known.ok("graph:check-changes --staged").out) == (1, "")
    assert known.ok("graph:check-changes --strict --min-confidence 0.9").out == ""
    shape = known.json("graph:check-changes")
    evidence = {"file": "src/auth.py", "shared": 10, "commits": 12, "confidence": 10 / 12}
    assert bare(shape["findings"]) == [{"path": "src/jwt.py", **evidence, "evidence": [evidence]}]
    assert shape["changed"] == ["src/auth.py"]
    assert (shape["min_confidence"], shape["min_support"], shape["notices"]) == (0.6, 3, [])
    known.ok("config set cochanges.min_support 11")
    assert known.ok("graph:check-changes").out == ""
    assert known.ok("graph:check-changes --min-support 10").out == sentence
    checkout.change("src/jwt.py")
    complete = known.ok("graph:check-changes --strict --min-support 10")
    assert (complete.out, complete.err) == ("", "")


def test_a_hook_sees_the_commit_that_is_under_way(known: CommandLine, checkout: Checkout) -> None:
    hook(checkout, "--staged", "--strict")
    checkout.change("src/auth.py", "src/jwt.py")
    checkout.git("add", "src/auth.py")
    refused = attempt(checkout)
    assert refused.returncode == 1
    assert "`src/jwt.py` usually changes with `src/auth.py`" in refused.stdout + refused.stderr
    assert attempt(checkout, "src/auth.py").returncode == 1, "a part, from an index of its own"
    assert attempt(checkout, "--all").returncode == 0, "all, though the index proper has one file only"
    assert checkout.git("status", "--porcelain") == ""


def test_a_hook_in_a_linked_worktree_sees_its_own_commit(checkout: Checkout) -> None:
    linked = Checkout(checkout.root.parent / "linked")
    checkout.git("worktree", "add", "--quiet", "-b", "side", str(linked.root))
    Program(linked.root)("graph:analyze-cochanges")
    hook(checkout, "--staged", "--strict")
    linked.change("src/auth.py", "src/jwt.py")
    assert attempt(linked, "src/auth.py").returncode == 1
    assert attempt(linked, "--all").returncode == 0


def test_a_hook_without_an_analysis_lets_commits_pass(checkout: Checkout) -> None:
    hook(checkout, "--staged", "--strict")
    checkout.change("src/auth.py")
    passed = attempt(checkout, "--all")
    assert passed.returncode == 0
    assert passed.stderr.count("never analysed") == 1
