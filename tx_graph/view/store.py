"""What pictures read of the database at once, where no other store has it."""

from __future__ import annotations

from typing import NamedTuple

from tx_graph.core.database import Store


class SizedFile(NamedTuple):
    """An indexed file, its size in bytes, and its language, if it is source code."""

    path: str
    size: int
    language: str | None


class PictureStore(Store):
    """Reads what is there of files and nodes, and tells one state of the database from another."""

    def state(self) -> tuple[int, int]:
        """Return what changes whenever this connection or another one has written."""
        writes, others = self._database.rows("SELECT total_changes(), data_version FROM pragma_data_version")[0]
        return writes, others

    def files(self) -> list[SizedFile]:
        """Return every indexed file, by path."""
        rows = self._database.rows("SELECT path, size, language FROM files ORDER BY path")
        return list(map(SizedFile._make, rows))

    def commits_by_day(self) -> list[tuple[str, int]]:
        """Return how many of the commits that co-changes were counted in were made on each day (UTC), by day."""
        return self._database.rows(
            "SELECT date(time, 'unixepoch'), count(*) FROM history_commits GROUP BY 1 ORDER BY 1"
        )
