"""Which anchors there are: those in the database, or those that the records of git's index or of a commit hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from tx_graph.core.dataclass import dataclass
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY, LEARNINGS
from tx_graph.graph.edges import NodeId
from tx_graph.records.anchor_store import AnchorRow, AnchorState, AnchorStore
from tx_graph.records.learning import Status
from tx_graph.records.learning_store import Label, LearningStore
from tx_graph.records.seen_store import RecordRow, RecordStore

if TYPE_CHECKING:
    from tx_graph.core.snapshot import Snapshot

Chosen = list[tuple[Label, AnchorRow]]
"""Anchors with their learnings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A record that cannot be read, and why, with the line where it goes wrong: it may hold anything."""

    path: str
    line: int
    reason: str


def unread(kernel: Kernel) -> tuple[Unread, ...]:
    """Return the records of learnings that cannot be read."""
    if kernel.checkout.is_snapshot:
        return tuple(sorted(kernel.one(recorded).unread, key=lambda one: one.path))
    return tuple(map(_unread, RecordStore(kernel.database).problems()))


def _unread(row: RecordRow) -> Unread:
    return Unread(path=_path(row.name), line=row.problem_line or 1, reason=row.problem or "")


def _path(name: str) -> str:
    return f"{DIRECTORY}/{LEARNINGS}/{name}"


class Recorded(NamedTuple):
    """All anchors of a snapshot's records, and whether answers show their learnings.

    `unread` are the records that are damaged, `left_out` counts those that the working tree has alone.
    """

    anchors: Sequence[tuple[Label, AnchorRow, bool]]
    unread: Sequence[Unread]
    left_out: int

    @property
    def caveat(self) -> str:
        """A sentence about the learnings that were left out, nothing where none was."""
        if not self.left_out:
            return ""
        one = self.left_out == 1
        which = "A learning that is" if one else f"{self.left_out:,} learnings that are"
        were, them = ("was", "it") if one else ("were", "them")
        how = f"'git add .tx' takes {them} in, with --force what git ignores."
        return f"{which} in the working tree alone {were} not verified; {how}"


def shown(kernel: Kernel, rows: Sequence[AnchorRow] | None = None, *, every: bool) -> Chosen:
    """Return those of the anchors whose learnings may be shown, with these; without `rows` all there are."""
    if kernel.checkout.is_snapshot:
        return [(label, row) for label, row, is_shown in kernel.one(recorded).anchors if every or is_shown]
    rows = AnchorStore(kernel.database).rows() if rows is None else rows
    known = LearningStore(kernel.database).labelled({row.learning for row in rows}, withheld=every)
    labels = {label.node: label for label in known}
    return [(labels[row.learning], row) for row in rows if row.learning in labels]


def rows_of(kernel: Kernel, learnings: Collection[NodeId]) -> list[AnchorRow]:
    """Return the anchors of some learnings, whether these may be shown or not."""
    if kernel.checkout.is_snapshot:
        return [row for _, row, _ in kernel.one(recorded).anchors if row.learning in learnings]
    return AnchorStore(kernel.database).rows(learnings)


def recorded(kernel: Kernel) -> Recorded:
    """Return the anchors that a snapshot's records hold: what the database says of those that differ is of others."""
    from tx_graph.records.front_matter import MalformedRecord  # most looks are at the working tree
    from tx_graph.records.learning_record import LEARNING_FORMAT

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
    problems = RecordStore(kernel.database).problems()
    damaged = [_unread(row) for row in problems if records.get(row.name, b"") is None]
    for name, data in records.items():
        if data is None:
            continue
        try:
            learning = LEARNING_FORMAT.parse(data)
        except MalformedRecord as malformed:
            damaged.append(Unread(path=_path(name), line=malformed.line, reason=malformed.reason))
            continue
        known = by_uid.get(learning.uid)
        node, local = (known.node, known.id) if known else (-1 - number, 0)
        label = Label(
            node=node,
            id=local,
            uid=learning.uid,
            content=learning.content,
            record=name,
            status=learning.status,
            category=learning.category,
        )
        is_shown = learning.status is Status.ACTIVE and learning.removed_at is None
        for anchor in learning.anchors:
            number += 1
            anchors.append((label, AnchorRow(id=-number, learning=node, anchor=anchor, state=AnchorState()), is_shown))
    left_out = sum(label.record not in records for label in labels.values())
    return Recorded(anchors=anchors, unread=damaged, left_out=left_out)
