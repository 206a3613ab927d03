"""Changes of a learning's anchors: found by what somebody typed, written to the record, told in the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tx_graph.anchors.log import Journal
from tx_graph.anchors.taking import Anchoring, anchors_named
from tx_graph.anchors.verdict import AnchorEvent, EventKind
from tx_graph.core.errors import NotFound
from tx_graph.core.kernel import Kernel
from tx_graph.records.anchor import Anchor, distinct_anchors
from tx_graph.records.anchor_store import AnchorRow, AnchorState, AnchorStore
from tx_graph.records.learning import StoredLearning
from tx_graph.records.learning_record import canonical, learning_sync
from tx_graph.records.learning_store import LearningStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One anchor from `old` to `new`: None before it came back, or after it was taken away.

    `state` is what is to be known of the new one; None leaves what follows from its record. Without an `event`
    nothing happens.
    """

    old: Anchor | None
    new: Anchor | None
    event: AnchorEvent | None = None
    state: AnchorState | None = None

    @property
    def anchor(self) -> Anchor:
        """The anchor as it is after the step, or was before it was taken away."""
        anchor = self.new or self.old
        assert anchor is not None  # noqa: S101 - a step from nothing to nothing is none
        return anchor

    @property
    def is_change(self) -> bool:
        """Whether there was anything to do."""
        return self.event is not None

    @property
    def has_moved(self) -> bool:
        """Whether the anchor is at another place than it was."""
        return self.old is not None and self.new is not None and self.old.spec != self.new.spec

    def as_json(self) -> dict[str, Any]:
        """Return the anchor, and what became of it."""
        return self.anchor.as_json() | {"changed": self.is_change, "before": self.old.spec if self.old else None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """A learning as it is after somebody acted on its anchors, and what became of each of these."""

    JSON: ClassVar = "learning anchors=steps"

    learning: StoredLearning
    steps: tuple[Step, ...]


class Writing:
    """Finds the anchors that somebody means, and writes what is to become of them."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._anchors = AnchorStore(kernel.database)

    def rows_of(self, stored: StoredLearning, spec: str | None) -> list[AnchorRow]:
        """Return the anchors of a learning that `spec` names; all of them when it is None."""
        rows = self._anchors.rows([stored.node])
        if not rows:
            raise NotFound(f"Learning {stored.id} has no anchors.", hint="Tie it to code first: tx graph:link.")
        chosen = self.named(stored, spec, [row.anchor for row in rows])
        return [row for row in rows if row.anchor in chosen]

    def named(self, stored: StoredLearning, spec: str | None, anchors: Sequence[Anchor]) -> list[Anchor]:
        """Return those of a learning's anchors that `spec` names; all of them when it is None."""
        found = list(anchors) if spec is None else anchors_named(spec, anchors, self._kernel.one(Anchoring))
        if not found:
            raise NotFound(
                f"Learning {stored.id} is not anchored to '{spec}'.", candidates=[anchor.spec for anchor in anchors]
            )
        return found

    def event(self, kind: EventKind, anchor: Anchor, *, command: str, **facts: Any) -> AnchorEvent:  # noqa: ANN401
        """Return what is told of an act; `facts` are further fields of the event.

        The user's name, where it is known, goes into the log and into no record.
        """
        name = self._kernel.checkout.user()
        by = f"{command} by {name}" if name else command
        return AnchorEvent(at=self._kernel.now(), kind=kind, anchor=anchor, detected_by=by, **facts)

    def write(self, stored: StoredLearning, steps: Sequence[Step]) -> Acted:
        """Write the steps and return the learning as it is then. Needs a transaction."""
        going = {step.old for step in steps}
        kept = [anchor for anchor in stored.learning.anchors if anchor not in going]
        coming = [step.new for step in steps if step.new]
        learning = replace(stored.learning, anchors=distinct_anchors([*kept, *coming]))
        if canonical(learning) != canonical(stored.learning):
            self._kernel.one(learning_sync).write(learning, record=stored.record)
        ids = {row.anchor.key: row.id for row in self._anchors.rows([stored.node])}
        self._anchors.save_states((ids[step.new.key], step.state) for step in steps if step.new and step.state)
        journal = Journal(self._kernel)
        journal.append(stored.node, [step.event for step in steps if step.event])
        journal.settle(stored.node, at=self._kernel.now())
        return Acted(learning=LearningStore(self._kernel.database).by_numbers([stored.id])[0], steps=tuple(steps))
