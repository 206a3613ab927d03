"""A workspace that lives long and is used from several threads, as by a server or a program of somebody's own."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import RLock

from tx_graph.core.kernel import Kernel, SystemClock
from tx_graph.core.place import Place, place_of, touched
from tx_graph.core.ports import Clock, Embedder, Model, OpenRetriever
from tx_graph.core.settings import Config
from tx_graph.records.watch import Records
from tx_graph.workspace import open_kernel

_FEW_RECORDS = 1_000  # records that are looked at before every use: that takes 5 ms. Of more, see `_OFTEN`.
_OFTEN = 2.0
"""Seconds after which more records than that are looked at again, even if no file came, went or was replaced."""


class LastingWorkspace:
    """Opens the workspace that `start` lies in when it is first used, and keeps it.

    Before each use it takes in what changed on disk: records, settings, and a database that somebody replaced. Where
    there are more than 1,000 records, what was written into a record in place may wait for two seconds;
    records that came, went or were replaced never do.
    """

    def __init__(
        self,
        start: Path | str | None = None,
        *,
        clock: Clock | None = None,
        embedder: Embedder | None = None,
        model: Model | None = None,
        retriever: OpenRetriever | None = None,
    ) -> None:
        self._start = Path.cwd() if start is None else Path(start).absolute()
        self._opening = partial(
            open_kernel, clock=clock or SystemClock(), embedder=embedder, model=model, retriever=retriever
        )
        self._lock = RLock()
        self._is_in_use = False
        self._open: _Opened | None = None

    @contextmanager
    def kernel(self) -> Iterator[Kernel]:
        """Hand out the workspace as it is now, to one thread at a time; inside a use, the same one."""
        with self._lock:
            if self._is_in_use and self._open:
                yield self._open.kernel
                return
            if self._open and self._open.is_outdated():
                self._open.abandon()
                self._open = None
            if self._open is None:
                self._open = _Opened(place_of(self._start), self._opening)
            else:
                self._open.look()
            kernel = self._open.kernel
            self._is_in_use = True
            try:
                yield kernel
            finally:
                self._is_in_use = False

    def close(self) -> None:
        """Close the workspace, once no other thread uses it; a later use opens it again."""
        with self._lock:
            if self._open:
                self._open.kernel.close()
            self._open = None


class _Opened:
    """An open workspace, which has just looked at everything, and what is known of the files it rests on."""

    def __init__(self, place: Place, opening: Callable[..., Kernel]) -> None:
        self._place = place
        self._settings = _stamp(place.config)
        self._looked_at = time.monotonic()
        self.kernel = opening(place, config=Config(place.config))
        self.kernel.database.expect_much_reading()
        if self.kernel.caveat:
            warnings.warn(self.kernel.caveat, stacklevel=2)
        self._directories: tuple[int, ...] = ()
        self._is_replaced = False

    def is_outdated(self) -> bool:
        """Whether its directory went, its settings or what of them counts changed, or its database was replaced."""
        database, is_there = self.kernel.database, self._place.directory.is_dir()
        self._is_replaced = database.is_replaced()
        is_other = self._settings != _stamp(self._place.config) or self.kernel.config.is_outdated()
        return not is_there or is_other or self._is_replaced or database.has_other_schema()

    def abandon(self) -> None:
        """Close it; what SQLite still holds of a database that was replaced is dropped."""
        if self._is_replaced:
            self.kernel.database.abandon()
        self.kernel.close()

    def look(self) -> None:
        """Let all that was read count as old, and take in the records that changed."""
        self.kernel.forget()
        records = self.kernel.one(Records)
        directories = records.times()
        now = time.monotonic()
        is_due = records.count() <= _FEW_RECORDS or now - self._looked_at >= _OFTEN
        if is_due or directories != self._directories:
            # The times are those of before the look: what comes while it goes on shows at the next use.
            self._directories = directories
            self._looked_at = now if is_due else self._looked_at
            records.take_in(fully=is_due)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return touched(found)
