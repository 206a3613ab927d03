"""Reads out of the log what became of each anchor: what was last known of it, and which commits broke it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tx_graph.anchors.store import AnchorState
from tx_graph.anchors.verdict import AnchorEvent, EventKind
from tx_graph.core.stores import Stores
from tx_graph.graph.edges import NodeId
from tx_graph.records.anchor import Anchor

AnchorKey = tuple[str, str]
"""Type and spec of an anchor, which tell it from the others of its learning."""

_MOVING = frozenset({EventKind.REFRESHED, EventKind.CONFIRMED})
"""What may take an anchor to another place, where it begins anew: another one may have been there long ago."""


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
        if event.kind in _MOVING and event.new_place:
            found[event.anchor.type, event.new_place] = Life()
    return found


def commits_blamed(events: Iterable[AnchorEvent], present: Collection[AnchorKey]) -> set[str]:
    """Return the commits that broke those of one learning's anchors that are `present` and still broken."""
    current = [life for key, life in lives(events).items() if key in present]
    return {commit for life in current for commit in (life.broken_by, life.accused) if commit}


def _lived(life: Life, event: AnchorEvent) -> Life:
    leave = _LEFT_BY.get(event.kind)
    return leave(life, event) if leave else life


def _drifted(_life: Life, event: AnchorEvent) -> Life:
    state = AnchorState(status="drifted", drift=event.drift, found_at=event.new_place)
    return Life(state=state, broken_by=event.commit)


def _lost(life: Life, event: AnchorEvent) -> Life:
    state = AnchorState(status="invalid", reason=event.reason, found_at=event.new_place)
    return Life(state=state, since=life.since or event.at, broken_by=event.commit)


def _found(_life: Life, event: AnchorEvent) -> Life:
    return Life(state=AnchorState(drift=event.drift, found_at=event.new_place))


def _sound(_life: Life, _event: AnchorEvent) -> Life:
    return Life()


def _pinned(life: Life, _event: AnchorEvent) -> Life:
    """An invalidation outlives a pin, but not what verification had said before it."""
    return Life(before=life.before and AnchorState(), accused=life.accused)


def _invalidated(life: Life, event: AnchorEvent) -> Life:
    return replace(life, before=life.before or _known_before(life, event), accused=event.commit or life.accused)


def _restored(life: Life, _event: AnchorEvent) -> Life:
    return replace(life, state=life.before or life.state, before=None, accused=None, pruned=None)


def _pruned(life: Life, event: AnchorEvent) -> Life:
    return replace(life, pruned=event)


_LEFT_BY: Mapping[EventKind, Callable[[Life, AnchorEvent], Life]] = {
    EventKind.DRIFTED: _drifted,
    EventKind.INVALID: _lost,
    EventKind.RELOCATED: _found,
    EventKind.HEALED: _sound,
    EventKind.REFRESHED: _sound,
    EventKind.CONFIRMED: _sound,
    EventKind.INVALIDATED: _invalidated,
    EventKind.RESTORED: _restored,
    EventKind.PINNED: _pinned,
    EventKind.UNPINNED: _pinned,
    EventKind.PRUNED: _pruned,
}
"""What each event leaves of a life; one that is not here changes nothing.

Verification does not look at what somebody invalidated: where it found something, that word had been taken back.
"""


def _known_before(life: Life, event: AnchorEvent) -> AnchorState:
    """Return the state before an invalidation: the event says it in short, earlier ones say the rest."""
    if event.anchor.invalidated or life.state.status == event.old_status:
        return replace(life.state, drift=life.state.drift if event.anchor.invalidated else event.drift)
    return AnchorState(status=event.old_status, drift=event.drift)


class Journal:
    """Keeps the log, and the INVALIDATED_BY edges equal to what it says of the anchors that are there."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def told_of(self, learning: NodeId) -> dict[AnchorKey, str | None]:
        """Return the commits that the log names for what verification last said of a learning's anchors."""
        return {key: life.broken_by for key, life in lives(self._stores.anchor_log.of(learning)).items()}

    def explain(self, learning: NodeId, anchor: Anchor, commit: str, *, at: str) -> None:
        """Name the commit behind what was found before it was made. Needs a transaction."""
        self._stores.anchor_log.explain(learning, anchor, commit)
        self.settle(learning, at=at)

    def append(self, learning: NodeId, events: Sequence[AnchorEvent]) -> None:
        """Add events of one learning's anchors, once these are as the events leave them. Needs a transaction."""
        self._stores.anchor_log.append([(learning, event) for event in events])
        if events:
            self.settle(learning, at=events[-1].at)

    def settle(self, learning: NodeId, *, at: str) -> None:
        """Blame the commits that broke an anchor which is there and still broken, no other. Needs a transaction."""
        present = {row.anchor.key for row in self._stores.anchors.rows([learning])}
        blamed = commits_blamed(self._stores.anchor_log.of(learning), present)
        known = set(self._stores.edges.blamed(learning))
        for commit in sorted(known - blamed):
            self._stores.edges.absolve(learning, commit, at=at)
        for commit in sorted(blamed - known):
            self._stores.edges.blame(learning, commit, at=at)
