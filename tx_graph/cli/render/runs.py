"""Runs in words and as JSON objects."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from tx_graph.cli.render import shapes, tasks
from tx_graph.cli.render.shapes import Shape
from tx_graph.cli.render.terminal import print_table, reading_width, shortened
from tx_graph.cli.render.words import score

if TYPE_CHECKING:
    from tx_graph.domain.run import Run
    from tx_graph.services.runs import UseInRun

_RUNNING = "running"
_ENDED = "ended"
"""What is said of a session that was read from its transcript: that tells until when, but not how it ended."""
_MINUTE, _HOUR = 60, 3600
_VOTES = {True: "helpful", False: "unhelpful", None: ""}


def shape(one: Run) -> Shape:
    """Return a run; it has no outcome while it goes on."""
    return {
        "id": one.id,
        "ref": one.ref,
        "task": tasks.shape(one.task) if one.task else None,
        "agent": one.agent,
        "outcome": one.outcome.value if one.outcome else None,
        "started_at": one.started_at,
        "finished_at": one.finished_at,
        "transcript_bytes": one.transcript_bytes,
    }


def use(one: UseInRun) -> Shape:
    """Return a learning with what a run had of it."""
    return shapes.learning(one.stored) | {
        "position": one.use.position,
        "score": one.use.score,
        "times_shown": one.use.times,
        "helpful": one.use.helpful,
    }


def outcome(one: Run) -> str:
    """Return how a run ended, that it ended where nobody said how, or that it goes on."""
    if one.outcome:
        return one.outcome.value
    return _ENDED if one.finished_at else _RUNNING


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


def vote(helpful: bool | None) -> str:  # noqa: FBT001 - the vote itself, not a switch
    """Return a vote in a word, nothing where there is none."""
    return _VOTES[helpful]


def print_many(runs: Sequence[Run], *, of_one_task: bool = False) -> None:
    """Print runs as a table; columns that would say nothing are left out."""
    columns = [
        ("#", [str(run.id) for run in runs]),
        ("started", [run.started_at[:16].replace("T", " ") for run in runs]),
        ("took", [duration(run) for run in runs]),
        ("outcome", [outcome(run) for run in runs]),
        ("agent", [shortened(run.agent or "", 20) for run in runs]),
        ("task", [tasks.label(run.task) if run.task and not of_one_task else "" for run in runs]),
    ]
    _print_filled(columns)


def print_uses(uses: Sequence[UseInRun]) -> None:
    """Print what a run had of learnings as a table, in the order in which they were shown."""
    columns = [
        ("shown", ["" if one.use.position is None else str(one.use.position) for one in uses]),
        ("score", ["" if one.use.score is None else score(one.use.score) for one in uses]),
        ("vote", [vote(one.use.helpful) for one in uses]),
        ("#", [str(one.stored.id) for one in uses]),
        ("content", [shortened(one.stored.learning.content, reading_width()) for one in uses]),
    ]
    _print_filled(columns)


def _print_filled(columns: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Print the columns that say anything."""
    filled = [(name, cells) for name, cells in columns if any(cells)]
    rows = list(zip(*(cells for _, cells in filled), strict=True))
    print_table([name for name, _ in filled], rows, right=["#", "shown", "took"])
