"""Databases that may be thrown away, caches and notes: what is damaged is begun anew, and nobody is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.storage.sqlite import binding

if TYPE_CHECKING:
    from tx_graph.storage.sqlite import Connection


def connected(path: Path, *, pragmas: Sequence[str], schema: str, timeout: float) -> Connection:
    """Return a connection to a database with this schema, one statement; `timeout` is in seconds.

    Raises:
        OSError: Its directory cannot be made, or what is damaged cannot be removed.
        Error: SQLite's own, where it is locked, cannot be written, or the disk is full.
    """
    path.parent.mkdir(exist_ok=True)
    statements = (*(f"PRAGMA {pragma}" for pragma in pragmas), schema)
    try:
        return _opened(path, statements, timeout)
    except binding().module.OperationalError:  # locked, read-only, no space
        raise
    except binding().module.Error:
        for file in path.parent.glob(f"{path.name}*"):  # a log that was left would be taken for the new one's
            file.unlink()
        return _opened(path, statements, timeout)


def _opened(path: Path, statements: Sequence[str], timeout: float) -> Connection:
    connection: Connection = binding().module.connect(
        path, timeout=timeout, isolation_level=None, check_same_thread=False
    )
    try:
        for statement in statements:
            connection.execute(statement)
    except BaseException:
        connection.close()
        raise
    return connection
