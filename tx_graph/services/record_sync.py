"""Keeps the database equal to the record files: written together, and re-read when somebody else changed them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tx_graph.domain.learning import Learning
from tx_graph.ports import Clock
from tx_graph.records.directory import RecordDirectory
from tx_graph.records.format import MalformedRecord, file_name, parse, render
from tx_graph.services.stamps import iso, trusted_mtime
from tx_graph.storage.database import Database
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.records import RecordRow, RecordStore


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What one pass over the record files took in; `pending` changes could not be written down."""

    changed: int = 0
    vanished: int = 0
    pending: int = 0


class RecordSync:
    """Writes learnings as records and rows, and takes in records that changed on disk."""

    def __init__(
        self,
        *,
        database: Database,
        directory: RecordDirectory,
        learnings: LearningStore,
        records: RecordStore,
        clock: Clock,
    ) -> None:
        self._database = database
        self._directory = directory
        self._learnings = learnings
        self._records = records
        self._clock = clock

    def refresh(self) -> SyncReport:
        """Take in every record that was added, changed or removed since the last look.

        Raises:
            StorageError: The directory or the database fails.
        """
        seen = self._directory.scan()
        known = self._records.stats()
        if seen == known:
            return SyncReport()
        if self._database.read_only:
            differing = {name for name in seen.keys() | known.keys() if seen.get(name) != known.get(name)}
            return SyncReport(pending=len(differing))
        with self._database.transaction():
            return self._refresh_under_lock()

    def _refresh_under_lock(self) -> SyncReport:
        self._directory.recover()
        seen, known = self._directory.scan(), self._records.stats()
        vanished = self._records.get(known.keys() - seen.keys())
        self._records.remove(vanished)
        changed = sorted(name for name, stat in seen.items() if known.get(name) != stat)
        before = self._records.get(changed)
        taken = [self._take_in(name, seen[name], before.get(name)) for name in changed]
        orphaned = {row.uid for row in (*vanished.values(), *before.values()) if row.uid}
        self._learnings.mark_absent([uid for uid in sorted(orphaned) if self._records.holder_of(uid) is None])
        return SyncReport(changed=sum(taken), vanished=len(vanished))

    def _take_in(self, name: str, stat: tuple[int, int], before: RecordRow | None) -> bool:
        """Read one record into the database; return whether its content was news."""
        data = self._directory.read(name)
        if data is None:
            return False
        row = _row(name, data, stat)
        if before is not None and before.content_hash == row.content_hash and before.problem is None:
            self._records.save([_row(name, data, stat, uid=before.uid)])
            return False
        try:
            learning = parse(data)
            self._check_unique(learning.uid, name)
        except MalformedRecord as malformed:
            self._records.save([_row(name, data, stat, problem=malformed)])
            return True
        self._records.save([_row(name, data, stat, uid=learning.uid)])
        self._learnings.save(learning, record=name, now=self._now())
        return True

    def _check_unique(self, uid: str, name: str) -> None:
        holder = self._records.holder_of(uid)
        if holder not in (None, name):
            raise MalformedRecord(f"it has the same uid as {holder}", line=1)

    def write(self, learning: Learning, *, record: str | None = None) -> int:
        """Write a learning to its record and its row, both or neither; return its local number.

        Raises:
            StorageError: The record or the database cannot be written.
        """
        name = record or file_name(learning)
        text = render(learning)
        with self._database.transaction(), self._directory.written(name, text):
            number = self._learnings.save(learning, record=name, now=self._now())
            self._records.save([_row(name, text.encode(), self._directory.stat(name), uid=learning.uid)])
        return number

    def write_new(self, learnings: Iterable[Learning], *, progress: Callable[[int], None]) -> list[int]:
        """Write many new learnings, all or none; return their local numbers.

        Raises:
            StorageError: The records or the database cannot be written.
        """
        texts = {file_name(learning): (learning, render(learning)) for learning in learnings}
        with self._database.transaction():
            numbers = []
            for done, (name, (learning, _)) in enumerate(texts.items(), start=1):
                numbers.append(self._learnings.save(learning, record=name, now=self._now()))
                progress(done)
            self._directory.write_batch({name: text for name, (_, text) in texts.items()})
            self._records.save(self._rows_of(texts))
        return numbers

    def _rows_of(self, texts: Mapping[str, tuple[Learning, str]]) -> list[RecordRow]:
        return [
            _row(name, text.encode(), self._directory.stat(name), uid=learning.uid)
            for name, (learning, text) in texts.items()
        ]

    def problems(self) -> list[RecordRow]:
        """Return the records that were skipped."""
        return self._records.problems()

    def _now(self) -> str:
        return iso(self._clock.now())


def _row(
    name: str,
    data: bytes,
    stat: tuple[int, int],
    *,
    uid: str | None = None,
    problem: MalformedRecord | None = None,
) -> RecordRow:
    size, mtime = stat
    return RecordRow(
        name=name,
        size=size,
        mtime_ns=trusted_mtime(mtime),
        content_hash=hashlib.sha256(data).hexdigest(),
        uid=uid,
        problem=problem.reason if problem else None,
        problem_line=problem.line if problem else None,
    )
