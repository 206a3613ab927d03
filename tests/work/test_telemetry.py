"""Telemetry: each line of a transcript is read once, secrets are never stored, and what is old is forgotten."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from scripts.opened import Workspace
from tests.fakes import NOON
from tests.support import Project
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.work.references import WorkReferences
from tx_graph.work.telemetry_store import TelemetryStore
from tx_graph.work.transcripts import TEXT_LIMIT, FileReport, Reading, Telemetry, Transcripts
from tx_graph.work.values import EventKind, Outcome, StoredEvent, TranscriptFormat

KEY = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def at(minutes: int = 0) -> str:
    return f"{NOON + timedelta(minutes=minutes):%Y-%m-%dT%H:%M:%SZ}"


def said(text: str, *, role: str = "user", minutes: int = 0, **more: object) -> str:
    return json.dumps({"role": role, "content": text, "timestamp": at(minutes)} | more)


def touch(path: Path, moment: datetime = NOON) -> None:
    os.utime(path, (moment.timestamp(), moment.timestamp()))


def write(path: Path, *lines: str, end: str = "\n") -> None:
    path.write_text("\n".join(lines) + end, encoding="utf-8")
    touch(path)


def append(path: Path, *lines: str, end: str = "\n") -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + end)
    touch(path, NOON + timedelta(seconds=path.stat().st_size))


def ingest(workspace: Workspace, path: Path, **wanted: Any) -> FileReport:  # noqa: ANN401 - as `ingest` takes it
    (report,) = workspace.kernel.one(Transcripts).ingest(path, **wanted).files
    return report


def events(workspace: Workspace, run: str | None = None) -> tuple[StoredEvent, ...]:
    return workspace.kernel.one(Telemetry).list(run=run, limit=10_000)


def texts(workspace: Workspace, run: str | None = None) -> list[str]:
    return [stored.event.text for stored in events(workspace, run)]


def test_a_transcript_is_a_session_and_a_run(workspace: Workspace, path: Path) -> None:
    write(path, said("Hi", session="s-1"), said("Hello", role="assistant", minutes=5))
    report = ingest(workspace, path)
    assert (report.reading, report.format, report.lines, report.events) == (Reading.NEW, TranscriptFormat.PLAIN, 2, 2)
    run = workspace.kernel.one(WorkReferences).run(f"run:{report.run}")
    assert (run.agent, run.started_at, run.finished_at, run.outcome) == ("plain", at(), at(5), None)
    (tally,) = workspace.kernel.one(Transcripts).list(limit=10)
    assert (tally.row.path, tally.row.session, tally.row.run, tally.events) == (str(path), "s-1", run.id, 2)


def test_a_run_that_somebody_ended_keeps_its_end(workspace: Workspace, path: Path) -> None:
    write(path, said("Hi"))
    run = ingest(workspace, path).run
    ended = workspace.runs.finish(f"{run}", Outcome.SUCCEEDED).run
    append(path, said("More", minutes=9))
    ingest(workspace, path)
    assert workspace.kernel.one(WorkReferences).run(f"{run}") == ended


def test_every_kind_of_event_comes_back_as_it_was(workspace: Workspace, project: Project, path: Path) -> None:
    project.write("src/a.py", "x = 1\n")
    call = {"id": "c", "function": {"name": "bash", "arguments": json.dumps({"command": "cat src/a.py"})}}
    write(
        path,
        said("Look", cwd=str(project.root)),
        said("I look.", role="assistant", tool_calls=[call]),
        said("boom", role="tool", tool_call_id="c", is_error=True),
    )
    ingest(workspace, path)
    assert [(one.event.kind, one.event.text, one.event.line) for one in events(workspace)] == [
        (EventKind.USER, "Look", 1),
        (EventKind.AGENT, "I look.", 2),
        (EventKind.CALL, "cat src/a.py", 2),
        (EventKind.RESULT, "boom", 3),
    ]
    called, answered = events(workspace)[2:]
    assert (called.event.tool, called.event.call, called.event.paths) == ("bash", "c", ("src/a.py",))
    assert (answered.event.call, answered.event.failed, answered.event.at) == ("c", True, at())


def test_the_format_can_be_named(workspace: Workspace, path: Path) -> None:
    write(path, said("Hi"))
    assert ingest(workspace, path, format=TranscriptFormat.CODEX).unknown == 1
    assert workspace.kernel.one(Transcripts).list(limit=10) == ()


def test_nothing_new_is_nothing_read(workspace: Workspace, path: Path) -> None:
    write(path, said("Hi"))
    first = ingest(workspace, path)
    again = ingest(workspace, path)
    assert (again.reading, again.run, again.events) == (Reading.UNCHANGED, first.run, 0)
    touch(path, NOON + timedelta(hours=1))
    assert (ingest(workspace, path).reading, texts(workspace)) == (Reading.UNCHANGED, ["Hi"])


def test_what_is_appended_is_read_and_nothing_else(workspace: Workspace, path: Path) -> None:
    write(path, said("one"))
    run = ingest(workspace, path).run
    append(path, said("two"), "{broken", said("three"))
    report = ingest(workspace, path)
    assert (report.reading, report.run, report.lines, report.malformed) == (Reading.CONTINUED, run, 3, 1)
    assert texts(workspace) == ["one", "two", "three"]
    assert [one.event.line for one in events(workspace)] == [1, 2, 4]
    assert len(workspace.runs.list(limit=10)) == 1


def test_a_truncated_last_line_waits_and_is_not_malformed(workspace: Workspace, path: Path) -> None:
    whole = said("two")
    write(path, said("one"), whole[:20], end="")
    report = ingest(workspace, path)
    assert (report.lines, report.malformed, report.waits, texts(workspace)) == (1, 0, True, ["one"])
    assert ingest(workspace, path).waits
    append(path, whole[20:])
    report = ingest(workspace, path)
    assert (report.lines, report.malformed, report.waits, texts(workspace)) == (1, 0, False, ["one", "two"])


def test_a_last_line_that_never_ended_is_malformed_once_more_follows(workspace: Workspace, path: Path) -> None:
    write(path, said("one"), said("two")[:20], end="")
    ingest(workspace, path)
    append(path, "", said("three"))
    report = ingest(workspace, path)
    assert (report.malformed, texts(workspace)) == (1, ["one", "three"])


def test_a_whole_record_needs_no_line_end(workspace: Workspace, path: Path) -> None:
    write(path, said("one"), said("two"), end="")
    assert (ingest(workspace, path).waits, texts(workspace)) == (False, ["one", "two"])
    append(path, "\r", said("three"), end="")
    report = ingest(workspace, path)
    assert (report.reading, report.waits, texts(workspace)) == (Reading.CONTINUED, False, ["one", "two", "three"])
    assert [one.event.line for one in events(workspace)] == [1, 2, 3]


@pytest.mark.parametrize("lines", [["changed", "two"], ["other"], ["one, but", "longer", "than", "before"], []])
def test_a_rewritten_file_replaces_its_events_in_its_run(workspace: Workspace, path: Path, lines: list[str]) -> None:
    write(path, said("one"), said("two"))
    run = ingest(workspace, path).run
    write(path, *map(said, lines), end="\n" if lines else "")
    touch(path, NOON + timedelta(minutes=1))
    report = ingest(workspace, path)
    assert (report.reading, report.run, report.lines) == (Reading.REWRITTEN, run, len(lines))
    assert texts(workspace) == lines
    write(path, said("new"))
    assert (ingest(workspace, path).run, texts(workspace)) == (run, ["new"])
    assert len(workspace.runs.list(limit=10)) == 1


def test_many_lines_are_written_in_batches_each_once(workspace: Workspace, path: Path) -> None:
    write(path, *(said(f"line {number}") for number in range(3_500)))
    assert ingest(workspace, path).events == 3_500
    assert texts(workspace) == [f"line {number}" for number in range(3_500)]


def reading(project: Project, path: Path) -> subprocess.Popen[bytes]:
    """Start a process of its own that reads a transcript."""
    code = (
        "import sys, tx_graph\n"
        "with tx_graph.open_workspace(sys.argv[1]) as workspace:\n"
        "    workspace.transcripts.ingest(sys.argv[2], keep='9999w')"
    )
    return subprocess.Popen([sys.executable, "-c", code, str(project.root), str(path)])


def numbers(workspace: Workspace) -> list[int]:
    every = TelemetryStore(workspace.kernel.database).last(run=None, limit=-1)
    return [int(one.event.text.split()[1]) for one in every]


def test_killed_in_between_nothing_is_lost_and_nothing_comes_twice(project: Project, path: Path) -> None:
    write(path, *(said(f"line {number} {'x' * 500}") for number in range(12_000)))
    process = reading(project, path)
    with project.open() as workspace:
        while process.poll() is None and not events(workspace):
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        ingest(workspace, path, keep="9999w")
        assert numbers(workspace) == list(range(12_000))


def test_two_that_read_at_once_store_everything_once(project: Project, path: Path) -> None:
    write(path, *(said(f"line {number}") for number in range(6_000)))
    project.open().close()
    for process in [reading(project, path) for _ in range(3)]:
        assert process.wait() == 0
    with project.open() as workspace:
        assert numbers(workspace) == list(range(6_000))
        assert len(workspace.runs.list(limit=10)) == 1


def test_a_file_that_grows_while_it_is_read_is_read_to_its_end_next_time(workspace: Workspace, path: Path) -> None:
    write(path, *(said(f"line {number}") for number in range(2_500)))
    grown = False

    def grow(*_: object) -> None:
        nonlocal grown
        if not grown:
            grown = True
            append(path, said("late"))

    # SQLite asks for progress in the middle of the work: the file grows while the transcript is open.
    workspace._database.connection.set_progress_handler(grow, 50)
    ingest(workspace, path)
    workspace._database.connection.set_progress_handler(None, 0)
    assert grown
    ingest(workspace, path)
    assert texts(workspace) == [*(f"line {number}" for number in range(2_500)), "late"]


def test_no_secret_reaches_the_disk(project: Project, path: Path) -> None:
    call = {"id": KEY, "function": {"name": KEY, "arguments": json.dumps({"path": f"{project.root}/{KEY}"})}}
    write(
        path,
        said(f"My key is {KEY}, keep it.", cwd=str(project.root), session=KEY),
        said("", role="assistant", tool_calls=[call]),
        said("x" * 6_000 + f" {KEY} " + "y" * 6_000, role="tool", name=KEY),
        said("x" * (TEXT_LIMIT // 2 - 10) + f" {KEY} " + "y" * 60_000, role="tool"),
    )
    with project.open() as workspace:
        assert ingest(workspace, path).redacted >= 3
        assert texts(workspace)[0] == "My key is [redacted: github-pat], keep it."
    stored = b"".join(file.read_bytes() for file in (project.root / ".tx").glob("graph.db*"))
    assert KEY.encode() not in stored
    assert KEY[4:20].encode() not in stored


def test_a_text_keeps_its_beginning_and_its_end(workspace: Workspace, path: Path) -> None:
    write(path, said("a" * 20_000 + "b" * 20_000), said("c" * TEXT_LIMIT))
    ingest(workspace, path)
    long, short = texts(workspace)
    half = TEXT_LIMIT // 2
    assert long == f"{'a' * half}\n… (30,000 characters left out) …\n{'b' * half}"
    assert short == "c" * TEXT_LIMIT


def test_files_that_cannot_be_read_say_why(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n')
    (tmp_path / "packed.jsonl.gz").write_bytes(b"\x1f\x8b")
    (tmp_path / "binary.jsonl").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "none").mkdir()
    names = ["empty.jsonl", "other.jsonl", "packed.jsonl.gz", "binary.jsonl", "none"]
    report = workspace.kernel.one(Transcripts).ingest(*(tmp_path / name for name in names))
    assert [one.problem for one in report.refused] == [
        "is empty",
        "is no transcript in a known format",
        "is compressed: unpack it first",
        "is no transcript in a known format",
    ]
    assert all(one.named for one in report.refused)
    with pytest.raises(NotFound):
        workspace.kernel.one(Transcripts).ingest(str(tmp_path / "nowhere"))


def test_sessions_in_other_directories_are_left_out_unless_they_are_asked_for(
    workspace: Workspace, project: Project, tmp_path: Path
) -> None:
    place = tmp_path / "sessions"
    place.mkdir()
    write(place / "ours.jsonl", said("ours", cwd=f"{project.root}/src"))
    write(place / "theirs.jsonl", said("theirs", cwd="/elsewhere"))
    write(place / "nowhere.jsonl", said("nowhere"))
    report = workspace.kernel.one(Transcripts).ingest(str(place))
    assert [one.reading for one in report.files] == [Reading.NEW, Reading.NEW, Reading.ELSEWHERE]
    assert sorted(texts(workspace)) == ["nowhere", "ours"]
    assert ingest(workspace, place / "theirs.jsonl").reading is Reading.NEW
    assert "theirs" in texts(workspace)
    write(place / "others.jsonl", said("others", cwd="/elsewhere"))
    workspace.kernel.one(Transcripts).ingest(str(place), everywhere=True)
    assert "others" in texts(workspace)


def test_a_session_in_which_nothing_was_said_makes_no_run(workspace: Workspace, path: Path) -> None:
    write(path, '{"type":"summary","summary":"x","leafUuid":"u"}')
    assert ingest(workspace, path).reading is Reading.SILENT
    assert workspace.runs.list(limit=10) == ()
    append(path, '{"type":"user","sessionId":"s","message":{"role":"user","content":"Hi"}}')
    assert ingest(workspace, path).reading is Reading.NEW


def test_what_is_older_than_the_setting_is_forgotten_after_each_reading(project: Project, path: Path) -> None:
    write(path, said("old"), said("new", minutes=60 * 24 * 20))
    project.clock.pass_by(timedelta(days=29))
    with project.open() as workspace:
        ingest(workspace, path)
        assert texts(workspace) == ["old", "new"]
    project.clock.pass_by(timedelta(days=2))
    append(path, said("newer", minutes=60 * 24 * 31))
    with project.open() as workspace:
        report = workspace.kernel.one(Transcripts).ingest(str(path))
        assert (report.pruned, report.keep, texts(workspace)) == (1, "30d", ["new", "newer"])


def test_what_is_too_old_already_is_not_stored(workspace: Workspace, path: Path) -> None:
    write(path, said("old", minutes=-60 * 24 * 31), said("new"))
    report = ingest(workspace, path)
    assert (report.events, report.expired, texts(workspace)) == (1, 1, ["new"])
    write(path.with_name("other.jsonl"), said("ancient", minutes=-60 * 24 * 3_000))
    assert ingest(workspace, path.with_name("other.jsonl"), keep="99999w").events == 1


def test_a_file_that_was_not_written_for_so_long_is_not_read(workspace: Workspace, path: Path) -> None:
    write(path, said("old"))
    touch(path, NOON - timedelta(days=31))
    assert ingest(workspace, path).reading is Reading.OLD
    assert ingest(workspace, path, keep="5w").reading is Reading.NEW


@pytest.mark.parametrize("told", [{}, {"timestamp": "9999-12-31T23:59:59Z"}], ids=["without a time", "of the future"])
def test_other_events_have_the_time_of_the_file(workspace: Workspace, path: Path, told: dict[str, str]) -> None:
    write(path, json.dumps({"role": "user", "content": "Hi"} | told))
    run = workspace.kernel.one(WorkReferences).run(str(ingest(workspace, path).run))
    assert ([stored.event.at for stored in events(workspace)], run.started_at) == ([at()], at())


@pytest.mark.parametrize(("keep", "left"), [("12h", 1), ("1d", 2), ("4w", 3), ("0h", 0)])
def test_pruning_keeps_what_is_young_enough(project: Project, path: Path, keep: str, left: int) -> None:
    write(path, said("a"), said("b", minutes=60 * 9), said("c", minutes=60 * 22))
    with project.open() as workspace:
        ingest(workspace, path)
    project.clock.pass_by(timedelta(hours=25))
    with project.open() as workspace:
        telemetry = workspace.kernel.one(Telemetry)
        with pytest.raises(UsageError, match="no length of time"):
            telemetry.prune("soon")
        done = telemetry.prune(keep)
        assert (done.removed, done.left, len(events(workspace))) == (3 - left, left, left)
        assert workspace.runs.list(limit=10)
        assert ingest(workspace, path).events == 0


def test_events_are_asked_for_by_run_kind_and_failure(workspace: Workspace, tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    write(first, said("a"), said("bad", role="tool", is_error=True))
    write(second, said("b"), said("good", role="tool"))
    ingest(workspace, first)
    run = ingest(workspace, second).run
    ask = workspace.kernel.one(Telemetry).list
    assert [one.event.text for one in ask(run=f"run:{run}")] == ["b", "good"]
    assert [one.event.text for one in ask(kinds=[EventKind.USER])] == ["a", "b"]
    assert [one.event.text for one in ask(failed=True)] == ["bad"]
    assert [one.event.text for one in ask(limit=1)] == ["good"]
    with pytest.raises(NotFound):
        ask(run="99")
