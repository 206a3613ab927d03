"""Reads out of the log what became of each anchor: what was last known of it, and which commits broke it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from tx_graph.domain.anchor_event import AnchorEvent, EventKind
from tx_graph.storage.anchors import AnchorState

AnchorKey = tuple[str, str]
"""Type and spec of an anchor, which tell it from the others of its learning."""

_SOUND = frozenset({EventKind.HEALED, EventKind.REFRESHED, EventKind.CONFIRMED, EventKind.PINNED, EventKind.UNPINNED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """One anchor as its events leave it.

    `state` is what verification last said. `since` is when the anchor became invalid by that, None while it is not.
    `before` is the state from before somebody invalidated it by hand, None if nobody did. `broken_by` is the commit
    that verification names for its state, `accused` the one that somebody named. `pruned` is the event that took
    the anchor away.
    """

    state: AnchorState = field(default_factory=AnchorState)
    since: str | None = None
    before: AnchorState | None = None
    broken_by: str | None = None
    accused: str | None = None
    pruned: AnchorEvent | None = None


def lives(events: Iterable[AnchorEvent]) -> dict[AnchorKey, Life]:
    """Return the life of each anchor from the events of one learning, oldest first."""
    found: dict[AnchorKey, Life] = {}
    for event in events:
        key = event.anchor.key
        found[key] = _lived(found.get(key, Life()), event)
    return found


def commits_blamed(events: Iterable[AnchorEvent], present: Collection[AnchorKey]) -> set[str]:
    """Return the commits that broke those of one learning's anchors that are `present` and still broken."""
    current = [life for key, life in lives(events).items() if key in present]
    return {commit for life in current for commit in (life.broken_by, life.accused) if commit}


def _lived(life: Life, event: AnchorEvent) -> Life:
    match event.kind:
        case EventKind.DRIFTED:
            state = AnchorState(status="drifted", drift=event.drift, found_at=event.new_place)
            return replace(life, state=state, since=None, broken_by=event.commit)
        case EventKind.INVALID:
            state = AnchorState(status="invalid", reason=event.reason, found_at=event.new_place)
            return replace(life, state=state, since=life.since or event.at, broken_by=event.commit)
        case EventKind.INVALIDATED:
            return replace(life, before=life.before or _known_before(life, event), accused=event.commit or life.accused)
        case EventKind.RESTORED:
            return replace(life, state=life.before or life.state, before=None, accused=None, pruned=None)
        case EventKind.PRUNED:
            return replace(life, pruned=event)
        case EventKind.RELOCATED:
            return Life(state=AnchorState(drift=event.drift, found_at=event.new_place))
        case kind if kind in _SOUND:
            return Life(before=life.before, accused=life.accused) if kind is not EventKind.CONFIRMED else Life()
        case _:
            return life


def _known_before(life: Life, event: AnchorEvent) -> AnchorState:
    """Return the state before an invalidation: the event says it in short, earlier ones say the rest."""
    state = life.state if life.state.status == event.old_status else AnchorState(status=event.old_status)
    return replace(state, drift=event.drift)
