"""Keeps the database equal to the record files: written together, and re-read when somebody else changed them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from typing import Generic, TypeVar

from tx_graph.core.errors import StorageError
from tx_graph.core.guard import described, refuse, suspected
from tx_graph.core.kernel import Kernel
from tx_graph.core.working_tree import trusted_mtime
from tx_graph.records.front_matter import HasUid, MalformedRecord, RecordFormat
from tx_graph.records.seen_store import RecordRow, RecordStore, Shelf
from tx_graph.records.watch import FOLLOWERS, SyncReport, is_batch, record_directory

T = TypeVar("T", bound=HasUid)


class RecordSync(Generic[T]):
    """Writes things of one kind as records and rows, and takes in records that changed on disk."""

    def __init__(self, kernel: Kernel, shelf: Shelf[T], form: RecordFormat[T]) -> None:
        self._database = kernel.database
        self._directory = record_directory(kernel, form.directory)
        self._records = RecordStore(kernel.database, form.directory)
        self._shelf = shelf
        self._form = form
        self._now = kernel.now
        self._kernel = kernel

    def refresh(self) -> SyncReport:
        """Take in every record that was added, changed or removed since the last look."""
        seen = self._directory.look().stats
        known = self._records.stats()
        if seen == known:
            return SyncReport()
        if self._database.read_only:
            return SyncReport(pending=self._pending(seen, known))
        try:
            with self._database.transaction():
                self._directory.recover()
                seen, known = self._directory.look().stats, self._records.stats()
                vanished = known.keys() - seen.keys()
                # A record that was skipped because of another one may be in order once that one has changed.
                again = {row.name for row in self._records.problems()}
                changed = [name for name, stat in sorted(seen.items()) if known.get(name) != stat or name in again]
                before = self._records.get([*vanished, *changed])
                self._records.remove(before)
                # What is as it was comes first, so that of two records with one uid the one that was there keeps it.
                news: list[tuple[RecordRow, bytes]] = []
                for name in changed:
                    if (data := self._directory.read(name)) is None:
                        continue
                    row, old = _row(name, data, seen[name]), before.get(name)
                    if old is not None and old.problem is None and old.content_hash == row.content_hash:
                        self._records.save([replace(row, uid=old.uid)])
                    else:
                        news.append((row, data))
                taken = [self._take_in(row, data, before.get(row.name)) for row, data in news]
                orphaned = {row.uid for row in before.values() if row.uid}
                self._shelf.mark_absent([uid for uid in sorted(orphaned) if self._records.holder_of(uid) is None])
                self._settle()
                return SyncReport(changed=sum(taken), vanished=len(vanished))
        except StorageError:
            if self._pending(seen, known):
                raise
            return SyncReport()  # only stamps would have been refreshed: no reason to refuse an answer

    def are_unchanged(self, seen: Mapping[str, tuple[int, int]]) -> bool:
        """Whether these records, by their stats, hold what they held when they were last read; if so, that is kept.

        For a few records, whose stats prove nothing: those that were written only just now are such.
        """
        rows = self._records.get(seen)
        if any(
            name not in rows or rows[name].problem or self._hash_now(name) != rows[name].content_hash for name in seen
        ):
            return False
        if not self._database.read_only:
            with suppress(StorageError), self._database.transaction():  # stamps are no reason to refuse an answer
                self._records.save(
                    replace(row, size=seen[name][0], mtime_ns=trusted_mtime(seen[name][1]))
                    for name, row in self._records.get(seen).items()
                    if row.content_hash == rows[name].content_hash
                )
        return True

    def _pending(self, seen: Mapping[str, tuple[int, int]], known: Mapping[str, tuple[int, int]]) -> int:
        """Return how many records differ by content: a stamp that was too young to be trusted is no difference."""
        differing = {name for name in seen.keys() | known.keys() if seen.get(name) != known.get(name)}
        rows = self._records.get(differing)
        return sum(
            is_batch(name) or self._hash_now(name) != (rows[name].content_hash if name in rows else None)
            for name in differing
        )

    def differing(self) -> list[str]:
        """Return the names of records that say something else than the database; malformed ones are not among them."""
        every = list(self._shelf.every_kept())
        held = {kept.thing.uid for kept in every}
        found = {name for name, uid in self._records.readable() if uid not in held}
        for kept in every:
            try:
                data = self._directory.read(kept.record)
                if data and self._form.canonical(self._form.parse(data)) != self._form.canonical(kept.thing):
                    found.add(kept.record)
            except MalformedRecord:
                pass  # is told as a problem of the record
            except StorageError:  # it may not be read: whoever mends will hear why
                found.add(kept.record)
        return sorted(found)

    def suspected(self) -> list[tuple[str, str]]:
        """Return the records that may hold a secret, however it came there, each with what it is said to be."""
        return [
            (kept.record, described(text, found))
            for kept in self._shelf.every_kept()
            for text in self._form.told(kept.thing)
            if (found := suspected(text))
        ]

    def _take_in(self, row: RecordRow, data: bytes, before: RecordRow | None) -> bool:
        """Read one record into the database; return whether that was news."""
        try:
            thing = self._form.parse(data)
            holder = self._records.holder_of(thing.uid)
            if holder not in (None, row.name):
                raise MalformedRecord(f"it has the same uid as {holder}", line=1)  # noqa: TRY301 - one way to be bad
        except MalformedRecord as malformed:
            self._records.save([replace(row, problem=malformed.reason, problem_line=malformed.line)])
            return before is None or before.content_hash != row.content_hash
        self._records.save([replace(row, uid=thing.uid)])
        known = self._shelf.kept(thing.uid)
        if known and self._form.canonical(known.thing) != self._form.canonical(thing):
            known = None
        # What is equal is written too, for what hangs on it may be what 'tx doctor --fix' mends; its time stays.
        self._shelf.save(thing, record=row.name, now=known.updated_at if known else self._now())
        return known is None or known.record != row.name

    def write(self, thing: T, *, record: str | None = None, force: bool | None = None) -> int:
        """Write a thing to its record and its row, both or neither; return its local number.

        What is new in it and may be a secret is refused, unless with `force`; None is for what cannot be forced.
        """
        self._refuse_secrets(thing, force=force)
        name = record or self._form.file_name(thing)
        text = self._form.render(thing)
        with self._database.transaction():
            self._check_unchanged(name)
            self._database.join(self._directory.written(name, text))
            number = self._shelf.save(thing, record=name, now=self._now())
            self._records.save([_row(name, text.encode(), self._directory.stat(name), uid=thing.uid)])
            self._settle()
        return number

    def _refuse_secrets(self, thing: T, *, force: bool | None) -> None:
        if texts := [text for text in self._form.told(thing) if not force and suspected(text)]:
            known = self._shelf.kept(thing.uid)  # who forced it once need not do so for every change of an anchor
            told = self._form.told(known.thing) if known else ()
            refuse((text for text in texts if text not in told), what=f"The {self._form.otherwise}", force=force)

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
        self,
        new: Iterable[T],
        changed: Mapping[str, T],
        *,
        progress: Callable[[int], None],
        force: bool | None = None,
    ) -> None:
        """Write new things, and changed ones by the names of their records: all or none; secrets as in `write`."""
        things = {self._form.file_name(thing): thing for thing in new} | dict(changed)
        for thing in things.values():
            self._refuse_secrets(thing, force=force)
        texts = {name: self._form.render(thing) for name, thing in things.items()}
        with self._database.transaction():
            for name in changed:
                self._check_unchanged(name)
            for done, (name, thing) in enumerate(things.items(), start=1):
                self._shelf.save(thing, record=name, now=self._now())
                progress(done)
            self._database.join(self._directory.written_batch(texts, replacing=changed))
            self._records.save(
                _row(name, text.encode(), self._directory.stat(name), uid=things[name].uid)
                for name, text in texts.items()
            )
            self._settle()

    def _settle(self) -> None:
        """Let what rests on these things follow, before all of it is committed."""
        self._shelf.settle()
        self._kernel.call_all(FOLLOWERS)


def _row(name: str, data: bytes, stat: tuple[int, int], *, uid: str | None = None) -> RecordRow:
    size, mtime = stat
    content = hashlib.sha256(data).hexdigest()
    return RecordRow(name=name, size=size, mtime_ns=trusted_mtime(mtime), content_hash=content, uid=uid)
