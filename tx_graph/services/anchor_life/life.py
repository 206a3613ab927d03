"""People's word about anchors: that one holds no more, or does again, and that one is to be left alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tx_graph.domain.anchor import Anchor, Invalidation
from tx_graph.domain.anchor_event import EventKind
from tx_graph.domain.labels import clean_label
from tx_graph.domain.learning import StoredLearning
from tx_graph.domain.verdict import Reason
from tx_graph.errors import NotFound
from tx_graph.services.anchor_life.values import Acted, Step
from tx_graph.services.anchor_life.writing import Writing
from tx_graph.services.anchoring.lives import AnchorKey, Life, lives
from tx_graph.storage.anchors import AnchorRow


class AnchorLife:
    """Acts on the anchors of one learning: on one of them, or on all. `commit_named` gives a commit's full name."""

    def __init__(self, *, writing: Writing, commit_named: Callable[[str], str]) -> None:
        self._writing = writing
        self._commit_named = commit_named

    def invalidate(self, ref: str, spec: str | None = None, *, reason: str, commit: str | None = None) -> Acted:
        """Say that anchors hold no more, and why; return what became of each.

        It stands in the record, so that everybody hears of it. `commit` is the one that is to blame.

        Raises:
            NotFound: There is no such learning, anchor or commit.
            UsageError: The reason is empty or too long.
        """
        reason = clean_label(reason, what="reason")
        blamed = None if commit is None else self._commit_named(commit)
        with self._writing.stores.database.transaction():
            stored = self._writing.references.learning(ref)
            rows = self._writing.rows_of(stored, spec)
            return self._writing.write(stored, [self._invalidation(row, reason, blamed) for row in rows])

    def restore(self, ref: str, spec: str | None = None) -> Acted:
        """Take invalidations back, and bring pruned anchors back; all is as it was before.

        Raises:
            NotFound: There is no such learning, or nothing to restore.
        """
        with self._writing.stores.database.transaction():
            stored = self._writing.references.learning(ref)
            told = lives(self._writing.stores.anchor_log.of(stored.node))
            rows = self._writing.stores.anchors.rows([stored.node])
            lost = _pruned(told, present={row.anchor.key for row in rows})
            dead = [row.anchor for row in rows if row.anchor.invalidated]
            chosen = self._restorable(stored, spec, [*dead, *lost])
            steps = [self._restoration(anchor, told, is_lost=anchor in lost) for anchor in chosen]
            return self._writing.write(stored, steps)

    def pin(self, ref: str, spec: str | None = None) -> Acted:
        """Exempt anchors from verification.

        Raises:
            NotFound: There is no such learning or anchor.
        """
        return self._pinned(ref, spec, EventKind.PINNED)

    def unpin(self, ref: str, spec: str | None = None) -> Acted:
        """Have anchors verified again.

        Raises:
            NotFound: There is no such learning or anchor.
        """
        return self._pinned(ref, spec, EventKind.UNPINNED)

    def _invalidation(self, row: AnchorRow, reason: str, commit: str | None) -> Step:
        old, dead = row.anchor, row.anchor.invalidated
        if dead and dead.reason == reason and commit is None:
            return Step(old=old, new=old)
        at = dead.at if dead else self._writing.now()
        event = self._writing.event(
            EventKind.INVALIDATED,
            old,
            command="graph:invalidate",
            old_status=row.state.status,
            new_status="invalid",
            drift=None if dead else row.state.drift,
            reason=Reason.INVALIDATED,
            detail=reason,
            commit=commit,
        )
        return Step(old=old, new=replace(old, invalidated=Invalidation(reason=reason, at=at)), event=event)

    def _restorable(self, stored: StoredLearning, spec: str | None, anchors: list[Anchor]) -> list[Anchor]:
        if not anchors:
            raise NotFound(
                f"Learning {stored.id} has no anchor that was invalidated or pruned: there is nothing to restore."
            )
        try:
            return self._writing.named(stored, spec, anchors)
        except NotFound:
            raise NotFound(
                f"Nothing of learning {stored.id} at '{spec}' was invalidated or pruned.",
                candidates=[anchor.spec for anchor in anchors],
            ) from None

    def _restoration(self, anchor: Anchor, told: dict[AnchorKey, Life], *, is_lost: bool) -> Step:
        life = told.get(anchor.key, Life())
        state = (life.before or life.state) if anchor.invalidated else life.state
        event = self._writing.event(
            EventKind.RESTORED,
            anchor,
            command="graph:restore",
            old_status="none" if is_lost else "invalid",
            new_status=state.status,
            drift=state.drift,
            reason=state.reason,
            detail="it was pruned" if is_lost else "",
        )
        new = replace(anchor, invalidated=None)
        return Step(old=None if is_lost else anchor, new=new, event=event, state=state)

    def _pinned(self, ref: str, spec: str | None, kind: EventKind) -> Acted:
        with self._writing.stores.database.transaction():
            stored = self._writing.references.learning(ref)
            rows = self._writing.rows_of(stored, spec)
            return self._writing.write(stored, [self._pinning(row, kind) for row in rows])

    def _pinning(self, row: AnchorRow, kind: EventKind) -> Step:
        """Turn a pin; what verification said before counts no more: a pinned anchor is taken at its word."""
        old, pinned = row.anchor, kind is EventKind.PINNED
        if old.pinned == pinned:
            return Step(old=old, new=old)
        status = "invalid" if old.invalidated else "valid"
        command = "graph:pin" if pinned else "graph:unpin"
        event = self._writing.event(kind, old, command=command, old_status=row.state.status, new_status=status)
        return Step(old=old, new=replace(old, pinned=pinned), event=event)


def _pruned(told: dict[AnchorKey, Life], *, present: set[AnchorKey]) -> list[Anchor]:
    """Return the anchors that were pruned and have not come back."""
    return [life.pruned.anchor for key, life in told.items() if life.pruned and key not in present]
