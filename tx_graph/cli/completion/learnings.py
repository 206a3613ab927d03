"""The learnings a workspace knows, for completion."""

from __future__ import annotations

from pathlib import Path

from tx_graph.cli.completion.database import reading


def labels(directory: Path) -> list[tuple[int, str, str]]:
    """Return number, uid and content, marked where it is staged, of the learnings around `directory`, newest first.

    Empty when there is no workspace, or its database does not exist yet.
    """
    with reading(directory) as database:
        if database is None:
            return []
        from tx_graph.storage.learnings import LearningStore

        store = LearningStore(database)
        staged = store.staged()
        return [(number, uid, f"staged: {text}" if number in staged else text) for number, uid, text in store.labels()]
