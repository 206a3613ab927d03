"""Tasks, runs and what agents did, from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tx_graph import EventKind, NotFound, Outcome, TaskStatus, TranscriptFormat, UsageError, Workspace


def test_tasks_are_worked_on_in_runs_and_votes_count(memory: Workspace) -> None:
    task = memory.tasks.add("Repair the login", external_id="GH-1")
    learning = memory.learnings.add("Tokens are compared", anchors=["src/tokens.py"]).stored
    run = memory.runs.start(task=task, agent="reviewer")
    page = memory.context("GH-1", files=("src/tokens.py",), run=run)
    assert [one.result.stored.id for one in page.shown.learnings] == [learning.id]
    (vote,) = memory.runs.feedback(run, helpful=[learning]).votes
    assert (vote.helpful, vote.position) == (True, 1)
    assert memory.runs.finish(run, Outcome.SUCCEEDED, transcript="all of it").run.outcome is Outcome.SUCCEEDED
    assert memory.runs.transcript(run) == "all of it"
    assert [use.stored.id for use in memory.runs.show(run.id).used] == [learning.id]
    assert [one.id for one in memory.runs.list(task="GH-1")] == [run.id]
    assert memory.tasks.show(task).used[0].helpful == 1
    with pytest.raises(UsageError, match="finished"):
        memory.context("GH-1", run=run)


def test_tasks_are_done_reopened_and_edited(memory: Workspace) -> None:
    task = memory.tasks.edit(memory.tasks.add("Repair the login"), title="Repair it", external_id="GH-1")
    assert memory.tasks.done("GH-1").status is TaskStatus.DONE
    assert memory.tasks.list() == ()
    assert memory.tasks.list(None)[0].title == "Repair it"
    assert memory.tasks.reopen(task).status is TaskStatus.OPEN
    with pytest.raises(NotFound):
        memory.tasks.show("GH-2")


def test_transcripts_are_read_and_their_events_forgotten(memory: Workspace, tmp_path: Path) -> None:
    pytest.importorskip("kingfisher_sdk")
    session = tmp_path / "session.jsonl"
    said = {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "Use tabs"}}
    session.write_text(json.dumps(said | {"cwd": str(memory.root), "timestamp": "2026-11-20T11:00:00Z"}) + "\n")
    report = memory.transcripts.ingest(session, format=TranscriptFormat.CLAUDE_CODE)
    assert [one.events for one in report.files] == [1]
    (tally,) = memory.transcripts.list()
    assert memory.transcripts.of_run(tally.row.run) == tally
    assert [one.event.text for one in memory.telemetry.list(kinds=[EventKind.USER])] == ["Use tabs"]
    assert memory.telemetry.prune("0h").left == 0
