"""Tasks and runs in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import typer

from tx_graph.faces.cli.render.terminal import (
    note,
    print_fields,
    print_table,
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


_RUNS = 10
"""Runs of a task that are shown with it, the newest; JSON has all."""
_EXCERPT = 100
"""Columns of a learning's content in a table."""
_MINUTE, _HOUR = 60, 3600
_VOTES = {True: "helpful", False: "unhelpful", None: ""}


def changed(one: Task, command: str) -> None:
    """Print the task that was added or changed."""
    typer.echo(f"{'Added' if command == 'task:add' else 'Changed'} {_label(one)}")


def done(one: Task, reopen: bool) -> None:  # noqa: FBT001 - the option
    """Print the task that is done, or is to be done after all."""
    typer.echo(f"{'Reopened' if reopen else 'Done:'} {_label(one)}")


def tasks(found: Sequence[Task], status: TaskStatus | None) -> None:
    """Print tasks as a table, or what to do where there are none."""
    if not found:
        is_open = status is TaskStatus.OPEN
        note('No open tasks. Add one: tx task:add "what is to be done"' if is_open else "No such tasks.")
        return
    is_mixed = any(one.status is not TaskStatus.OPEN for one in found)
    _print_filled(
        [
            ("#", [str(one.id) for one in found]),
            ("id", [one.external_id or "" for one in found]),
            ("status", [one.status.value if is_mixed else "" for one in found]),
            ("created", [one.created_at[:10] for one in found]),
            ("title", [one.title for one in found]),
        ]
    )


def task(shown: TaskShown) -> None:
    """Print a task with its runs and learnings."""
    one = shown.task
    typer.echo(f"{styled(_label(one), bold=True)}  {one.status}")
    if one.description:
        typer.echo(f"\n{set_apart(one.description)}\n")
    print_fields([("created", one.created_at), ("done", one.done_at or "")])
    if shown.runs:
        _head("Runs")
        _print_runs(shown.runs[:_RUNS], of_one_task=True)
    if len(shown.runs) > _RUNS:
        note(f"{len(shown.runs) - _RUNS} more; see 'tx run:list --task {one.id}'.")
    _print_derived("Learned from it", shown.derived)
    if shown.used:
        _head("Used in its runs")
        names = ["#", "runs", "helpful", "unhelpful", "content"]
        rows = [
            (
                str(used.stored.id),
                str(len(used.uses)),
                str(used.helpful),
                str(used.unhelpful),
                shortened(used.stored.learning.content, _EXCERPT),
            )
            for used in shown.used
        ]
        print_table(names, rows, right=names[:-1])


def started(one: Run) -> None:
    """Print the number of a run, for scripts; what else there is to say goes to stderr."""
    typer.echo(str(one.id))
    note(f"Started {one.ref}{f' for {_label(one.task)}' if one.task else ''}.")


def is_done(one: Run) -> None:
    """Say that the task of a new run is done already."""
    if one.task and one.task.status is TaskStatus.DONE:
        note(f"{one.task.ref} is done; 'tx task:done {one.task.id} --reopen' opens it again.")


def ended(one: Ended) -> None:
    """Print how a run ended."""
    told = f"had {one.run.outcome} already" if one.existed else f"{one.run.outcome} after {duration(one.run)}"
    typer.echo(f"{one.run.ref} {told}.")


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
            typer.echo(printable(shown.transcript), nl=not shown.transcript.endswith("\n"))
        return
    from tx_graph.faces.cli.render.telemetry import told

    read = shown.telemetry
    size = "" if one.transcript_bytes is None else f"{one.transcript_bytes:,} bytes; --transcript prints it"
    took = f" (after {duration(one)})" if one.finished_at else ""
    typer.echo(f"{styled(one.ref, bold=True)}  {_outcome(one)}")
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
        _head("Learnings it had")
        _print_uses(shown.used)
    _print_derived("Learned from it", shown.derived)


def feedback(given: Feedback) -> None:
    """Print the votes that were given."""
    rows = []
    for vote in given.votes:
        instead = f", not {_VOTES[vote.previous]}" if vote.previous not in (None, vote.helpful) else ""
        content = shortened(vote.stored.learning.content, reading_width())
        score = f"{vote.stored.usage.score:.2f}"
        rows.append((str(vote.stored.id), f"{_VOTES[vote.helpful]}{instead}", score, content))
    print_table(["#", "vote", "feedback", "content"], rows, right=["#", "feedback"])


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
    _print_filled(
        [
            ("#", [str(one.id) for one in many]),
            ("started", [one.started_at[:16].replace("T", " ") for one in many]),
            ("took", [duration(one) for one in many]),
            ("outcome", [_outcome(one) for one in many]),
            ("agent", [shortened(one.agent or "", 20) for one in many]),
            ("task", [_label(one.task) if one.task and not of_one_task else "" for one in many]),
        ]
    )


def _print_uses(uses: Sequence[UseInRun]) -> None:
    """Print what a run had of learnings as a table, in the order in which they were shown."""
    from tx_graph.faces.cli.render.words import score

    _print_filled(
        [
            ("shown", ["" if one.use.position is None else str(one.use.position) for one in uses]),
            ("score", ["" if one.use.score is None else score(one.use.score) for one in uses]),
            ("vote", [_VOTES[one.use.helpful] for one in uses]),
            ("#", [str(one.stored.id) for one in uses]),
            ("content", [shortened(one.stored.learning.content, reading_width()) for one in uses]),
        ]
    )


def _print_derived(heading: str, learnings: Sequence[StoredLearning]) -> None:
    if learnings:
        from tx_graph.faces.cli.render.words import print_learnings

        _head(heading)
        print_learnings(learnings)


def _head(text: str) -> None:
    typer.echo(f"\n{styled(text, bold=True)}")


def _print_filled(columns: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Print the columns that say anything."""
    filled = [(name, cells) for name, cells in columns if any(cells)]
    rows = list(zip(*(cells for _, cells in filled), strict=True))
    print_table([name for name, _ in filled], rows, right=["#", "shown", "took"])
