"""The life cycle of facts: what is used is promoted, what fades is retracted."""

from __future__ import annotations

from dataclasses import replace

from tx_graph.domain.fact import Fact, FactStatus
from tx_graph.ports import Clock
from tx_graph.services.facts.facts import Facts
from tx_graph.services.facts.values import Maintained, Scored
from tx_graph.services.record_sync import RecordSync
from tx_graph.services.stamps import iso
from tx_graph.storage.facts import FactStore

PROMOTED_FROM = 3
"""Accesses from which on a staged fact counts as confirmed."""
FADED_BELOW = 0.2
"""Score below which a fact is retracted."""
KEPT_FROM = 5
"""Accesses from which on a confirmed fact is kept however faded it is."""


class Maintaining:
    """Looks at all live facts and moves them on (JACQ's rules)."""

    def __init__(self, *, store: FactStore, sync: RecordSync[Fact], facts: Facts, clock: Clock) -> None:
        self._store = store
        self._sync = sync
        self._facts = facts
        self._clock = clock

    def run(self, *, dry_run: bool = False) -> Maintained:
        """Promote staged facts that are used, and retract those whose score has faded, all or none; say which.

        Promotion is tried first. What only a document states is left alone: it lives and dies with its document.

        Raises:
            StorageError: The records or the database cannot be written.
        """
        with self._sync.exclusively():
            recorded = [one for one in self._facts.scored(self._store.live()) if one.stored.record is not None]
            promoted = [one for one in recorded if _is_promoted(one)]
            retracted = [one for one in recorded if not _is_promoted(one) and _has_faded(one)]
            if not dry_run:
                self._write(promoted, retracted)
        return Maintained(promoted=tuple(promoted), retracted=tuple(retracted), looked_at=len(recorded))

    def _write(self, promoted: list[Scored], retracted: list[Scored]) -> None:
        now = iso(self._clock.now())
        changed = {
            one.stored.record or "": replace(one.stored.fact, status=FactStatus.CONFIRMED) for one in promoted
        } | {
            one.stored.record or "": replace(one.stored.fact, status=FactStatus.RETRACTED, valid_until=now)
            for one in retracted
        }
        if changed:
            self._sync.write_many((), changed, progress=lambda _: None)


def _is_promoted(one: Scored) -> bool:
    return one.stored.fact.status is FactStatus.STAGED and one.stored.accesses >= PROMOTED_FROM


def _has_faded(one: Scored) -> bool:
    is_kept = one.stored.fact.status is FactStatus.CONFIRMED and one.stored.accesses >= KEPT_FROM
    return one.score < FADED_BELOW and not is_kept
