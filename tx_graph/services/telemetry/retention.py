"""How long events are kept."""

from __future__ import annotations

from tx_graph.domain.age import parse_age
from tx_graph.ports import Clock
from tx_graph.services.stamps import iso
from tx_graph.services.telemetry.values import Pruned
from tx_graph.storage.database import Database
from tx_graph.storage.telemetry import TelemetryStore


class Retention:
    """Forgets events by age; `keep` is the setting, such as `30d`."""

    def __init__(self, *, database: Database, store: TelemetryStore, keep: str, clock: Clock) -> None:
        self._database = database
        self._store = store
        self.keep = keep
        self._clock = clock

    def since(self, keep: str | None = None) -> str:
        """Return the time before which nothing is kept.

        Raises:
            UsageError: `keep` is no length of time.
        """
        return iso(self._clock.now() - parse_age(keep or self.keep))

    def prune(self, keep: str | None = None) -> Pruned:
        """Forget what is older than `keep`, or than the setting says.

        Raises:
            UsageError: It is no length of time.
        """
        since = self.since(keep)
        with self._database.transaction():
            removed = self._store.prune(since)
        return Pruned(removed=removed, left=self._store.count(), since=since)
