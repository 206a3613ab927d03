"""Moves a damaged database out of the way, so that a new one can be built from the records."""

from __future__ import annotations

from itertools import chain, count
from pathlib import Path

from tx_graph.errors import StorageError

_COMPANIONS = ("", "-wal", "-shm")
_MAGIC = b"SQLite format 3\0"


def is_database(path: Path) -> bool:
    """Whether the file begins as a SQLite database does, damaged as it may be.

    Raises:
        StorageError: It cannot be read.
    """
    try:
        with path.open("rb") as stream:
            return stream.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}.") from error


def set_aside(path: Path) -> Path:
    """Rename the database and what SQLite keeps beside it to `<name>.damaged`; return the new path.

    One that was set aside before stays: the next is `<name>.damaged2`.

    Raises:
        StorageError: The files cannot be moved.
    """
    names = chain([f"{path.name}.damaged"], (f"{path.name}.damaged{number}" for number in count(2)))
    target = next(found for name in names if not (found := path.with_name(name)).exists())
    try:
        for suffix in _COMPANIONS:
            source = path.with_name(path.name + suffix)
            if source.exists():
                source.rename(target.with_name(target.name + suffix))
    except OSError as error:
        raise StorageError(f"{path} cannot be moved aside: {error.strerror}.") from error
    return target
