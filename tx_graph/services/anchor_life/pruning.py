"""graph:prune: takes anchors away that have been invalid for long; the log can bring them back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from tx_graph.domain.anchor_event import EventKind
from tx_graph.domain.edges import NodeId
from tx_graph.domain.verdict import Judgement, Reason, Verdict
from tx_graph.services.anchor_life.values import Step
from tx_graph.services.anchor_life.writing import Writing
from tx_graph.services.anchoring.judging import Judging
from tx_graph.services.anchoring.lives import Life, lives
from tx_graph.services.anchoring.relocating import Relocating
from tx_graph.services.anchoring.sources import Sources
from tx_graph.services.stamps import iso
from tx_graph.storage.anchors import AnchorRow
from tx_graph.storage.learnings import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """An anchor that was invalid for too long: since when, as a UTC time, and why."""

    learning: Label
    row: AnchorRow
    since: str
    reason: Reason
    detail: str


class Pruning:
    """Removes dead anchors from the records of all learnings, those that no answer shows too."""

    def __init__(self, *, writing: Writing, judging: Judging, relocating: Relocating, sources: Sources) -> None:
        self._writing = writing
        self._judging = judging
        self._relocating = relocating
        self._sources = sources

    def prune(self, older_than: timedelta, *, dry_run: bool = False) -> list[Pruned]:
        """Return the anchors that have been invalid for so long, and remove them unless it is a `dry_run`.

        What was invalidated by hand counts from then, everything else from when verification first found it so. A
        pinned anchor stays, and one that holds again too.

        Raises:
            StorageError: The records cannot be written.
        """
        self._sources.forget()
        if dry_run:
            return self._due(older_than)
        with self._writing.stores.database.transaction():
            due = self._due(older_than)
            self._remove(due)
        return due

    def _due(self, older_than: timedelta) -> list[Pruned]:
        latest = iso(self._writing.moment() - older_than)
        stores = self._writing.stores
        labels = {label.node: label for label in stores.learnings.labelled(withheld=True)}
        rows = [row for row in stores.anchors.rows() if row.state.status == "invalid" and not row.anchor.pinned]
        old = [(row, since) for row, since in self._with_age(rows) if since <= latest]
        judged = self._relocating.settle([self._judging.judge(row.anchor) for row, _ in old], hints={})
        due = [_pruned(labels[row.learning], row, since, one) for (row, since), one in zip(old, judged, strict=True)]
        return sorted(filter(None, due), key=lambda one: (one.learning.id, one.row.anchor.spec))

    def _with_age(self, rows: Sequence[AnchorRow]) -> list[tuple[AnchorRow, str]]:
        """Return the anchors with the time since when they are invalid; where nobody knows, since the last look."""
        told = {node: lives(self._writing.stores.anchor_log.of(node)) for node in {row.learning for row in rows}}
        return [(row, _since(row, told[row.learning].get(row.anchor.key, Life()))) for row in rows]

    def _remove(self, due: Sequence[Pruned]) -> None:
        steps: dict[NodeId, list[Step]] = defaultdict(list)
        for one in due:
            event = self._writing.event(
                EventKind.PRUNED,
                one.row.anchor,
                command="graph:prune",
                old_status="invalid",
                new_status="none",
                reason=one.reason,
                detail=f"invalid since {one.since}: {one.detail}",
            )
            steps[one.row.learning].append(Step(old=one.row.anchor, new=None, event=event))
        for stored in self._writing.stores.learnings.by_nodes(list(steps)):
            self._writing.write(stored, steps[stored.node])


def _since(row: AnchorRow, life: Life) -> str:
    if row.anchor.invalidated:
        return row.anchor.invalidated.at
    return life.since or row.state.verified_at or ""


def _pruned(label: Label, row: AnchorRow, since: str, judgement: Judgement) -> Pruned | None:
    if judgement.verdict is not Verdict.INVALID or judgement.reason is None:
        return None
    return Pruned(learning=label, row=row, since=since, reason=judgement.reason, detail=judgement.detail)
