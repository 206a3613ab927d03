"""The learnings a workspace knows, for completion."""

from __future__ import annotations

from pathlib import Path

from tx_graph.cli.completion.database import reading


def labels(directory: Path) -> list[tuple[int, str, str]]:
    """Return number, uid and content of the learnings of the workspace around `directory`, newest first.

    Empty when there is no workspace, or its database does not exist yet.
    """
    with reading(directory) as database:
        if database is None:
            return []
        from tx_graph.storage.learnings import LearningStore

        return LearningStore(database).labels()
