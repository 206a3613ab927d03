"""Files that anchors lead to, as they were when they were last read to verify one."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import NamedTuple

from tx_graph.storage.database import Database


class SeenFile(NamedTuple):
    """A file as it was read: size in bytes, when it last changed in ns, and the SHA-256 of its bytes."""

    path: str
    size: int
    changed_ns: int
    content_hash: str


class AnchoredFileStore:
    """Keeps stamps and hashes, so that what did not change need not be read again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, paths: Collection[str]) -> dict[str, SeenFile]:
        """Return those of these files that were ever read, by path."""
        rows = self._database.rows(
            """
            SELECT path, size, changed_ns, content_hash
            FROM anchored_files
            WHERE path IN (SELECT value FROM json_each(:paths))
            """,
            {"paths": json.dumps(list(paths))},
        )
        return {row[0]: SeenFile._make(row) for row in rows}

    def get(self, path: str) -> SeenFile | None:
        """Return one file, None when it was never read."""
        row = self._database.row(
            "SELECT path, size, changed_ns, content_hash FROM anchored_files WHERE path = ?", (path,)
        )
        return SeenFile._make(row) if row else None

    def save(self, files: Iterable[SeenFile]) -> None:
        """Keep files as they were read now. Needs a transaction."""
        self._database.write_many(
            """
            INSERT INTO anchored_files (path, size, changed_ns, content_hash) VALUES (?, ?, ?, ?)
            ON CONFLICT (path) DO UPDATE SET
                size = excluded.size, changed_ns = excluded.changed_ns, content_hash = excluded.content_hash
            """,
            list(files),
        )

    def forget(self, paths: Collection[str]) -> None:
        """Drop files that no anchor leads to any more, or that are gone. Needs a transaction."""
        self._database.write_many("DELETE FROM anchored_files WHERE path = ?", [(path,) for path in paths])
