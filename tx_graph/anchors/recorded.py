"""Which anchors there are: those in the database, or those that the records of git's index or of a commit hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from tx_graph.core.kernel import Kernel
from tx_graph.core.place import LEARNINGS
from tx_graph.records.anchor_store import AnchorRow, AnchorState, AnchorStore
from tx_graph.records.front_matter import MalformedRecord
from tx_graph.records.learning import Status
from tx_graph.records.learning_record import LEARNING_FORMAT
from tx_graph.records.learning_store import Label, LearningStore
from tx_graph.records.seen_store import RecordStore

if TYPE_CHECKING:
    from tx_graph.core.snapshot import Snapshot

Chosen = list[tuple[Label, AnchorRow]]
"""Anchors with their learnings."""


class Recorded(NamedTuple):
    """All anchors of a snapshot's records, and whether answers show their learnings.

    `unread` counts the records that are damaged, `left_out` those that the working tree has alone.
    """

    anchors: Sequence[tuple[Label, AnchorRow, bool]]
    unread: int
    left_out: int


def shown(kernel: Kernel, rows: Sequence[AnchorRow] | None = None, *, every: bool) -> Chosen:
    """Return those of the anchors whose learnings may be shown, with these; without `rows` all there are."""
    if kernel.checkout.is_snapshot:
        return [(label, row) for label, row, is_shown in kernel.one(recorded).anchors if every or is_shown]
    rows = AnchorStore(kernel.database).rows() if rows is None else rows
    known = LearningStore(kernel.database).labelled({row.learning for row in rows}, withheld=every)
    labels = {label.node: label for label in known}
    return [(labels[row.learning], row) for row in rows if row.learning in labels]


def recorded(kernel: Kernel) -> Recorded:
    """Return the anchors that a snapshot's records hold: what the database says of those that differ is of others."""
    records, store = cast("Snapshot", kernel.checkout).records(LEARNINGS), LearningStore(kernel.database)
    labels = {label.node: label for label in store.labelled(withheld=True)}
    visible = {label.node for label in store.labelled()}
    same = {node for node, label in labels.items() if records.get(label.record, b"") is None}
    anchors = [
        (labels[row.learning], row, row.learning in visible)
        for row in AnchorStore(kernel.database).rows()
        if row.learning in same
    ]
    by_uid, number = {label.uid: label for label in labels.values()}, 0
    unread = sum(row.name in records and records[row.name] is None for row in RecordStore(kernel.database).problems())
    for name, data in records.items():
        if data is None:
            continue
        try:
            learning = LEARNING_FORMAT.parse(data)
        except MalformedRecord:
            unread += 1
            continue
        known = by_uid.get(learning.uid)
        node, local = (known.node, known.id) if known else (-1 - number, 0)
        label = Label(
            node=node, id=local, uid=learning.uid, content=learning.content, record=name, status=learning.status
        )
        is_shown = learning.status is Status.ACTIVE and learning.removed_at is None
        for anchor in learning.anchors:
            number += 1
            anchors.append((label, AnchorRow(id=-number, learning=node, anchor=anchor, state=AnchorState()), is_shown))
    left_out = sum(label.record not in records for label in labels.values())
    return Recorded(anchors=anchors, unread=unread, left_out=left_out)


def unread_records(kernel: Kernel) -> int:
    """Return how many records are damaged, of those that are looked at."""
    return kernel.one(recorded).unread if kernel.checkout.is_snapshot else len(RecordStore(kernel.database).problems())
