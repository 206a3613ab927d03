"""Tasks in words and as JSON objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.cli.render.shapes import Shape
from tx_graph.cli.render.terminal import print_table, printable
from tx_graph.domain.task import TaskStatus

if TYPE_CHECKING:
    from tx_graph.domain.task import Task


def shape(one: Task) -> Shape:
    """Return a task."""
    return {
        "id": one.id,
        "ref": one.ref,
        "title": one.title,
        "description": one.description,
        "external_id": one.external_id,
        "status": one.status.value,
        "created_at": one.created_at,
        "updated_at": one.updated_at,
        "done_at": one.done_at,
    }


def label(one: Task) -> str:
    """Return what names a task in a line: `task:7 (GH-123) Repair the login`."""
    return printable(f"{one.ref}{f' ({one.external_id})' if one.external_id else ''} {one.title}")


def print_many(tasks: Sequence[Task]) -> None:
    """Print tasks as a table; columns that would say nothing are left out."""
    columns = [("#", [str(task.id) for task in tasks])]
    if any(task.external_id for task in tasks):
        columns.append(("id", [task.external_id or "" for task in tasks]))
    if any(task.status is not TaskStatus.OPEN for task in tasks):
        columns.append(("status", [task.status.value for task in tasks]))
    columns.append(("created", [task.created_at[:10] for task in tasks]))
    columns.append(("title", [task.title for task in tasks]))
    names, cells = [name for name, _ in columns], [cells for _, cells in columns]
    print_table(names, list(zip(*cells, strict=True)), right=["#"])
