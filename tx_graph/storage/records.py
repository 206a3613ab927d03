"""The record files as they were last read: what says which of them changed since."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from tx_graph.storage.database import Database


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


class RecordStore:
    """Keeps stat and hash of every record file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stats(self) -> dict[str, tuple[int, int]]:
        """Return (size, mtime in ns) of every known record by file name."""
        return {
            name: (size, mtime) for name, size, mtime in self._database.rows("SELECT name, size, mtime_ns FROM records")
        }

    def get(self, names: Collection[str]) -> dict[str, RecordRow]:
        """Return the known records among `names`."""
        found = {}
        for name in names:
            row = self._database.row(
                "SELECT size, mtime_ns, content_hash, uid, problem, problem_line FROM records WHERE name = ?", (name,)
            )
            if row is not None:
                found[name] = RecordRow(
                    name=name,
                    size=row[0],
                    mtime_ns=row[1],
                    content_hash=row[2],
                    uid=row[3],
                    problem=row[4],
                    problem_line=row[5],
                )
        return found

    def save(self, rows: Iterable[RecordRow]) -> None:
        """Insert or update records. Needs a transaction."""
        self._database.write_many(
            """
            INSERT OR REPLACE INTO records (name, size, mtime_ns, content_hash, uid, problem, problem_line)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            ((r.name, r.size, r.mtime_ns, r.content_hash, r.uid, r.problem, r.problem_line) for r in rows),
        )

    def remove(self, names: Iterable[str]) -> None:
        """Forget records. Needs a transaction."""
        self._database.write_many("DELETE FROM records WHERE name = ?", ((name,) for name in names))

    def holder_of(self, uid: str) -> str | None:
        """Return the file that holds this learning, None if no file does."""
        name = self._database.value("SELECT name FROM records WHERE uid = ? AND problem IS NULL", (uid,))
        return str(name) if name is not None else None

    def lacking_rows(self) -> list[str]:
        """Return the records that were read in good order, and yet no present learning is theirs, by name."""
        return [
            name
            for (name,) in self._database.rows(
                """
                SELECT name
                FROM records
                WHERE problem IS NULL AND uid NOT IN (SELECT uid FROM learnings WHERE present = 1)
                ORDER BY name
                """
            )
        ]

    def problems(self) -> list[RecordRow]:
        """Return the records that were skipped, by name."""
        names = self._database.rows("SELECT name FROM records WHERE problem IS NOT NULL ORDER BY name")
        return list(self.get([name for (name,) in names]).values())
