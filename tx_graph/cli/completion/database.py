"""The database of a workspace, for completion: only ever read, never created, migrated or waited for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tx_graph.storage.database import Database

_PATIENCE = 0.2
"""Seconds to wait for another process's lock: a Tab must not hang."""


@contextmanager
def reading(directory: Path) -> Iterator[Database | None]:
    """Yield the database of the workspace around `directory`.

    None when there is no workspace, or its database does not exist yet.
    """
    path = _database(directory)
    if path is None or not path.is_file():
        yield None
        return
    from tx_graph.storage.database import Database
    from tx_graph.storage.sqlite import binding

    # Without a write-ahead log nobody is writing; `immutable` then leaves no files beside the database.
    immutable = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    address = f"{path.resolve().as_uri()}?mode=ro{immutable}"
    with closing(binding().module.connect(address, timeout=_PATIENCE, isolation_level=None, uri=True)) as connection:
        yield Database(connection, path, read_only=True)


def _database(directory: Path) -> Path | None:
    from tx_graph.core.place import place_of
    from tx_graph.errors import NotInitialised

    try:
        return place_of(directory).database
    except NotInitialised:
        return None
