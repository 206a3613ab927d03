"""Knows which record files may say something else than the database; apart from what reads them, for most do not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from tx_graph.records.directory import Look, RecordDirectory
from tx_graph.services.sync_report import SyncReport
from tx_graph.storage.records import RecordStore

_FEW = 100
"""Doubtful records up to which each is looked up by itself."""


class TakesIn(Protocol):
    """Reads records into the database."""

    def refresh(self) -> SyncReport:
        """Take in every record that was added, changed or removed."""

    def are_unchanged(self, seen: Mapping[str, tuple[int, int]], /) -> bool:
        """Whether these records, by their stats, hold what they held when they were last read."""


class RecordWatch:
    """Has the records of one kind taken in where they changed since the last look; `open_sync` gives what does that."""

    def __init__(self, *, directory: RecordDirectory, records: RecordStore, open_sync: Callable[[], TakesIn]) -> None:
        self._directory = directory
        self._records = records
        self._open_sync = open_sync
        self._last: Look | None = None
        self._doubtful: Collection[str] = ()

    def __len__(self) -> int:
        """Return how many records the last look saw."""
        return len(self._last.stats) if self._last else 0

    def take_in(self, *, fully: bool = True) -> SyncReport:
        """Take in what changed on disk, and return what that brought.

        A look that is not made `fully` sees what came, went or was replaced, in a fifth of the time.

        Raises:
            StorageError: The directory or the database fails.
        """
        doubtful = {*self._doubtful, *self._changed(fully=fully)}
        if not doubtful:
            return SyncReport()
        self._doubtful = doubtful  # also when taking in fails
        report = SyncReport() if self._do_hold(doubtful) else self._open_sync().refresh()
        self._doubtful = self._differing(doubtful)  # what is too young to be trusted stays doubtful
        return report

    def _changed(self, *, fully: bool) -> Collection[str]:
        """Look, and return the records whose stats are not those of before, or at first those of the database."""
        before = self._last
        if before and not fully:
            self._last, changed = self._directory.glance(before)
            return changed
        self._last = self._directory.look()
        now, known = self._last.stats, before.stats if before else self._records.stats()
        return () if now == known else {name for name in now.keys() | known.keys() if now.get(name) != known.get(name)}

    def _do_hold(self, doubtful: Collection[str]) -> bool:
        """Whether a few doubtful records turn out to say what the database says: usually this process wrote them."""
        if len(doubtful) > _FEW:
            return False
        differing = self._differing(doubtful)
        stats = self._last.stats if self._last else {}
        return not differing or (
            all(name in stats for name in differing)
            and self._open_sync().are_unchanged({name: stats[name] for name in differing})
        )

    def _differing(self, names: Collection[str]) -> list[str]:
        """Return those of the records whose stats are not what the database says."""
        rows = self._records.get(names)
        known = {name: (row.size, row.mtime_ns) for name, row in rows.items()}
        stats = self._last.stats if self._last else {}
        return [name for name in names if stats.get(name) != known.get(name)]
