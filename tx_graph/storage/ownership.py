"""Whose database this is: a repository keeps to its own, wherever TX_DB points."""

from __future__ import annotations

import os
from pathlib import Path

from tx_graph.errors import StorageError
from tx_graph.storage.database import Database


def claim(database: Database, root: Path, *, at_home: bool) -> None:
    """Make sure that `database` is that of the repository at `root`; a new one becomes so.

    A database `at_home`, inside the repository, moves with it: there the root is only brought up to date.

    Raises:
        StorageError: It is another repository's, or cannot be written.
    """
    name = os.fsencode(root).decode("utf-8", "backslashreplace")
    owner = database.owner or _owner_of(database)
    if owner == name or (database.read_only and (at_home or owner is None)):
        return
    if owner is None or at_home:
        with database.transaction():
            owner = _owner_of(database)
            if owner is None or at_home:
                database.write("INSERT OR REPLACE INTO workspace (id, root) VALUES (1, ?)", (name,))
                return
    if owner != name:
        raise StorageError(
            f"{database.path} belongs to {owner}, not to {name}.", hint="Unset TX_DB, or choose another file with it."
        )


def _owner_of(database: Database) -> str | None:
    owner = database.value("SELECT root FROM workspace")
    return None if owner is None else str(owner)
