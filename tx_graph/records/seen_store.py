"""The record files as they were last read: what says which of them changed since."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Generic, Protocol, TypeVar

from tx_graph.core.database import Database
from tx_graph.core.dataclass import dataclass, fields

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRow:
    """A record file as last read. `problem` and `problem_line` say why it was skipped, when it was."""

    name: str
    size: int
    mtime_ns: int
    content_hash: str
    uid: str | None = None
    problem: str | None = None
    problem_line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept(Generic[T]):
    """A thing as the database keeps it: what its record said, the record's name, and when that last changed."""

    thing: T
    record: str
    updated_at: str = ""


class Shelf(Protocol[T]):
    """Where the database keeps all things of one kind that have records. All that writes needs a transaction."""

    def save(self, thing: T, /, *, record: str, now: str) -> int:
        """Insert or update a thing with all that hangs on it; return its local number."""

    def mark_absent(self, uids: Collection[str]) -> None:
        """Take things whose records are gone out of every answer."""

    def kept(self, uid: str) -> Kept[T] | None:
        """Return the thing with this uid, None if there is none or its record is gone."""

    def every_kept(self) -> Iterable[Kept[T]]:
        """Return all that is present, each with its record."""

    def settle(self) -> object:
        """Bring in order what hangs on all things together, after some have changed."""


_COLUMNS = tuple(one.name for one in fields(RecordRow))


class RecordStore:
    """Keeps stat and hash of every record file of one kind: the name of their directory."""

    def __init__(self, database: Database, kind: str = "learnings") -> None:
        self._database = database
        self.kind = kind

    def stats(self) -> dict[str, tuple[int, int]]:
        """Return (size, mtime in ns) of every known record by file name."""
        rows = self._database.rows("SELECT name, size, mtime_ns FROM records WHERE kind = ?", (self.kind,))
        return {name: (size, mtime) for name, size, mtime in rows}

    @staticmethod
    def every(database: Database) -> tuple[dict[str, dict[str, tuple[int, int]]], bool]:
        """Return (size, mtime in ns) of every known record, by kind and file name, and whether any was skipped."""
        found: dict[str, dict[str, tuple[int, int]]] = {}
        has_problems = False
        for kind, name, size, mtime, problem in database.rows(
            "SELECT kind, name, size, mtime_ns, problem FROM records"
        ):
            found.setdefault(kind, {})[name] = (size, mtime)
            has_problems = has_problems or problem is not None
        return found, has_problems

    def get(self, names: Collection[str]) -> dict[str, RecordRow]:
        """Return the known records among `names`."""
        found = self._select("name IN (SELECT value FROM json_each(?))", json.dumps(list(names))) if names else []
        return {row.name: row for row in found}

    def problems(self) -> list[RecordRow]:
        """Return the records that were skipped, by name."""
        return self._select("problem IS NOT NULL")

    def _select(self, condition: str, *parameters: str) -> list[RecordRow]:
        rows = self._database.rows(
            f"SELECT {', '.join(_COLUMNS)} FROM records WHERE kind = ? AND {condition} ORDER BY name",
            (self.kind, *parameters),
        )
        return [RecordRow(**dict(zip(_COLUMNS, row, strict=True))) for row in rows]

    def save(self, rows: Iterable[RecordRow]) -> None:
        """Insert or update records. Needs a transaction."""
        self._database.write_many(
            f"INSERT OR REPLACE INTO records (kind, {', '.join(_COLUMNS)}) VALUES (?{', ?' * len(_COLUMNS)})",
            ((self.kind, *(getattr(row, column) for column in _COLUMNS)) for row in rows),
        )

    def remove(self, names: Iterable[str]) -> None:
        """Forget records. Needs a transaction."""
        self._database.write_many(
            "DELETE FROM records WHERE kind = ? AND name = ?", ((self.kind, name) for name in names)
        )

    def holder_of(self, uid: str) -> str | None:
        """Return the file that holds what has this uid, None if no file does."""
        name = self._database.value(
            "SELECT name FROM records WHERE kind = ? AND uid = ? AND problem IS NULL", (self.kind, uid)
        )
        return str(name) if name is not None else None

    def readable(self) -> list[tuple[str, str]]:
        """Return name and uid of the records that were read in good order, by name."""
        return self._database.rows(
            "SELECT name, uid FROM records WHERE kind = ? AND problem IS NULL ORDER BY name", (self.kind,)
        )
