"""What transcripts told, as it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tx_graph.domain.labels import checked_limit
from tx_graph.domain.telemetry import EventKind, StoredEvent
from tx_graph.storage.telemetry import TelemetryStore, TranscriptTally
from tx_graph.work.references import WorkReferences


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which events: those of one run, of some kinds, that failed; the last `limit` of them."""

    run: str | None = None
    kinds: Sequence[EventKind] = ()
    failed: bool = False
    limit: int = 50


class Telemetry:
    """Answers what was read, and what happened."""

    def __init__(self, *, store: TelemetryStore, work: WorkReferences) -> None:
        self._store = store
        self._work = work

    def transcripts(self, *, limit: int) -> list[TranscriptTally]:
        """Return the transcripts that were read, newest first.

        Raises:
            UsageError: The limit is not from 1 to 10,000.
        """
        return self._store.tallies(limit=checked_limit(limit))

    def of_run(self, run: int) -> TranscriptTally | None:
        """Return the transcript of a run, None where it has none."""
        return next(iter(self._store.tallies([run])), None)

    def every(self, runs: Collection[int] | None = None, *, after: int = 0) -> Iterator[StoredEvent]:
        """Yield all events in the order in which they were read, only those of these runs if any are named.

        `after` is the number of the last event that is known already.
        """
        return self._store.events(runs, after=after)

    def events(self, asked: Asked) -> list[StoredEvent]:
        """Return the last events as asked, oldest first.

        Raises:
            NotFound: There is no such run.
            UsageError: The limit is not from 1 to 10,000.
        """
        run = None if asked.run is None else self._work.run(asked.run).id
        return self._store.last(run=run, kinds=asked.kinds, failed=asked.failed, limit=checked_limit(asked.limit))
