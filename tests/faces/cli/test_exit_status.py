"""Each kind of failure has its exit status, one clear sentence on stderr, and nothing on stdout."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faces.cli.terminal import PROGRAM, CommandLine, Outcome, Program


def failed(outcome: Outcome, status: int) -> str:
    """Return the sentence of a failure."""
    assert outcome.status == status, outcome
    assert outcome.out == ""
    assert outcome.err.startswith("tx: ")
    assert "Traceback" not in outcome.err
    return outcome.err.splitlines()[0]


def test_0_for_what_went_well(tx: CommandLine) -> None:
    assert tx("status").status == 0


def test_1_for_a_doctor_who_found_a_malformed_record(tx: CommandLine, home: Path) -> None:
    ref = tx.add("Whole")
    [record] = (home / ".tx" / "learnings").glob("*.md")
    record.write_text("---\nuid: [broken\n---\nWhole\n", encoding="utf-8")
    outcome = tx("doctor")
    assert outcome.status == 1
    assert f"PROBLEM  records      learnings/{record.name}:" in outcome.out
    assert tx("doctor", "--json").document["findings"][-1]["level"] == "problem"
    assert record.exists(), f"the record of {ref} must not be deleted"


def test_2_for_usage(tx: CommandLine) -> None:
    failed(tx("learning:add", "  "), 2)


def test_3_for_what_is_not_found(tx: CommandLine) -> None:
    tx.add("The only one")
    outcome = tx("learning:show", "9999999")
    assert failed(outcome, 3) == "tx: There is no learning '9999999'."
    assert "The only one" in outcome.err, "the nearest candidates are listed"


@pytest.mark.parametrize(
    "command", [["status"], ["learning:add", "text"], ["learning:search", "text"], ["graph:stats"]]
)
def test_4_before_init(elsewhere: CommandLine, command: list[str]) -> None:
    outcome = elsewhere(*command)
    failed(outcome, 4)
    assert "tx init" in outcome.err


def test_5_for_a_corrupt_database(tx: CommandLine, home: Path) -> None:
    tx.add("Safe in its record")
    (home / ".tx" / "graph.db").write_bytes(b"no database at all " * 1_000)
    for file in (home / ".tx").glob("graph.db-*"):
        file.unlink()
    outcome = tx("learning:list")
    failed(outcome, 5)
    assert "graph.db" in outcome.err
    assert "learnings" in outcome.err, "the sentence says that nothing is lost"


def test_5_for_a_database_that_cannot_be_made(tx: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TX_DB", str(tmp_path / "missing" / "x.db"))
    failed(tx("learning:list"), 5)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["status"], ["status", "--json"], ["--help"]])
def test_5_when_the_output_finds_no_room(program: Program, arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device, not a path
        outcome = program(*arguments, stdout=full)
    assert outcome.status == 5
    assert "The output cannot be written: No space left on device." in outcome.err


def test_6_for_co_changes_outside_git(elsewhere: CommandLine) -> None:
    elsewhere.ok("init")
    assert "not a git repository" in failed(elsewhere("graph:analyze-cochanges"), 6)


@pytest.mark.parametrize("command", [["graph:analyze-cochanges"], ["status"]])
def test_6_without_git_on_the_path(
    tx: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    outcome = tx(*command)
    failed(outcome, 6)
    assert "git" in outcome.err


def test_6_inside_the_git_directory(tx: CommandLine, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home / ".git")
    failed(tx("status"), 6)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps a directory that is in use")
def test_6_in_a_directory_that_is_gone(tx: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert failed(tx("status"), 6) == "tx: The working directory no longer exists."
    assert tx("--version").status == 0


def test_7_for_embedding_without_a_model(tx: CommandLine) -> None:
    tx.add("No vector yet")
    outcome = tx("learning:embed")
    failed(outcome, 7)
    assert "tx model install" in outcome.err


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_130_for_an_interrupt(home: Path) -> None:
    reading = subprocess.Popen(
        [*PROGRAM, "learning:add", "-"],
        cwd=home,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONVERBOSE": ""},
    )
    assert reading.stdin is not None
    # More than a pipe holds: when this returns, the program is reading and the interrupt finds it at work.
    reading.stdin.write(b"x" * 200_000)
    reading.stdin.flush()
    reading.send_signal(signal.SIGINT)
    out, err = reading.communicate(timeout=30)
    assert (reading.returncode, out, err) == (130, b"", b"Interrupted.\n")


def broken(*_: object) -> None:
    raise ZeroDivisionError("division\nby zero")


def test_70_for_a_bug_in_one_line_with_a_log_in_the_workspace(
    tx: CommandLine, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tx_graph.faces.cli.render.words.print_learnings", broken)
    tx.add("One")
    below = home / "src"
    monkeypatch.chdir(below)
    outcome = tx("learning:list", "-n", "7")
    assert outcome.status == 70
    log = home / ".tx" / "errors.log"
    bug = "tx: unexpected ZeroDivisionError: division by zero. This is a bug; details are in"
    assert outcome.err == f"{bug} {log}.\n"
    assert "tx learning:list -n 7" in log.read_text()
    assert "Traceback (most recent call last)" in log.read_text()


def test_70_logs_outside_a_workspace_too(
    elsewhere: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("tx_graph.faces.cli.render.settings.model", broken)
    outcome = elsewhere("model", "status")
    assert outcome.status == 70
    [log] = tmp_path.glob("tx-*-errors.log")
    assert str(log) in outcome.err


def test_70_for_a_panic_that_is_no_exception(tx: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    class Panic(BaseException):
        """What ast-grep raises when Rust panics."""

    def panic(*_: object) -> None:
        raise Panic("unknown language")

    monkeypatch.setattr("tx_graph.faces.cli.render.workspace.print_index", panic)
    outcome = tx("index")
    assert outcome.status == 70
    assert outcome.err.count("\n") == 1


def test_git_never_learns_of_the_log(tx: CommandLine, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tx_graph.faces.cli.render.workspace.status", broken)
    assert tx("status").status == 70
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=home, capture_output=True, text=True, check=True)
    assert changed.stdout == ""


def test_a_deleted_database_is_built_again(tx: CommandLine, home: Path) -> None:
    uid = tx.json("learning:add", "Kept in text", "--anchor", "src/auth.py")["uid"]
    for file in (home / ".tx").glob("graph.db*"):
        file.unlink()
    tx.ok("index")
    assert [one["uid"] for one in tx.json("learning:list")["learnings"]] == [uid]


def test_a_read_only_copy_still_answers(tx: CommandLine, home: Path, tmp_path: Path) -> None:
    tx.add("Readable")
    copy = tmp_path / "copy"
    shutil.copytree(home, copy)
    assert tx.json("-C", str(copy), "learning:search", "readable")["results"]
