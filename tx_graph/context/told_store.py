"""What an agent was told of its own accord, so that it is told once: local, small, and no loss if it is lost.

A database of its own in git's common directory, outside git beside the workspace's. A hook that waited for whoever
writes to the workspace's database would keep an agent waiting too; whatever is wrong with this one, tx goes on without.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.core.database import connected
from tx_graph.core.sqlite import binding

if TYPE_CHECKING:
    from tx_graph.core.sqlite import Connection


_TIMEOUT = 0.3  # seconds to wait for another hook's write, which takes a millisecond or two
_KEPT = timedelta(days=7)
_MOST_ROWS = 50_000
"""Rows, about 5 MB: with more, all are forgotten, and the worst of it is that something is said twice."""
_DIGEST_BYTES = 12
_SCHEMA = """
    -- One row per thing that one session was told at one place.
    CREATE TABLE IF NOT EXISTS told (
        session TEXT    NOT NULL,                     -- a hash: whose session it was is nobody's business
        place   TEXT    NOT NULL,                     -- a file, or empty for the session's start
        thing   TEXT    NOT NULL,                     -- what was told, by a name that lasts
        day     INTEGER NOT NULL,                     -- counted from 0001-01-01
        PRIMARY KEY (session, place, thing)
    ) WITHOUT ROWID
"""


class ToldStore:
    """Remembers what was told; every failure counts as nothing told. Its file is made when the first thing is kept."""

    def __init__(self, path: Path, *, today: date) -> None:
        self.path = path
        self._today = today.toordinal()

    def told(self, session: str, place: str) -> frozenset[str]:
        """Return what a session was told at a place."""
        query = "SELECT thing FROM told WHERE session = ? AND place = ?"
        with suppress(binding().module.Error, OSError), self._opened() as connection:
            return frozenset(thing for (thing,) in connection.execute(query, (_digest(session), place)).fetchall())
        return frozenset()

    def keep(self, session: str, place: str, things: Collection[str]) -> bool:
        """Remember that things are told now; return whether any of them was not yet, so that one of two tells them."""
        asked = {"session": _digest(session), "place": place, "things": json.dumps([*things]), "day": self._today}
        with suppress(binding().module.Error, OSError), self._opened(is_made=True) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DELETE FROM told WHERE day < ?", (self._today - _KEPT.days,))
            connection.execute("DELETE FROM told WHERE (SELECT count(*) FROM told) >= ?", (_MOST_ROWS,))
            cursor = connection.execute(
                """
                INSERT OR IGNORE INTO told (session, place, thing, day)
                SELECT :session, :place, value, :day
                FROM json_each(:things)
                """,
                asked,
            )
            return int(cursor.rowcount) > 0
        return True

    def forget(self, session: str) -> None:
        """Let a session count as one that was told nothing, as one does whose context was cleared."""
        with suppress(binding().module.Error, OSError), self._opened() as connection:
            connection.execute("DELETE FROM told WHERE session = ?", (_digest(session),))

    @contextmanager
    def _opened(self, *, is_made: bool = False) -> Iterator[Connection]:
        if not (is_made or self.path.exists()):
            raise FileNotFoundError(self.path)
        # A power cut may lose what it holds.
        connection = connected(self.path, pragmas=["synchronous = OFF"], schema=_SCHEMA, timeout=_TIMEOUT)
        try:
            yield connection
        finally:
            connection.close()


def _digest(session: str) -> str:
    return blake2b(session.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()
