"""run:start, run:finish, run:show, run:list, run:feedback."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tx_graph.cli.options import Json, Limit, RunRef, choices, decoded, opened, split_names
from tx_graph.cli.render import runs, shapes, tasks, words
from tx_graph.cli.render.telemetry import told, transcript_shape
from tx_graph.cli.render.terminal import (
    note,
    print_fields,
    print_json,
    print_table,
    printable,
    reading_width,
    shortened,
    styled,
)
from tx_graph.domain.run import TRANSCRIPT_LIMIT, Outcome
from tx_graph.domain.task import TaskStatus
from tx_graph.errors import UsageError
from tx_graph.retrieval.scoring import feedback as feedback_score
from tx_graph.services.runs import Ended, Ending, Feedback, RunShown, Vote

if TYPE_CHECKING:
    from tx_graph.storage.telemetry import TranscriptTally


def start(
    *,
    task: Annotated[
        str | None, typer.Option("--task", metavar="TASK", help="The task it is for: 7, or GH-123.")
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", metavar="NAME", help="Who or what works.")] = None,
    as_json: Json = False,
) -> None:
    """Start a run, one attempt at some work, and print its number; what else there is to say goes to stderr.

    Context that is gathered for it is remembered, so that 'tx run:feedback' can say what of it helped. Runs stay on
    this machine.

    Example:
      RUN=$(tx run:start --task GH-123 --agent reviewer)
      tx run:start --json
    """
    with opened() as workspace:
        run = workspace.runs.start(task=task, agent=agent)
    if as_json:
        print_json(runs.shape(run))
    else:
        typer.echo(str(run.id))
        note(f"Started {run.ref}{f' for {tasks.label(run.task)}' if run.task else ''}.")
    if run.task and run.task.status is TaskStatus.DONE:
        note(f"{run.task.ref} is done; 'tx task:done {run.task.id} --reopen' opens it again.")


def finish(
    ref: RunRef,
    *,
    outcome: Annotated[Outcome, typer.Option("--outcome", metavar="NAME", help=f"How it ended: {choices(Outcome)}.")],
    transcript: Annotated[
        str | None,
        typer.Option("--transcript", metavar="FILE", help="What was said and done, at most 10 MB; '-' reads stdin."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Replace what it says of its end.")] = False,
    as_json: Json = False,
) -> None:
    """Say how a run ended, and keep its transcript if you like.

    Example:
      tx run:finish 9 --outcome succeeded
      tx run:finish 9 --outcome failed --transcript session.log
    """
    text = None if transcript is None else _read(transcript)
    with opened() as workspace:
        ended = workspace.runs.finish(ref, Ending(outcome=outcome, transcript=text), again=again)
    if as_json:
        print_json(runs.shape(ended.run) | {"existed": ended.existed})
    else:
        _print_ended(ended)
    if text == "":
        note("The transcript is empty; none is kept.")


def show(
    ref: RunRef,
    *,
    transcript: Annotated[bool, typer.Option("--transcript", help="Print the transcript instead.")] = False,
    as_json: Json = False,
) -> None:
    """Show a run: how it ended, what was shown in it, what helped, and what was learned.

    Example:
      tx run:show 9
      tx run:show 9 --transcript
    """
    with opened() as workspace:
        shown = workspace.runs.show(ref)
        text = workspace.runs.transcript(ref) if transcript else None
        read = workspace.telemetry.of_run(shown.run.id)
    if as_json:
        print_json(_shape(shown, read) | ({"transcript": text} if transcript else {}))
    elif transcript:
        _print_transcript(shown, text)
    else:
        _print_shown(shown, read)


def list_(
    *,
    task: Annotated[str | None, typer.Option("--task", metavar="TASK", help="Only for this task.")] = None,
    limit: Limit = 20,
    as_json: Json = False,
) -> None:
    """List runs, newest first.

    Example:
      tx run:list
      tx run:list --task GH-123
    """
    with opened() as workspace:
        found = workspace.runs.listed(task=task, limit=limit)
    if as_json:
        print_json({"runs": [runs.shape(run) for run in found]})
    elif found:
        runs.print_many(found)
    else:
        note("No runs. Start one: tx run:start --task TASK")


def feedback(
    ref: RunRef,
    *,
    helpful: Annotated[
        list[str] | None, typer.Option("--helpful", metavar="A,B", help="Learnings that helped, such as 3,7.")
    ] = None,
    unhelpful: Annotated[
        list[str] | None, typer.Option("--unhelpful", metavar="A,B", help="Learnings that did not help.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say which learnings helped in a run and which did not; those that help rank a little higher.

    All votes count, or none if one of them names nothing. There is one vote for each learning and run; a later one
    replaces it.

    Example:
      tx run:feedback 9 --helpful 3,7 --unhelpful 2
    """
    with opened() as workspace:
        given = workspace.runs.feedback(ref, helpful=split_names(helpful), unhelpful=split_names(unhelpful))
    if as_json:
        print_json(_feedback_shape(given))
    else:
        _print_feedback(given)
    for vote in given.votes:
        if vote.position is None:
            note(f"{vote.stored.ref} was not shown in {given.run.ref}; the vote counts all the same.")


def _read(name: str) -> str:
    """Return the text of a file, or of stdin for '-'; not more of it than tells that it is too long.

    Raises:
        UsageError: It cannot be read, or is not valid UTF-8.
    """
    if name == "-":
        return decoded(_within_limit(sys.stdin.buffer.read(TRANSCRIPT_LIMIT + 1), "stdin"), "stdin")
    try:
        with Path(name).open("rb") as stream:
            return decoded(_within_limit(stream.read(TRANSCRIPT_LIMIT + 1), name), name)
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}.") from None


def _within_limit(data: bytes, source: str) -> bytes:
    if len(data) > TRANSCRIPT_LIMIT:
        raise UsageError(
            f"{source} has more than {TRANSCRIPT_LIMIT:,} bytes, the most that a transcript may have.",
            hint=f"Keep its end: tail -c {TRANSCRIPT_LIMIT} FILE | tx run:finish … --transcript -",
        )
    return data


def _print_ended(ended: Ended) -> None:
    if ended.existed:
        typer.echo(f"{ended.run.ref} had {ended.run.outcome} already.")
    else:
        typer.echo(f"{ended.run.ref} {ended.run.outcome} after {runs.duration(ended.run)}.")


def _shape(shown: RunShown, read: TranscriptTally | None) -> dict[str, Any]:
    return runs.shape(shown.run) | {
        "used": [runs.use(one) for one in shown.used],
        "derived": [shapes.learning(stored) for stored in shown.derived],
        "telemetry": transcript_shape(read) if read else None,
    }


def _print_transcript(shown: RunShown, text: str | None) -> None:
    if text is None:
        note(f"{shown.run.ref} has no transcript.")
    else:
        typer.echo(printable(text), nl=not text.endswith("\n"))


def _print_shown(shown: RunShown, read: TranscriptTally | None) -> None:
    run = shown.run
    size = "" if run.transcript_bytes is None else f"{run.transcript_bytes:,} bytes; --transcript prints it"
    took = f" (after {runs.duration(run)})" if run.finished_at else ""
    typer.echo(f"{styled(run.ref, bold=True)}  {runs.outcome(run)}")
    print_fields(
        [
            ("task", tasks.label(run.task) if run.task else ""),
            ("agent", run.agent or ""),
            ("started", run.started_at),
            ("finished", f"{run.finished_at}{took}" if run.finished_at else ""),
            ("transcript", size),
            ("read from", read.row.path if read else ""),
            ("telemetry", told(read)),
        ]
    )
    if shown.used:
        typer.echo(f"\n{styled('Learnings it had', bold=True)}")
        runs.print_uses(shown.used)
    if shown.derived:
        typer.echo(f"\n{styled('Learned from it', bold=True)}")
        words.print_learnings(shown.derived)


def _feedback_shape(given: Feedback) -> dict[str, Any]:
    return {
        "run": runs.shape(given.run),
        "learnings": [
            shapes.learning(vote.stored)
            | {"helpful": vote.helpful, "previous": vote.previous, "position": vote.position}
            for vote in given.votes
        ],
    }


def _print_feedback(given: Feedback) -> None:
    rows = [
        (
            str(vote.stored.id),
            f"{runs.vote(vote.helpful)}{_instead(vote)}",
            _score(vote),
            shortened(vote.stored.learning.content, reading_width()),
        )
        for vote in given.votes
    ]
    print_table(["#", "vote", "feedback", "content"], rows, right=["#", "feedback"])


def _instead(vote: Vote) -> str:
    """Return which vote was replaced, if it was another one."""
    return f", not {runs.vote(vote.previous)}" if vote.previous not in (None, vote.helpful) else ""


def _score(vote: Vote) -> str:
    usage = vote.stored.usage
    return f"{feedback_score(helpful=usage.helpful, used=usage.count):.2f}"
