"""The replay of history, as it is called from the command line; history and the product are real."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from tests.context.replay.past import write_history
from tests.faces.cli.terminal import PROGRAM, CommandLine
from tests.git_sandbox import GitSandbox
from tx_graph.context.ranking_evidence import Method
from tx_graph.core.settings import Weights
from tx_graph.workspace import open_workspace
from tx_graph.workspace.replaying import store_weights

METHODS = ("--methods", "fusion,spread")


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    """A repository with a history, which has no `.tx`; also the working directory."""
    sandbox = GitSandbox(tmp_path / "repo", monkeypatch)
    write_history(sandbox)
    monkeypatch.chdir(sandbox.root)
    return sandbox


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary directories are made."""
    directory = tmp_path / "temporary"
    directory.mkdir()
    monkeypatch.setenv("TMPDIR", str(directory))
    monkeypatch.setattr("tempfile.tempdir", None)
    return directory


@pytest.fixture
def bench(git: GitSandbox, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.delenv("TX_DB", raising=False)
    return CommandLine(capsys, monkeypatch)


def test_results_are_told_in_words(bench: CommandLine) -> None:
    outcome = bench.ok("bench", "--samples", "4")
    assert outcome.out.startswith("Replayed 4 commits of 13 that qualify, each at its parent.\n")
    for method in Method:
        assert len(re.findall(rf"^{method}  .*\[\d\.\d\d, \d\.\d\d\]$", outcome.out, re.MULTILINE)) == 2
    assert re.search(r"^imports +(helps|hurts|no clear difference) +from words +", outcome.out, re.MULTILINE)


def test_the_document_has_a_result_for_each_variant_and_method(bench: CommandLine) -> None:
    document = bench.json("bench", "--samples", "4")
    assert document["sampled"] == 4
    assert [(row["variant"], row["method"]) for row in document["results"]] == [
        (variant, method.value) for variant in ("words", "open_file") for method in Method
    ]
    for row in document["results"]:
        for measure in ("recall_at_5", "recall_at_10", "mrr"):
            low, high = row["intervals"][measure]
            assert 0 <= low <= row[measure] <= high <= 1
    assert {gain["effect"] for gain in document["gains"]} <= {"helps", "hurts", "unclear"}
    assert document["tuning"] is None


def test_the_cases_can_be_looked_up(bench: CommandLine, git: GitSandbox) -> None:
    for case in bench.json("bench", "--samples", "3", *METHODS)["cases"]:
        assert git.git("rev-parse", f"{case['commit']}^") == case["parent"]
        assert git.git("log", "-1", "--format=%s", case["commit"]) == case["query"]
        assert sorted(case["targets"]) == git.git("show", "--name-only", "--format=", case["commit"]).split()
        assert case["open_file"] in case["targets"]


def test_the_same_seed_prints_the_same_document(bench: CommandLine) -> None:
    first, again = (bench.ok("bench", "--samples", "3", "--seed", "5", "--json", *METHODS).out for _ in range(2))
    assert first == again
    assert (
        bench.json("bench", "--samples", "3", "--seed", "6", *METHODS)["cases"]
        != bench.json("bench", "--samples", "3", "--seed", "5", *METHODS)["cases"]
    )


def test_no_workspace_is_needed_and_none_is_made(bench: CommandLine, git: GitSandbox, temporary: Path) -> None:
    outcome = bench.ok("bench", "--samples", "2", *METHODS)
    assert "There is no .tx here, so the default settings counted." in outcome.err
    assert not (git.root / ".tx").exists()
    assert git.git("status", "--porcelain") == ""
    assert list(temporary.iterdir()) == []


def test_it_can_be_asked_from_below_and_counts_the_settings(bench: CommandLine, git: GitSandbox) -> None:
    bench.ok("init")
    bench.ok("config", "set", "ranking.words", "0.25")
    outcome = bench.ok("-C", str(git.root / "src"), "bench", "--samples", "4", "--tune", "--json", *METHODS)
    assert outcome.document["tuning"]["before"]["words"] == 0.25
    assert ".tx" not in outcome.err


def test_a_thin_history_is_called_thin(bench: CommandLine) -> None:
    outcome = bench.ok("bench", *METHODS)
    assert "The history is too thin to tell much: 13 commits qualify." in outcome.err


def test_without_commits_to_replay_the_repository_is_not_what_is_needed(
    bench: CommandLine, repository_without_work: Path
) -> None:
    outcome = bench("-C", str(repository_without_work), "bench", "--json")
    assert outcome.status == 6
    assert outcome.error["message"] == "The history is too thin to be replayed: no commit qualifies."


@pytest.fixture
def repository_without_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    sandbox = GitSandbox(tmp_path / "young", monkeypatch)
    sandbox.commit("a")
    return sandbox.root


def test_outside_git_there_is_no_history(elsewhere: CommandLine) -> None:
    outcome = elsewhere("bench")
    assert outcome.status == 6
    assert "no history to replay" in outcome.err


def test_a_workspace_without_git_has_no_history_either(elsewhere: CommandLine) -> None:
    elsewhere.ok("init")
    assert elsewhere("bench").status == 6


def test_a_machine_without_git_is_told_so(bench: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    outcome = bench("bench")
    assert outcome.status == 6
    assert "Cannot run git" in outcome.err


def test_a_shallow_clone_is_called_one(bench: CommandLine, git: GitSandbox, tmp_path: Path) -> None:
    git.git("clone", "--quiet", "--depth=8", git.root.as_uri(), str(tmp_path / "shallow"))
    outcome = bench.ok("-C", str(tmp_path / "shallow"), "bench", *METHODS)
    assert "This is a shallow clone" in outcome.err
    assert outcome.out.startswith("Replayed 6 commits of 6 ")


@pytest.mark.parametrize(("least", "status"), [("0", 0), ("1", 1)])
def test_recall_below_what_is_wanted_is_a_finding(bench: CommandLine, least: str, status: int) -> None:
    outcome = bench("bench", "--samples", "3", "--fail-under", least, "--methods", "spread", "--json")
    recall = outcome.document["results"][0]["recall_at_10"]
    assert outcome.status == (status if recall < 1 else 0)
    assert ("recall@10 of spread from words is" in outcome.err) == (outcome.status == 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--samples", "0"], "number of samples must be from 1"),
        (["--fail-under", "1.5"], "--fail-under must be from 0 to 1, not 1.5."),
        (["--fail-under", "nan"], "--fail-under must be from 0 to 1, not nan."),
        (["--fail-under", "0.5", "--methods", "bm25"], "--fail-under is about spread."),
        (["--methods", "bm52"], "There is no method 'bm52'."),
        (["--methods", ","], "No method is named."),
        (["--write"], "--write stores the weights that --tune finds."),
        (["--since", "the flood"], "Cannot read 'the flood' as a date."),
    ],
)
def test_what_makes_no_sense_is_refused(bench: CommandLine, options: list[str], message: str) -> None:
    outcome = bench("bench", *options)
    assert outcome.status == 2
    assert message in outcome.err


def test_a_mistyped_method_suggests_the_right_one(bench: CommandLine) -> None:
    assert "bm25" in bench("bench", "--methods", "bm52").err


@pytest.mark.slow
def test_weights_are_only_written_to_a_workspace(bench: CommandLine) -> None:
    outcome = bench("bench", "--tune", "--write")
    assert outcome.status == 4


def test_weights_are_written_only_if_they_did_better(bench: CommandLine, git: GitSandbox) -> None:
    bench.ok("init")
    config = git.root / ".tx" / "config.toml"
    before = config.read_text()
    outcome = bench.ok("bench", "--samples", "6", "--tune", "--write", "--json", *METHODS)
    tuning = outcome.document["tuning"]
    assert (tuning["tuned_on"], tuning["judged_on"]) == (3, 3)
    assert tuning["written_to"] == (str(config.resolve()) if tuning["better"] else None)
    assert (config.read_text() == before) == (not tuning["better"])
    assert ("Nothing was written" in outcome.err) == (not tuning["better"])


def test_weights_that_were_written_are_in_force(bench: CommandLine, git: GitSandbox) -> None:
    bench.ok("init")
    assert store_weights({"words": 1.25, "names": 0.0}, git.root / "src") == git.root.resolve() / ".tx" / "config.toml"
    assert bench.ok("config", "get", "ranking.words").out == "1.25\n"
    with open_workspace(git.root) as workspace:
        assert replace(workspace.file_ranking._weights, words=0.0) == Weights(words=0.0, names=0.0)


def _shown_until(screen: io.FileIO, pattern: bytes) -> bytes:
    """Read what a program shows until that is there; not every step is, for the one before may be too short ago."""
    shown = b""
    with suppress(OSError):  # the end, on Linux
        while not re.search(pattern, shown) and (more := screen.read(4096)):
            shown += more
    return shown


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["int", "term"])
def test_an_interruption_leaves_nothing_behind(
    bench: CommandLine, git: GitSandbox, temporary: Path, number: int, status: int
) -> None:
    main, terminal = pty.openpty()
    program = [*PROGRAM, "bench"]
    with (
        os.fdopen(main, "rb", buffering=0) as screen,
        subprocess.Popen(program, cwd=git.root, stdout=subprocess.PIPE, stderr=terminal) as process,
    ):
        os.close(terminal)  # now reading ends when the program does
        shown = _shown_until(screen, rb"\b(?:[1-9]|1[0-2])/13\b")
        assert len(list(temporary.iterdir())) == 1, shown
        process.send_signal(number)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == status
    assert out == b""
    assert list(temporary.iterdir()) == []


def test_how_the_process_ends_is_afterwards_as_before(bench: CommandLine) -> None:
    before = signal.getsignal(signal.SIGTERM)
    bench.ok("bench", "--samples", "1")
    assert signal.getsignal(signal.SIGTERM) is before


def test_nothing_heavy_is_imported_for_its_help() -> None:
    script = "import sys; from tx_graph.faces.cli.main import run; run(['bench', '-h']); print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert {"numpy", "sqlite_utils", "rich", "pysqlite3"}.isdisjoint(modules)
