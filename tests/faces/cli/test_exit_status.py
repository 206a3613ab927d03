"""Each kind of failure has its exit status, one clear sentence on stderr, and nothing on stdout."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from tests.faces.cli.terminal import Checkout, CommandLine, Outcome, Program

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals, and directories that go while in use")


def failed(outcome: Outcome, status: int) -> str:
    """Return the sentence of a failure."""
    assert (outcome.status, outcome.out) == (status, ""), outcome
    assert outcome.err.startswith("tx: ")
    assert "Traceback" not in outcome.err
    return outcome.err.splitlines()[0]


def test_1_for_a_doctor_who_found_a_malformed_record(tx: CommandLine, checkout: Checkout) -> None:
    tx.add("Whole")
    record = checkout.record
    record.write_text("---\nuid: [broken\n---\nWhole\n", encoding="utf-8")
    outcome = tx("doctor")
    assert outcome.status == 1
    assert f"PROBLEM  records      learnings/{record.name}:" in outcome.out
    assert tx("doctor --json").document["findings"][-1]["level"] == "problem"
    assert record.exists(), "it must not be deleted"


@pytest.mark.parametrize("command", ["status", "learning:add text", "learning:search text", "graph:stats"])
def test_4_before_init(elsewhere: CommandLine, command: str) -> None:
    outcome = elsewhere(command)
    failed(outcome, 4)
    assert "tx init" in outcome.err
    assert elsewhere(f"{command} --json").error["code"] == "not_initialised"


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
@pytest.mark.parametrize("command", ["status", "status --json", "--help"])
def test_5_when_the_output_finds_no_room(program: Program, command: str) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device, not a path
        outcome = program(command, stdout=full)
    assert outcome.status == 5
    assert "The output cannot be written: No space left on device." in outcome.err


@pytest.mark.parametrize(
    "command", ["graph:analyze-cochanges", "graph:check-changes", "graph:verify --since main", "bench"]
)
def test_6_for_history_outside_git(elsewhere: CommandLine, command: str) -> None:
    assert elsewhere("bench").status == 6, "which needs no workspace"
    elsewhere.ok("init")
    assert "git" in failed(elsewhere(command), 6)


@pytest.mark.parametrize("command", ["graph:analyze-cochanges", "status", "bench"])
def test_6_without_git_on_the_path(tx: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("PATH", "/nothing")
    assert "Cannot run git" in failed(tx(command), 6)


def test_6_inside_the_git_directory(tx: CommandLine, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home / ".git")
    failed(tx("status"), 6)


@posix
def test_6_in_a_directory_that_is_gone(tx: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert failed(tx("status"), 6) == "tx: The working directory no longer exists."
    assert tx("--version").status == 0


@posix
def test_130_for_an_interrupt(program: Program) -> None:
    reading = program.start("learning:add", "-")
    assert reading.stdin is not None
    # More than a pipe holds: when this returns, the program is reading and the interrupt finds it at work.
    reading.stdin.write(b"x" * 200_000)
    reading.stdin.flush()
    reading.send_signal(signal.SIGINT)
    out, err = reading.communicate(timeout=30)
    assert (reading.returncode, out, err) == (130, b"", b"Interrupted.\n")


class Panic(BaseException):
    """What ast-grep raises when Rust panics."""


def broken(*_: object) -> None:
    raise Panic("division\nby zero")


def test_70_for_a_bug_in_one_line_with_a_log_in_the_workspace_that_git_never_sees(
    tx: CommandLine, checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tx_graph.faces.cli.render.workspace.status", broken)
    monkeypatch.chdir(checkout.root / "src")
    outcome = tx("-C .. status")
    assert outcome.status == 70
    log = checkout.root / ".tx" / "errors.log"
    bug = "tx: unexpected Panic: division by zero. This is a bug; details are in"
    assert outcome.err == f"{bug} {log}.\n"
    assert "tx -C .. status" in log.read_text()
    assert "Traceback (most recent call last)" in log.read_text()
    assert checkout.git("status", "--porcelain") == ""


def test_70_logs_outside_a_workspace_too(
    elsewhere: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("tx_graph.faces.cli.render.settings.model", broken)
    outcome = elsewhere("model status")
    assert outcome.status == 70
    [log] = tmp_path.glob("tx-*-errors.log")
    assert str(log) in outcome.err


def test_a_deleted_database_is_built_again(tx: CommandLine, home: Path) -> None:
    uid = tx.json("learning:add", "Kept in text", "--anchor", "src/auth.py")["uid"]
    for file in (home / ".tx").glob("graph.db*"):
        file.unlink()
    tx.ok("index")
    assert [one["uid"] for one in tx.json("learning:list")["learnings"]] == [uid]
