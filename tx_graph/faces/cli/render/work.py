"""Tasks, runs and transcripts in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from tx_graph.core.text import counted, inert
from tx_graph.faces.cli.render.terminal import (
    echo,
    note,
    print_each,
    print_fields,
    printable,
    reading_width,
    set_apart,
    shortened,
    styled,
)
from tx_graph.work.values import (
    Ended,
    Feedback,
    Run,
    RunShown,
    RunWithTranscript,
    Task,
    TaskShown,
    TaskStatus,
    UseInRun,
)

if TYPE_CHECKING:
    from tx_graph.records.learning import StoredLearning
    from tx_graph.work.telemetry_store import TranscriptTally
    from tx_graph.work.transcripts import IngestReport, Pruned
    from tx_graph.work.values import StoredEvent, UsedLearning, Vote


_RUNS = 10  # runs of a task that are shown with it, the newest; JSON has all
_EXCERPT = 100  # columns of a learning's content in a table
_MINUTE, _HOUR = 60, 3600
_VOTES = {True: "helpful", False: "unhelpful", None: ""}


def changed(one: Task, command: str) -> None:
    """Print the task that was added or changed."""
    echo(f"{'Added' if command == 'task:add' else 'Changed'} {_label(one)}")


def done(one: Task, reopen: bool) -> None:  # noqa: FBT001 - the option
    """Print the task that is done, or is to be done after all."""
    echo(f"{'Reopened' if reopen else 'Done:'} {_label(one)}")


def tasks(found: Sequence[Task], status: TaskStatus | None) -> None:
    """Print tasks as a table, or what to do where there are none."""
    if not found:
        is_open = status is TaskStatus.OPEN
        note('No open tasks. Add one: tx task:add "what is to be done"' if is_open else "No such tasks.")
        return
    is_mixed = any(one.status is not TaskStatus.OPEN for one in found)
    columns: dict[str, Callable[[Task], str]] = {
        "#": lambda one: str(one.id),
        "id": lambda one: one.external_id or "",
        "status": lambda one: one.status.value if is_mixed else "",
        "created": lambda one: one.created_at[:10],
        "title": lambda one: one.title,
    }
    print_each(found, columns, right=["#"], filled=None)


def task(shown: TaskShown) -> None:
    """Print a task with its runs and learnings."""
    one = shown.task
    echo(f"{styled(_label(one), bold=True)}  {one.status}")
    if one.description:
        echo(f"\n{set_apart(one.description)}\n")
    print_fields([("created", one.created_at), ("done", one.done_at or "")])
    if shown.runs:
        _head("Runs")
        _print_runs(shown.runs[:_RUNS], of_one_task=True)
    if len(shown.runs) > _RUNS:
        note(f"{len(shown.runs) - _RUNS} more; see 'tx run:list --task {one.id}'.")
    _print_derived(shown.derived)
    if shown.used:
        _head("Used in its runs")
        columns: dict[str, Callable[[UsedLearning], str]] = {
            "#": lambda used: str(used.stored.id),
            "runs": lambda used: str(len(used.uses)),
            "helpful": lambda used: str(used.helpful),
            "unhelpful": lambda used: str(used.unhelpful),
            "content": lambda used: shortened(used.stored.learning.content, _EXCERPT),
        }
        print_each(shown.used, columns, right=["#", "runs", "helpful", "unhelpful"])


def started(one: Run) -> None:
    """Print the number of a run, for scripts; what else there is to say goes to stderr."""
    echo(str(one.id))
    note(f"Started {one.ref}{f' for {_label(one.task)}' if one.task else ''}.")


def is_done(one: Run) -> None:
    """Say that the task of a new run is done already."""
    if one.task and one.task.status is TaskStatus.DONE:
        note(f"{one.task.ref} is done; 'tx task:done {one.task.id} --reopen' opens it again.")


def ended(one: Ended) -> None:
    """Print how a run ended."""
    told = f"had {one.run.outcome} already" if one.existed else f"{one.run.outcome} after {duration(one.run)}"
    echo(f"{one.run.ref} {told}.")


def is_empty(_one: Ended, transcript: str | None) -> None:
    """Say that a transcript was empty."""
    if transcript == "":
        note("The transcript is empty; none is kept.")


def runs(found: Sequence[Run]) -> None:
    """Print runs as a table, or what to do where there are none."""
    if found:
        _print_runs(found)
    else:
        note("No runs. Start one: tx run:start --task TASK")


def run(shown: RunShown) -> None:
    """Print a run with the learnings it had, or its transcript alone."""
    one = shown.run
    if isinstance(shown, RunWithTranscript):
        if shown.transcript is None:
            note(f"{one.ref} has no transcript.")
        else:
            echo(inert(shown.transcript), nl=not shown.transcript.endswith("\n"))
        return
    read = shown.telemetry
    size = "" if one.transcript_bytes is None else f"{one.transcript_bytes:,} bytes; --transcript prints it"
    took = f" (after {duration(one)})" if one.finished_at else ""
    echo(f"{styled(one.ref, bold=True)}  {_outcome(one)}")
    print_fields(
        [
            ("task", _label(one.task) if one.task else ""),
            ("agent", one.agent or ""),
            ("started", one.started_at),
            ("finished", f"{one.finished_at}{took}" if one.finished_at else ""),
            ("transcript", size),
            ("read from", read.row.path if read else ""),
            ("telemetry", told(read)),
        ]
    )
    if shown.used:
        from tx_graph.faces.cli.render.words import score

        _head("Learnings it had")
        columns: dict[str, Callable[[UseInRun], str]] = {
            "shown": lambda one: "" if one.use.position is None else str(one.use.position),
            "score": lambda one: "" if one.use.score is None else score(one.use.score),
            "vote": lambda one: _VOTES[one.use.helpful],
            "#": lambda one: str(one.stored.id),
            "content": lambda one: shortened(one.stored.learning.content, reading_width()),
        }
        print_each(shown.used, columns, right=["#", "shown"], filled=None)
    _print_derived(shown.derived)


def feedback(given: Feedback) -> None:
    """Print the votes that were given."""
    columns: dict[str, Callable[[Vote], str]] = {
        "#": lambda vote: str(vote.stored.id),
        "vote": lambda vote: (
            _VOTES[vote.helpful]
            + (f", not {_VOTES[vote.previous]}" if vote.previous not in (None, vote.helpful) else "")
        ),
        "feedback": lambda vote: f"{vote.stored.usage.score:.2f}",
        "content": lambda vote: shortened(vote.stored.learning.content, reading_width()),
    }
    print_each(given.votes, columns, right=["#", "feedback"])


def unseen(given: Feedback) -> None:
    """Say which of the learnings that were voted on were not shown in the run."""
    for vote in given.votes:
        if vote.position is None:
            note(f"{vote.stored.ref} was not shown in {given.run.ref}; the vote counts all the same.")


def _label(one: Task) -> str:
    """Return what names a task in a line: `task:7 (GH-123) Repair the login`."""
    return printable(f"task:{one.label}")


def _outcome(one: Run) -> str:
    """Return how a run ended, or that it goes on.

    A session that was read from its transcript has ended, but that does not tell how.
    """
    return one.outcome.value if one.outcome else "ended" if one.finished_at else "running"


def duration(one: Run) -> str:
    """Return how long a run took, `3 h 20 min`; empty while it goes on."""
    if one.finished_at is None:
        return ""
    took = datetime.fromisoformat(one.finished_at) - datetime.fromisoformat(one.started_at)
    seconds = max(0, int(took.total_seconds()))
    if seconds < _MINUTE:
        return f"{seconds} s"
    hours, rest = divmod(seconds, _HOUR)
    return f"{hours:,} h {rest // _MINUTE} min" if hours else f"{rest // _MINUTE} min"


def _print_runs(many: Sequence[Run], *, of_one_task: bool = False) -> None:
    columns: dict[str, Callable[[Run], str]] = {
        "#": lambda one: str(one.id),
        "started": lambda one: one.started_at[:16].replace("T", " "),
        "took": duration,
        "outcome": _outcome,
        "agent": lambda one: shortened(one.agent or "", 20),
        "task": lambda one: _label(one.task) if one.task and not of_one_task else "",
    }
    print_each(many, columns, right=["#", "took"], filled=None)


def _print_derived(learnings: Sequence[StoredLearning]) -> None:
    if learnings:
        from tx_graph.faces.cli.render.words import print_learnings

        _head("Learned from it")
        print_learnings(learnings)


def _head(text: str) -> None:
    echo(f"\n{styled(text, bold=True)}")


_MOST_NAMED = 3
_READ = ("new", "continued", "rewritten")
_PLACE = 40  # columns of a path in a table; its end tells more than its beginning


def ingested(report: IngestReport) -> None:
    """Print what was read, and to stderr what was not and why."""
    read = [one for one in report.files if one.reading.value in _READ]
    kinds = Counter(one.reading.value for one in report.files)
    events, redacted = sum(one.events for one in read), sum(one.redacted for one in read)
    states = ", ".join(f"{kinds[kind]:,} {kind}" for kind in (*_READ, "unchanged") if kinds[kind])
    echo(f"{counted(len(read) + kinds['unchanged'], 'transcript')}{f' ({states})' if states else ''}.")
    if read:
        echo(f"{counted(events, 'event')}, {counted(redacted, 'secret')} taken out. See 'tx transcript:list'.")
    if kinds["elsewhere"]:
        what = counted(kinds["elsewhere"], "session")
        note(f"{what} in other directories left out; --everywhere reads them too.")
    if kinds["silent"]:
        note(f"{counted(kinds['silent'], 'file')} in which nothing was said or done.")
    expired = sum(one.expired for one in report.files)
    if kinds["old"] or expired:
        old = [counted(kinds["old"], "transcript")] if kinds["old"] else []
        old += [counted(expired, "event")] if expired else []
        note(f"{' and '.join(old)} older than {report.keep} left out; --keep 365d keeps more.")
    if report.pruned:
        note(f"{counted(report.pruned, 'event')} older than {report.keep} removed.")
    unknown, malformed = sum(one.unknown for one in read), sum(one.malformed for one in read)
    if unknown:
        note(f"{counted(unknown, 'line')} that no format knows.")
    if malformed:
        note(f"{counted(malformed, 'line')} that {'is' if malformed == 1 else 'are'} no JSON.")
    if waiting := sum(one.waits for one in report.files):
        note(f"{counted(waiting, 'last line')} without an end; read when there is more.")
    for one in report.refused[:_MOST_NAMED]:
        note(f"{one.path} {one.problem}.")
    if len(report.refused) > _MOST_NAMED:
        note(f"{len(report.refused) - _MOST_NAMED:,} more files were not read; --json names them all.")


def pruned(done: Pruned) -> None:
    """Print how many events were forgotten."""
    echo(f"Removed {counted(done.removed, 'event')} from before {done.since}; {done.left:,} left.")


def transcripts(found: Sequence[TranscriptTally]) -> None:
    """Print transcripts as a table, or how to read some."""
    if not found:
        note("No transcript was read yet: run 'tx transcript:ingest FILE|DIR'.")
        return
    columns: dict[str, Callable[[TranscriptTally], str]] = {
        "run": lambda one: str(one.row.run),
        "format": lambda one: one.row.format.value,
        "last event": lambda one: (one.last_at or "")[:16].replace("T", " "),
        "MB": lambda one: f"{one.row.read_bytes / 1_000_000:,.1f}",
        "lines": lambda one: f"{one.row.lines:,}",
        "events": lambda one: f"{one.events:,}",
        "failed": lambda one: f"{one.failed:,}",
        "redacted": lambda one: f"{one.row.redacted:,}",
        "file": lambda one: one.row.path if len(one.row.path) <= _PLACE else f"…{one.row.path[1 - _PLACE :]}",
    }
    print_each(found, columns, right=["run", "MB", "lines", "events", "failed", "redacted"])


def told(one: TranscriptTally | None) -> str:
    """Return what is kept of a run's transcript in words, `1,200 events, 31 failed`; empty where it has none."""
    if one is None:
        return ""
    failed = f", {one.failed:,} failed" if one.failed else ""
    return f"{counted(one.events, 'event')}{failed}; 'tx telemetry:list --run {one.row.run}' shows them"


def events(found: Sequence[StoredEvent]) -> None:
    """Print events as a table, of each text the beginning, or how to have some."""
    if not found:
        note("No such event is kept. 'tx transcript:ingest FILE|DIR' reads transcripts.")
        return
    columns: dict[str, Callable[[StoredEvent], str]] = {
        "run": lambda stored: str(stored.run),
        "at": lambda stored: (stored.event.at or "")[:16].replace("T", " "),
        "kind": lambda stored: f"{stored.event.kind.value}{' ✗' if stored.event.failed else ''}",
        "tool": lambda stored: shortened(stored.event.tool or "", 20),
        "text": lambda stored: shortened(stored.event.text.strip(), reading_width()),
    }
    print_each(found, columns, right=["run"])
