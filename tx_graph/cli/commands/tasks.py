"""task:add, task:list, task:show, task:done, task:edit."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from tx_graph.cli.options import Json, Limit, TaskRef, choices, opened, text_from
from tx_graph.cli.render import runs, shapes, tasks, words
from tx_graph.cli.render.terminal import note, print_fields, print_json, print_table, set_apart, shortened, styled
from tx_graph.domain.task import Task, TaskStatus
from tx_graph.services.tasks import TaskChanges, TaskShown, UsedLearning

_RUNS = 10
"""Runs of a task that are shown with it, the newest; JSON has all."""
_EXCERPT = 100
"""Columns of a learning's content in a table."""


class Which(StrEnum):
    """Tasks of which status to list."""

    OPEN = "open"
    DONE = "done"
    ALL = "all"

    @property
    def status(self) -> TaskStatus | None:
        """The status, None for any."""
        return None if self is Which.ALL else TaskStatus(self)


def add(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What is to be done, in one line.")],
    *,
    description: Annotated[
        str, typer.Option("--description", metavar="TEXT", help="More about it; '-' reads stdin.")
    ] = "",
    external_id: Annotated[
        str | None, typer.Option("--id", metavar="NAME", help="What a tracker calls it, such as GH-123.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Add a task: something to gather context, runs and learnings for. Tasks stay on this machine.

    Example:
      tx task:add "Repair the login" --id GH-123
      tx task:add "Cache the index" --description - < issue.md
    """
    text = text_from(description) if description else ""
    with opened() as workspace:
        task = workspace.tasks.add(title, description=text, external_id=external_id)
    _print("Added", task, as_json=as_json)


def list_(
    *,
    status: Annotated[
        Which, typer.Option("--status", metavar="NAME", help=f"Only these: {choices(Which)}.")
    ] = Which.OPEN,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """List open tasks, newest first.

    Example:
      tx task:list
      tx task:list --status all -n 20
    """
    with opened() as workspace:
        found = workspace.tasks.listed(status.status, limit=limit)
    if as_json:
        print_json({"tasks": [tasks.shape(task) for task in found]})
    elif found:
        tasks.print_many(found)
    elif status is Which.OPEN:
        note('No open tasks. Add one: tx task:add "what is to be done"')
    else:
        note("No such tasks.")


def show(ref: TaskRef, *, as_json: Json = False) -> None:
    """Show a task with its runs, what was learned in it, and which learnings its runs used.

    Example:
      tx task:show 7
      tx task:show GH-123
    """
    with opened() as workspace:
        shown = workspace.tasks.show(ref)
    if as_json:
        print_json(_shape(shown))
    else:
        _print_shown(shown)


def done(
    ref: TaskRef,
    *,
    reopen: Annotated[bool, typer.Option("--reopen", help="Say that it is to be done after all.")] = False,
    as_json: Json = False,
) -> None:
    """Say that a task is done.

    Example:
      tx task:done GH-123
      tx task:done 7 --reopen
    """
    with opened() as workspace:
        task = workspace.tasks.reopen(ref) if reopen else workspace.tasks.finish(ref)
    _print("Reopened" if reopen else "Done:", task, as_json=as_json)


def edit(
    ref: TaskRef,
    *,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="New title.")] = None,
    description: Annotated[
        str | None,
        typer.Option("--description", metavar="TEXT", help="New description; '-' reads stdin, '' clears it."),
    ] = None,
    external_id: Annotated[
        str | None, typer.Option("--id", metavar="NAME", help="What a tracker calls it; '' clears it.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Change what a task says.

    Example:
      tx task:edit 7 --id GH-123
      tx task:edit GH-123 --title "Repair the login on Safari"
    """
    text = text_from(description) if description else description
    with opened() as workspace:
        task = workspace.tasks.edit(ref, TaskChanges(title=title, description=text, external_id=external_id))
    _print("Changed", task, as_json=as_json)


def _print(verb: str, task: Task, *, as_json: bool) -> None:
    if as_json:
        print_json(tasks.shape(task))
    else:
        typer.echo(f"{verb} {tasks.label(task)}")


def _shape(shown: TaskShown) -> dict[str, Any]:
    return tasks.shape(shown.task) | {
        "runs": [runs.shape(run) for run in shown.runs],
        "derived": [shapes.learning(stored) for stored in shown.derived],
        "used": [_used_shape(one) for one in shown.used],
    }


def _used_shape(one: UsedLearning) -> dict[str, Any]:
    return shapes.learning(one.stored) | {
        "runs": [use.run for use in one.uses],
        "helpful": one.helpful,
        "unhelpful": one.unhelpful,
    }


def _print_shown(shown: TaskShown) -> None:
    task = shown.task
    typer.echo(f"{styled(tasks.label(task), bold=True)}  {task.status}")
    if task.description:
        typer.echo(f"\n{set_apart(task.description)}\n")
    print_fields([("created", task.created_at), ("done", task.done_at or "")])
    if shown.runs:
        _head("Runs")
        runs.print_many(shown.runs[:_RUNS], of_one_task=True)
    if len(shown.runs) > _RUNS:
        note(f"{len(shown.runs) - _RUNS} more; see 'tx run:list --task {task.id}'.")
    if shown.derived:
        _head("Learned from it")
        words.print_learnings(shown.derived)
    if shown.used:
        _head("Used in its runs")
        _print_used(shown.used)


def _head(text: str) -> None:
    typer.echo(f"\n{styled(text, bold=True)}")


def _print_used(used: tuple[UsedLearning, ...]) -> None:
    rows = [
        (
            str(one.stored.id),
            str(len(one.uses)),
            str(one.helpful),
            str(one.unhelpful),
            shortened(one.stored.learning.content, _EXCERPT),
        )
        for one in used
    ]
    names = ["#", "runs", "helpful", "unhelpful", "content"]
    print_table(names, rows, right=names[:-1])
