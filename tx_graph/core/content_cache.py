"""What was made of contents before, by their hash: readings of files, vectors of texts.

A database of its own: that of readings lies in git's common directory, for all branches and worktrees, that of vectors
in the user's cache, for all clones. It holds nothing that could not be made again, so whatever is wrong with it, tx
goes on without. Several processes may write to it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.core.database import connected
from tx_graph.core.sqlite import binding

if TYPE_CHECKING:
    from tx_graph.core.sqlite import Connection


_TIMEOUT = 2.0  # seconds to wait for another process's write; parsing takes less than waiting longer
_SCHEMA = """
    -- What was made of one content; `readers` tells what made it: a version of the readers, a model.
    CREATE TABLE IF NOT EXISTS readings (
        content TEXT    NOT NULL,
        readers TEXT    NOT NULL,
        used_on INTEGER NOT NULL,                     -- day, counted from 0001-01-01
        reading BLOB    NOT NULL,
        PRIMARY KEY (content, readers)
    ) WITHOUT ROWID
"""


class ContentCache:
    """Keeps what was made of contents by their hashes; every failure is a miss.

    `today` is when use is noted; what was not used for longest goes first when all together exceed `most_bytes`.
    """

    def __init__(self, path: Path, *, made_by: str, today: date, most_bytes: int) -> None:
        self.path = path
        self._made_by = made_by
        self._today = today.toordinal()
        self._most_bytes = most_bytes
        self._connection = _opened(path)

    def get(self, contents: Collection[str]) -> dict[str, bytes]:
        """Return the readings of those contents that were read before."""
        if self._connection is None:
            return {}
        with suppress(binding().module.Error):
            return dict(
                self._connection.execute(
                    """
                    SELECT content, reading
                    FROM readings
                    WHERE readers = :readers AND content IN (SELECT value FROM json_each(:contents))
                    """,
                    self._named(contents),
                ).fetchall()
            )
        return {}

    def keep(self, readings: Iterable[tuple[str, bytes]], *, used: Collection[str] = ()) -> None:
        """Keep new readings, note which others were used today, and drop the oldest beyond the limit."""
        rows = [(content, self._made_by, self._today, reading) for content, reading in readings]
        if self._connection is None or not (rows or used):
            return
        with suppress(binding().module.Error), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR REPLACE INTO readings VALUES (?, ?, ?, ?)", sorted(rows))
            self._connection.execute(
                """
                UPDATE readings
                SET used_on = :today
                WHERE readers = :readers AND used_on < :today AND content IN (SELECT value FROM json_each(:contents))
                """,
                self._named(used) | {"today": self._today},
            )
            if rows:
                self._connection.execute(
                    """
                    DELETE FROM readings
                    WHERE used_on < :today AND used_on <= (
                        SELECT max(used_on)
                        FROM (
                            SELECT used_on, sum(sum(length(reading))) OVER (ORDER BY used_on DESC) AS bytes
                            FROM readings
                            GROUP BY used_on
                        )
                        WHERE bytes > :most
                    )
                    """,
                    {"today": self._today, "most": self._most_bytes},
                )

    def close(self) -> None:
        """Close the database."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _named(self, contents: Collection[str]) -> dict[str, str | int]:
        return {"readers": self._made_by, "contents": json.dumps(list(contents))}


def _opened(path: Path) -> Connection | None:
    """Return a connection to the cache, built anew when it is damaged; None when there can be none."""
    # A power cut may lose it; it is only a cache.
    pragmas = ["journal_mode = WAL", "synchronous = OFF"]
    with suppress(OSError, binding().module.Error):
        return connected(path, pragmas=pragmas, schema=_SCHEMA, timeout=_TIMEOUT)
    return None
