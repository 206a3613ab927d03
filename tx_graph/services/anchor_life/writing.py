"""Carries out what people say about the anchors of one learning: in its record, its rows and the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from tx_graph.domain.anchor import Anchor, distinct_anchors
from tx_graph.domain.anchor_event import AnchorEvent, EventKind
from tx_graph.domain.learning import Learning, StoredLearning
from tx_graph.errors import NotFound
from tx_graph.ports import Clock
from tx_graph.records.format import canonical
from tx_graph.services.anchor_life.values import Acted, Step
from tx_graph.services.anchoring.journal import Journal
from tx_graph.services.anchoring.naming import anchors_named
from tx_graph.services.anchoring.taking import Anchoring
from tx_graph.services.record_sync import RecordSync
from tx_graph.services.references import References
from tx_graph.services.stamps import iso
from tx_graph.storage.anchors import AnchorRow
from tx_graph.storage.stores import Stores


class Writing:
    """Finds the anchors that somebody means, and writes what is to become of them.

    `who` names the user, and is empty where nobody knows the name; it goes into the log and into no record.
    """

    def __init__(
        self,
        *,
        stores: Stores,
        references: References,
        anchoring: Anchoring,
        sync: RecordSync[Learning],
        clock: Clock,
        who: Callable[[], str],
    ) -> None:
        self.stores = stores
        self.references = references
        self._anchoring = anchoring
        self._sync = sync
        self._journal = Journal(stores)
        self._clock = clock
        self._who = who

    def now(self) -> str:
        """Return the time, as records hold it."""
        return iso(self.moment())

    def moment(self) -> datetime:
        """Return the time, in UTC."""
        return self._clock.now()

    def rows_of(self, stored: StoredLearning, spec: str | None) -> list[AnchorRow]:
        """Return the anchors of a learning that `spec` names; all of them when it is None.

        Raises:
            NotFound: The learning has no such anchor, or none at all.
        """
        rows = self.stores.anchors.rows([stored.node])
        if not rows:
            raise NotFound(f"Learning {stored.id} has no anchors.", hint="Tie it to code first: tx graph:link.")
        chosen = self.named(stored, spec, [row.anchor for row in rows])
        return [row for row in rows if row.anchor in chosen]

    def named(self, stored: StoredLearning, spec: str | None, anchors: Sequence[Anchor]) -> list[Anchor]:
        """Return those of a learning's anchors that `spec` names; all of them when it is None.

        Raises:
            NotFound: There is none such; those there are are named.
        """
        found = list(anchors) if spec is None else anchors_named(spec, anchors, self._anchoring)
        if not found:
            raise NotFound(
                f"Learning {stored.id} is not anchored to '{spec}'.", candidates=[anchor.spec for anchor in anchors]
            )
        return found

    def event(self, kind: EventKind, anchor: Anchor, *, command: str, **facts: Any) -> AnchorEvent:  # noqa: ANN401
        """Return what is told of an act; `facts` are further fields of the event."""
        name = self._who()
        by = f"{command} by {name}" if name else command
        return AnchorEvent(at=self.now(), kind=kind, anchor=anchor, detected_by=by, **facts)

    def write(self, stored: StoredLearning, steps: Sequence[Step]) -> Acted:
        """Write the steps and return the learning as it is then. Needs a transaction."""
        going = {step.old for step in steps}
        kept = [anchor for anchor in stored.learning.anchors if anchor not in going]
        coming = [step.new for step in steps if step.new]
        learning = replace(stored.learning, anchors=distinct_anchors([*kept, *coming]))
        if canonical(learning) != canonical(stored.learning):
            self._sync.write(learning, record=stored.record)
        self._save_states(stored, steps)
        self._journal.append(stored.node, [step.event for step in steps if step.event])
        self._journal.settle(stored.node, at=self.now())
        return Acted(learning=self.stores.learnings.by_numbers([stored.id])[0], steps=tuple(steps))

    def _save_states(self, stored: StoredLearning, steps: Sequence[Step]) -> None:
        ids = {row.anchor.key: row.id for row in self.stores.anchors.rows([stored.node])}
        states = [(ids[step.new.key], step.state) for step in steps if step.new and step.state]
        self.stores.anchors.save_states(states)
