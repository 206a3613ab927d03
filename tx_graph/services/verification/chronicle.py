"""Tells what happened to an anchor from what was known of it and what is found now: each change once."""

from __future__ import annotations

from tx_graph.domain.anchor_event import AnchorEvent, EventKind
from tx_graph.domain.verdict import Judgement, Verdict
from tx_graph.storage.anchors import AnchorState


def event_of(
    before: AnchorState, judgement: Judgement, after: AnchorState, *, at: str, by: str, commit: str | None
) -> AnchorEvent | None:
    """Return what happened since the last look; None when all is as it was, or only formatting changed."""
    kind = _kind(before, judgement, after)
    if kind is None:
        return None
    there = judgement.relocated_to
    taken = there.fingerprints if there else None
    return AnchorEvent(
        at=at,
        kind=kind,
        anchor=judgement.anchor,
        detected_by=by,
        old_status=before.status,
        new_status=after.status,
        drift=judgement.drift,
        reason=judgement.reason,
        detail=judgement.detail,
        commit=commit,
        new_place=there.spec if there else None,
        new_hash=taken.content if taken else None,
    )


def _kind(before: AnchorState, judgement: Judgement, after: AnchorState) -> EventKind | None:
    if judgement.verdict is Verdict.PINNED or _essence(before) == _essence(after):
        return None
    match judgement.verdict:
        case Verdict.INVALID:
            return EventKind.INVALID
        case Verdict.RELOCATED:
            return EventKind.RELOCATED
        case Verdict.DRIFTED if judgement.is_finding:
            return EventKind.DRIFTED
        case _:
            return EventKind.HEALED if _was_bad(before) else None


def _essence(state: AnchorState) -> tuple[object, ...]:
    """Return what makes two states differ for the log."""
    drift = state.drift if state.drift and state.drift.counts else None
    return (state.status if drift or state.status == "invalid" else "valid", drift, state.reason, state.found_at)


def _was_bad(state: AnchorState) -> bool:
    counts = state.drift is not None and state.drift.counts
    return state.status == "invalid" or counts or state.found_at is not None
