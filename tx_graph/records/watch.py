"""The record files of a workspace: which may say something else than the database, and what taking them in brought.

What reads records stands elsewhere, because most looks find nothing to read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from tx_graph.core.kernel import Kernel, find
from tx_graph.core.layout import DIRECTORY, ENTITIES, FACTS, LEARNINGS
from tx_graph.records.files import Look, RecordDirectory
from tx_graph.records.seen_store import RecordStore

if TYPE_CHECKING:
    from tx_graph.records.sync import RecordSync


KINDS = (ENTITIES, FACTS, LEARNINGS)
"""What has records, by the names of their directories: what names mean comes before what is said of them."""

_FEW = 100
"""Doubtful records up to which each is looked up by itself."""


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
        return cls(
            changed=sum(report.changed for report in every),
            vanished=sum(report.vanished for report in every),
            pending=sum(report.pending for report in every),
        )


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
        now, known = self._last.stats, before.stats if before else self._known
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

    def _open_sync(self) -> RecordSync[Any]:
        return self._kernel.one(Kinds).sync(self._kind)

    def _differing(self, names: Collection[str]) -> list[str]:
        """Return those of the records whose stats are not what the database says."""
        rows = self._records.get(names)
        known = {name: (row.size, row.mtime_ns) for name, row in rows.items()}
        stats = self._last.stats if self._last else {}
        return [name for name in names if stats.get(name) != known.get(name)]


class Kinds:
    """How the records of each kind are read and written. Who opens a workspace registers that, by names of functions.

    What a change brings for others, such as which texts name an entity, is done by the `followers`.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._makers: Mapping[str, str] = {}
        self._followers: Collection[str] = ()

    def register(self, makers: Mapping[str, str], *, followers: Collection[str]) -> None:
        """Say which function makes the sync of each kind, and which are called when anything was written."""
        self._makers, self._followers = makers, followers

    def sync(self, kind: str) -> RecordSync[Any]:
        """Return what keeps the records of a kind and the database equal."""
        made: RecordSync[Any] = self._kernel.one(find(self._makers[kind]).function)
        return made

    def follow(self) -> None:
        """Do what follows from a change. Needs a transaction."""
        for place in self._followers:
            find(place).function(self._kernel)

    def forget(self) -> None:
        """Keep what was registered."""


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
