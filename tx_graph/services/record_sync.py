"""Keeps the database equal to the record files: written together, and re-read when somebody else changed them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace

from tx_graph.domain.learning import Learning, StoredLearning
from tx_graph.errors import StorageError
from tx_graph.ports import Clock
from tx_graph.records.directory import RecordDirectory, is_batch
from tx_graph.records.format import MalformedRecord, canonical, file_name, parse, render
from tx_graph.services.stamps import iso, trusted_mtime
from tx_graph.services.sync_report import SyncReport
from tx_graph.storage.database import Database
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.records import RecordRow, RecordStore


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
            return SyncReport(pending=self._pending(seen, known))
        try:
            with self._database.transaction():
                return self._refresh_under_lock()
        except StorageError:
            if self._pending(seen, known):
                raise
            return SyncReport()  # only stamps would have been refreshed: no reason to refuse an answer

    def _pending(self, seen: Mapping[str, tuple[int, int]], known: Mapping[str, tuple[int, int]]) -> int:
        """Return how many records differ by content: a stamp that was too young to be trusted is no difference."""
        differing = {name for name in seen.keys() | known.keys() if seen.get(name) != known.get(name)}
        rows = self._records.get(differing)
        return sum(
            is_batch(name) or self._hash_now(name) != (rows[name].content_hash if name in rows else None)
            for name in differing
        )

    def differing(self) -> Iterator[str]:
        """Yield the names of records that say something else than their rows; malformed ones are not among them."""
        for stored in self._learnings.every():
            try:
                data = self._directory.read(stored.record)
                is_same = data is None or canonical(parse(data)) == canonical(stored.learning)
            except MalformedRecord:
                continue  # is told as a problem of the record
            except StorageError:  # it may not be read: whoever mends will hear why
                is_same = False
            if not is_same:
                yield stored.record

    def _refresh_under_lock(self) -> SyncReport:
        self._directory.recover()
        seen, known = self._directory.scan(), self._records.stats()
        vanished = known.keys() - seen.keys()
        # A record that was skipped because of another one may be in order once that one has changed.
        again = {row.name for row in self._records.problems()}
        changed = [name for name, stat in sorted(seen.items()) if known.get(name) != stat or name in again]
        before = self._records.get([*vanished, *changed])
        self._records.remove(before)
        news = self._keep_unchanged(before, {name: seen[name] for name in changed})
        taken = [self._take_in(row, data, before.get(row.name)) for row, data in news]
        orphaned = {row.uid for row in before.values() if row.uid}
        self._learnings.mark_absent([uid for uid in sorted(orphaned) if self._records.holder_of(uid) is None])
        return SyncReport(changed=sum(taken), vanished=len(vanished))

    def _keep_unchanged(
        self, before: Mapping[str, RecordRow], stats: Mapping[str, tuple[int, int]]
    ) -> list[tuple[RecordRow, bytes]]:
        """Save the rows of records whose bytes are those of before; return the others, with their bytes.

        They come first, so that of two records with one uid the one that was there keeps it.
        """
        news = []
        for name, stat in stats.items():
            data = self._directory.read(name)
            if data is None:
                continue
            row, old = _row(name, data, stat), before.get(name)
            if old is not None and old.problem is None and old.content_hash == row.content_hash:
                self._records.save([replace(row, uid=old.uid)])
            else:
                news.append((row, data))
        return news

    def _take_in(self, row: RecordRow, data: bytes, before: RecordRow | None) -> bool:
        """Read one record into the database; return whether that was news."""
        try:
            learning = parse(data)
            self._check_unique(learning.uid, row.name)
        except MalformedRecord as malformed:
            self._records.save([replace(row, problem=malformed.reason, problem_line=malformed.line)])
            return before is None or before.content_hash != row.content_hash
        self._records.save([replace(row, uid=learning.uid)])
        known = self._known(learning)
        # What is equal is written too, for what hangs on it may be what 'tx doctor --fix' mends; its time stays.
        self._learnings.save(learning, record=row.name, now=known.updated_at if known else self._now())
        return known is None or known.record != row.name

    def _known(self, learning: Learning) -> StoredLearning | None:
        """Return what is stored of a learning if it is the same."""
        found = self._learnings.by_uid_prefix(learning.uid)
        return next((stored for stored in found if canonical(stored.learning) == canonical(learning)), None)

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
        with self._database.transaction():
            self._check_unchanged(name)
            self._database.join(self._directory.written(name, text))
            row = _row(name, text.encode(), self._directory.stat(name))
            number = self._learnings.save(learning, record=name, now=self._now())
            self._records.save([replace(row, uid=learning.uid)])
        return number

    def _check_unchanged(self, name: str) -> None:
        """Refuse to write over what somebody else wrote since the record was last read."""
        known = self._records.get([name])
        if self._hash_now(name) != (known[name].content_hash if known else None):
            raise StorageError(
                f"The record {name} was changed by somebody else meanwhile; nothing was written.",
                hint="Run the command again: it reads the record first.",
            )

    def _hash_now(self, name: str) -> str | None:
        data = self._directory.read(name)
        return None if data is None else hashlib.sha256(data).hexdigest()

    def exclusively(self) -> AbstractContextManager[None]:
        """Return one write transaction, for what is looked up first and written then."""
        return self._database.transaction()

    def write_many(
        self, new: Iterable[Learning], changed: Mapping[str, Learning], *, progress: Callable[[int], None]
    ) -> None:
        """Write new learnings, and changed ones by the names of their records: all or none.

        Raises:
            StorageError: The records or the database cannot be written.
        """
        learnings = {file_name(learning): learning for learning in new} | dict(changed)
        texts = {name: (learning, render(learning)) for name, learning in learnings.items()}
        with self._database.transaction():
            for name in changed:
                self._check_unchanged(name)
            for done, (name, learning) in enumerate(learnings.items(), start=1):
                self._learnings.save(learning, record=name, now=self._now())
                progress(done)
            written = {name: text for name, (_, text) in texts.items()}
            self._database.join(self._directory.written_batch(written, replacing=changed))
            self._records.save(self._rows_of(texts))

    def _rows_of(self, texts: Mapping[str, tuple[Learning, str]]) -> list[RecordRow]:
        return [
            replace(_row(name, text.encode(), self._directory.stat(name)), uid=learning.uid)
            for name, (learning, text) in texts.items()
        ]

    def problems(self) -> list[RecordRow]:
        """Return the records that were skipped."""
        return self._records.problems()

    def _now(self) -> str:
        return iso(self._clock.now())


def _row(name: str, data: bytes, stat: tuple[int, int]) -> RecordRow:
    size, mtime = stat
    return RecordRow(name=name, size=size, mtime_ns=trusted_mtime(mtime), content_hash=hashlib.sha256(data).hexdigest())
