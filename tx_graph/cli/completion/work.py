"""The tasks and runs a workspace knows, for completion: empty without a workspace, or before its database exists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.cli.completion.database import reading

if TYPE_CHECKING:
    from tx_graph.work.values import Run, Task

_MOST = 200
"""Newest tasks or runs to offer: older ones are hardly meant."""


def tasks(directory: Path) -> list[Task]:
    """Return the newest tasks of the workspace around `directory`, open ones first."""
    with reading(directory) as database:
        if database is None:
            return []
        from tx_graph.work.store import TaskStore

        return sorted(TaskStore(database).listed(None, limit=_MOST), key=lambda task: task.done_at is not None)


def runs(directory: Path) -> list[Run]:
    """Return the newest runs of the workspace around `directory`."""
    with reading(directory) as database:
        if database is None:
            return []
        from tx_graph.work.store import RunStore

        return RunStore(database).listed(limit=_MOST)
