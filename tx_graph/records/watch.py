"""The record files of a workspace: which may say something else than the database, and what taking them in brought.

What reads records stands elsewhere, because most looks find nothing to read.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Self

from tx_graph.core.dataclass import dataclass
from tx_graph.core.destination import sync_directory
from tx_graph.core.errors import StorageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import is_unicode
from tx_graph.core.place import DIRECTORY, ENTITIES, FACTS, FEEDBACK, LEARNINGS, touched
from tx_graph.records.seen_store import RecordStore

RECORDS, FOLLOWERS = "records", "followers"
"""Under these names the makers of each kind's sync are registered, by the kind, and what is done after each change."""
KINDS = (ENTITIES, FACTS, LEARNINGS, FEEDBACK)
"""What has records, by the names of their directories: what names mean comes before what is said of them."""

_FLUSHED_ALONE = 8
"""Records up to which each is put on the disk by itself; one flush of all that waits costs less than more of those."""
_FEW = 100  # doubtful records up to which each is looked up by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What one pass over the record files took in; `pending` changes could not be written down."""

    changed: int = 0
    vanished: int = 0
    pending: int = 0

    @classmethod
    def sum(cls, reports: Iterable[Self]) -> Self:
        """Return what several passes took in together."""
        every = list(reports)
        return cls(**{count: sum(getattr(one, count) for one in every) for count in ("changed", "vanished", "pending")})


class RecordWatch:
    """Has the records of one kind taken in where they changed since the last look.

    `known` are the stats that the database had at the beginning.
    """

    def __init__(self, kernel: Kernel, kind: str, known: Mapping[str, tuple[int, int]]) -> None:
        self._kernel = kernel
        self._kind = kind
        self._directory = record_directory(kernel, kind)
        self._records = RecordStore(kernel.database, kind)
        self._known = known
        self._last: Look | None = None
        self._doubtful: Collection[str] = ()

    def __len__(self) -> int:
        """Return how many records the last look saw."""
        return len(self._last.stats) if self._last else 0

    def take_in(self, *, fully: bool = True) -> SyncReport:
        """Take in what changed on disk, and return what that brought.

        A look that is not made `fully` sees what came, went or was replaced, in a fifth of the time.
        """
        before, changed = self._last, set[str]()
        if before and not fully:
            self._last, changed = self._directory.glance(before)
        else:
            self._last = self._directory.look()
            # at first the stats are compared with those in the database
            now, known = self._last.stats, before.stats if before else self._known
            if now != known:
                changed = {name for name in now.keys() | known.keys() if now.get(name) != known.get(name)}
        doubtful = {*self._doubtful, *changed}
        if not doubtful:
            return SyncReport()
        self._doubtful = doubtful  # also when taking in fails
        report, stats = SyncReport(), self._last.stats
        # A few doubtful ones may turn out to say what the database says: usually this process wrote them.
        differing = self._differing(doubtful) if len(doubtful) <= _FEW else doubtful
        if differing:
            sync = self._kernel.registered(RECORDS, self._kind)
            are_few = len(doubtful) <= _FEW and all(name in stats for name in differing)
            if not are_few or not sync.are_unchanged({name: stats[name] for name in differing}):
                report = sync.refresh()
        self._doubtful = self._differing(doubtful)  # what is too young to be trusted stays doubtful
        return report

    def _differing(self, names: Collection[str]) -> Collection[str]:
        """Return those of the records whose stats are not what the database says."""
        rows = self._records.get(names)
        known = {name: (row.size, row.mtime_ns) for name, row in rows.items()}
        stats = self._last.stats if self._last else {}
        return [name for name in names if stats.get(name) != known.get(name)]


class Records:
    """All record files of a workspace. `synced` says what the last look at them brought."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        known, self._may_have_problems = RecordStore.every(kernel.database)
        self._watches = [RecordWatch(kernel, kind, known.get(kind, {})) for kind in KINDS]
        self.synced = SyncReport()

    def take_in(self, *, fully: bool = True) -> None:
        """Take in the records that changed on disk; what was written into one in place is only seen `fully`."""
        self.synced = SyncReport.sum([watch.take_in(fully=fully) for watch in self._watches])
        self._may_have_problems = self._may_have_problems or self.synced != SyncReport()

    def problems(self) -> list[str]:
        """Return one sentence for each record file that was skipped."""
        return [
            f"{DIRECTORY}/{kind}/{row.name}:{row.problem_line}: {row.problem}; it is skipped"
            for kind in (KINDS if self._may_have_problems else ())
            for row in RecordStore(self._kernel.database, kind).problems()
        ]

    def count(self) -> int:
        """Return how many records there were when they were last looked at."""
        return sum(map(len, self._watches))

    def times(self) -> tuple[int, ...]:
        """Return when a record last came, went or was replaced, in ns, by kind; 0 where there is no directory."""
        return tuple(record_directory(self._kernel, kind).changed_ns() for kind in KINDS)

    def forget(self) -> None:
        """Keep what the last look saw: the next one compares with it."""


def record_directory(kernel: Kernel, kind: str) -> RecordDirectory:
    """Return the directory of the records of one kind."""
    return RecordDirectory(kernel.root / DIRECTORY / kind)


_SUFFIX = ".md"
_TEMPORARY = ".tmp-"
_BATCH = ".batch-"
_COMPLETE = "COMPLETE"  # the file that says a batch is whole: from there on it will be moved in, whatever happens


class Look(NamedTuple):
    """What one look at a directory saw of every record: (size, time of change in ns), and its inode, by file name."""

    stats: dict[str, tuple[int, int]]
    inodes: dict[str, int]


class RecordDirectory:
    """One directory of records, `<uid>-<slug>.md` each. Names that start with a dot are its own business."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def look(self) -> Look:
        """Return the stat and the inode of every record; symbolic links are not followed.

        A batch that is under way or was interrupted is listed too: no record has its name, so it shows as a
        change, and whoever looks into that holds the write lock and calls `recover`.
        """
        with self._listed() as entries:
            return _look_at(entries)

    def glance(self, before: Look) -> tuple[Look, set[str]]:
        """Return a new look, and the names of what came, went or was replaced since the one before.

        In a fifth of the time: only what has another inode is looked at, so that nothing is seen of what was written
        into a record in place.
        """
        known, others, same = before.inodes, [], 0
        with self._listed() as entries:
            for entry in entries:
                if known.get(entry.name) == entry.inode():
                    same += 1
                else:
                    others.append(entry)
        fresh = _look_at(others)
        are_all_there = same + len(known.keys() & fresh.inodes.keys()) == len(known)
        gone = set() if are_all_there else known.keys() - self.look().inodes.keys()
        stats, inodes = before.stats | fresh.stats, known | fresh.inodes
        for name in gone - fresh.inodes.keys():
            del stats[name], inodes[name]
        return Look(stats, inodes), fresh.stats.keys() | gone

    @contextmanager
    def _listed(self) -> Iterator[Iterable[os.DirEntry[str]]]:
        try:
            with os.scandir(self.path) as entries:
                yield entries
        except FileNotFoundError:
            yield ()
        except OSError as error:
            raise StorageError(f"{self.path} cannot be read: {error.strerror}.") from error

    def changed_ns(self) -> int:
        """Return when a file last came into the directory, went or was replaced, in ns; 0 where there is none."""
        try:
            return self.path.stat().st_mtime_ns
        except OSError:
            return 0

    def stat(self, name: str) -> tuple[int, int]:
        """Return (size, time of change in ns) of one record."""
        try:
            stat = (self.path / name).stat()
        except OSError as error:
            raise StorageError(f"{self.path / name} cannot be read: {error.strerror}.") from error
        return touched(stat)

    def read(self, name: str) -> bytes | None:
        """Return a record's bytes, None when it vanished meanwhile."""
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageError(f"{self.path / name} cannot be read: {error.strerror}.") from error

    @contextmanager
    def written(self, name: str, text: str) -> Iterator[None]:
        """Write a record durably for the block; when the block fails, put back what was there before."""
        before = self.read(name)
        self.write(name, text.encode())
        try:
            yield
        except BaseException:
            self._put_back(name, before)
            raise

    def write(self, name: str, data: bytes) -> None:
        """Create or replace a record in one step, on disk before this returns."""
        temporary = self.path / f"{_TEMPORARY}{os.getpid()}-{os.urandom(4).hex()}"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with temporary.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(self.path / name)
            sync_directory(self.path)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            raise StorageError(f"{self.path / name} cannot be written: {error.strerror}.") from error

    def _put_back(self, name: str, before: bytes | None) -> None:
        if before is None:
            (self.path / name).unlink(missing_ok=True)
        else:
            self.write(name, before)

    @contextmanager
    def written_batch(self, texts: Mapping[str, str], *, replacing: Collection[str] = ()) -> Iterator[None]:
        """Write many records for the block, all or none; when the block fails, put back what was there before.

        All are new but those that are `replacing` one of that name. `recover` finishes what a crash interrupts.
        """
        before = {name: self.read(name) for name in texts if (self.path / name).exists()}
        if taken := sorted(before.keys() - set(replacing)):
            raise StorageError(f"{self.path / taken[0]} exists already; nothing was written.")
        batch = self.path / f"{_BATCH}{os.getpid()}-{os.urandom(4).hex()}"
        try:
            batch.mkdir(parents=True)
            are_few = len(texts) <= _FLUSHED_ALONE
            for name, text in texts.items():
                with (batch / name).open("xb") as stream:
                    stream.write(text.encode())
                    if are_few:
                        stream.flush()
                        os.fsync(stream.fileno())
            if not are_few and hasattr(os, "sync"):
                os.sync()  # Windows has no such call
            (batch / _COMPLETE).touch()
        except OSError as error:
            shutil.rmtree(batch, ignore_errors=True)
            raise StorageError(f"{batch} cannot be written: {error.strerror}.") from error
        try:
            self._move_in(batch)
            yield
        except BaseException:
            shutil.rmtree(batch, ignore_errors=True)
            for name in texts:
                with suppress(OSError, StorageError):
                    self._put_back(name, before.get(name))
            raise

    def recover(self) -> None:
        """Finish the batches that were whole when their process died; drop all else it left. Needs the write lock."""
        for batch in self.path.glob(f"{_BATCH}*"):
            if (batch / _COMPLETE).exists():
                self._move_in(batch)
            else:
                shutil.rmtree(batch, ignore_errors=True)
        for temporary in self.path.glob(f"{_TEMPORARY}*"):
            with suppress(OSError):
                temporary.unlink()

    def _move_in(self, batch: Path) -> None:
        try:
            for file in sorted(batch.glob(f"*{_SUFFIX}")):
                file.replace(self.path / file.name)
            sync_directory(self.path)
        except OSError as error:
            raise StorageError(f"{self.path} cannot be written: {error.strerror}.") from error
        shutil.rmtree(batch, ignore_errors=True)


def is_batch(name: str) -> bool:
    """Whether a name that `look` gave is that of a batch under way, or of one that was interrupted."""
    return name.startswith(_BATCH)


def _look_at(entries: Iterable[os.DirEntry[str]]) -> Look:
    """Return the stat of every record and batch; what vanished since it was listed is left out.

    One loop without calls of our own: over 10,000 records, which every command looks at, they take a third longer.
    """
    stats, inodes = {}, {}
    for entry in entries:
        name = entry.name
        if name.endswith(_SUFFIX) and not name.startswith("."):
            # A name that is no Unicode comes with surrogates, which the database does not take.
            if not entry.is_file(follow_symlinks=False) or not (name.isascii() or is_unicode(name)):
                continue
        elif not name.startswith(_BATCH):
            continue
        try:
            stat = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            continue
        stats[name] = touched(stat)
        inodes[name] = entry.inode()
    return Look(stats, inodes)
