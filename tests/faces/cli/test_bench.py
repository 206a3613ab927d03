"""The replay of history, as it is called from the command line; history and the product are real."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.context.replay.past import write_history
from tests.faces.cli.terminal import Checkout, CommandLine, Program
from tests.git_sandbox import GitSandbox
from tx_graph.context.ranking_evidence import Method
from tx_graph.core.settings import Weights
from tx_graph.workspace.replaying import store_weights

METHODS = "--methods fusion,ranking"


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a history, which has no `.tx`."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        sandbox = GitSandbox(tmp_path_factory.mktemp("history") / "repo", monkeypatch)
        write_history(sandbox)
    return sandbox.root


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary directories are made."""
    directory = tmp_path / "temporary"
    directory.mkdir()
    monkeypatch.setenv("TMPDIR", str(directory))
    monkeypatch.setattr("tempfile.tempdir", None)
    return directory


def test_results_are_told_in_words_and_as_a_document(shared: CommandLine) -> None:
    outcome = shared.ok("bench --samples 4")
    assert outcome.out.startswith("Replayed 4 commits of 13 that qualify, each at its parent.\n")
    for method in Method:
        assert len(re.findall(rf"^{method}  .*\[\d\.\d\d, \d\.\d\d\]$", outcome.out, re.MULTILINE)) == 2
    document = shared.json("bench --samples 4")
    assert document["sampled"] == 4
    assert [(row["variant"], row["method"]) for row in document["results"]] == [
        (variant, method.value) for variant in ("words", "open_file") for method in Method
    ]
    for row in document["results"]:
        for measure in ("recall_at_5", "recall_at_10", "mrr"):
            low, high = row["intervals"][measure]
            assert 0 <= low <= row[measure] <= high <= 1
    assert {gain["effect"] for gain in document["gains"]} <= {"helps", "hurts", "unclear"}
    assert document["signals"] == [], "in so plain a history none is needed"
    assert document["tuning"] is None


def test_the_cases_can_be_looked_up_and_are_those_of_the_seed(shared: CommandLine, origin: Path) -> None:
    git = Checkout(origin).git
    first, again, other = (shared.json(f"bench --samples 3 --seed {seed} {METHODS}") for seed in (5, 5, 6))
    assert first == again
    assert first["cases"] != other["cases"]
    for case in first["cases"]:
        assert git("rev-parse", f"{case['commit']}^") == case["parent"]
        assert git("log", "-1", "--format=%s", case["commit"]) == case["query"]
        assert sorted(case["targets"]) == git("show", "--name-only", "--format=", case["commit"]).split()
        assert case["open_file"] in case["targets"]


def test_no_workspace_is_needed_and_none_is_made(shared: CommandLine, origin: Path, temporary: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    outcome = shared.ok(f"bench {METHODS}")
    assert "There is no .tx here, so the default settings counted." in outcome.err
    assert "The history is too thin to tell much: 13 commits qualify." in outcome.err
    assert not (origin / ".tx").exists()
    assert Checkout(origin).git("status", "--porcelain") == ""
    assert list(temporary.iterdir()) == []
    assert signal.getsignal(signal.SIGTERM) is before, "how the process ends is afterwards as before"


def test_it_can_be_asked_from_below_and_counts_the_settings(tx: CommandLine) -> None:
    tx.ok("init")
    tx.ok("config set ranking.words 0.25")
    outcome = tx.ok(f"-C src bench --samples 4 --tune --json {METHODS}")
    assert outcome.document["tuning"]["before"]["words"] == 0.25
    assert ".tx" not in outcome.err


def test_without_commits_to_replay_the_repository_is_not_what_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = GitSandbox(tmp_path / "young", monkeypatch)
    sandbox.commit("a")
    outcome = CommandLine(sandbox.root)("bench --json")
    assert outcome.status == 6
    assert outcome.error["message"] == "The history is too thin to be replayed: no commit qualifies."


def test_a_shallow_clone_is_called_one(shared: CommandLine, origin: Path, tmp_path: Path) -> None:
    Checkout(origin).git("clone", "--quiet", "--depth=8", origin.as_uri(), str(tmp_path / "shallow"))
    outcome = CommandLine(tmp_path / "shallow").ok(f"bench {METHODS}")
    assert "This is a shallow clone" in outcome.err
    assert outcome.out.startswith("Replayed 6 commits of 6 ")


@pytest.mark.parametrize(("least", "status"), [("0", 0), ("1", 1)])
def test_recall_below_what_is_wanted_is_a_finding(shared: CommandLine, least: str, status: int) -> None:
    outcome = shared(f"bench --samples 3 --fail-under {least} --methods ranking --json")
    recall = outcome.document["results"][0]["recall_at_10"]
    assert outcome.status == (status if recall < 1 else 0)
    assert ("recall@10 of ranking from words is" in outcome.err) == (outcome.status == 1)


@pytest.mark.slow
def test_weights_are_only_written_to_a_workspace(shared: CommandLine) -> None:
    assert shared("bench --tune --write").status == 4


@pytest.mark.slow
def test_weights_are_written_only_if_they_did_better(tx: CommandLine, home: Path) -> None:
    tx.ok("init")
    config = home / ".tx" / "config.toml"
    before = config.read_text()
    outcome = tx.ok(f"bench --samples 6 --tune --write --json {METHODS}")
    tuning = outcome.document["tuning"]
    assert (tuning["tuned_on"], tuning["judged_on"]) == (3, 3)
    assert tuning["written_to"] == (str(config.resolve()) if tuning["better"] else None)
    assert (config.read_text() == before) == (not tuning["better"])
    assert ("Nothing was written" in outcome.err) == (not tuning["better"])


def test_weights_that_were_written_are_in_force(tx: CommandLine, home: Path) -> None:
    tx.ok("init")
    assert store_weights({"words": 1.25, "names": 0.0}, home / "src") == home.resolve() / ".tx" / "config.toml"
    assert tx.ok("config get ranking.words").out == "1.25\n"
    with open_workspace(home) as workspace:
        assert replace(workspace.config.weights(), words=0.0) == Weights(words=0.0, names=0.0)


def _shown_until(screen: io.FileIO, pattern: bytes) -> bytes:
    """Read what a program shows until that is there; not every step is, for the one before may be too short ago."""
    shown = b""
    with suppress(OSError):  # the end, on Linux
        while not re.search(pattern, shown) and (more := screen.read(4096)):
            shown += more
    return shown


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["int", "term"])
def test_an_interruption_leaves_nothing_behind(program: Program, temporary: Path, number: int, status: int) -> None:
    main, terminal = pty.openpty()
    with os.fdopen(main, "rb", buffering=0) as screen, program.start("bench", stderr=terminal) as process:
        os.close(terminal)  # now reading ends when the program does
        shown = _shown_until(screen, rb"\b(?:[1-9]|1[0-2])/13\b")
        assert len(list(temporary.iterdir())) == 1, shown
        process.send_signal(number)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == status
    assert out == b""
    assert list(temporary.iterdir()) == []
