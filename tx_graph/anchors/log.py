"""Reads out of the log what became of each anchor: what was last known of it, and which commits broke it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tx_graph.anchors.store import AnchorLog
from tx_graph.anchors.verdict import AnchorEvent, EventKind
from tx_graph.core.kernel import Kernel
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import NodeId
from tx_graph.records.anchor import Anchor
from tx_graph.records.anchor_store import AnchorState, AnchorStore

AnchorKey = tuple[str, str]
"""Type and spec of an anchor, which tell it from the others of its learning."""


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
        if event.kind in (EventKind.REFRESHED, EventKind.CONFIRMED) and event.new_place:
            # At another place it begins anew: another one may have been there long ago.
            found[event.anchor.type, event.new_place] = Life()
    return found


def commits_blamed(events: Iterable[AnchorEvent], present: Collection[AnchorKey]) -> set[str]:
    """Return the commits that broke those of one learning's anchors that are `present` and still broken."""
    current = [life for key, life in lives(events).items() if key in present]
    return {commit for life in current for commit in (life.broken_by, life.accused) if commit}


def _lived(life: Life, event: AnchorEvent) -> Life:
    """Return a life as an event leaves it.

    Verification does not look at what somebody invalidated: where it found something, that word had been taken back.
    """
    match event.kind:
        case EventKind.DRIFTED:
            state = AnchorState(status="drifted", drift=event.drift, found_at=event.new_place)
            life = Life(state=state, broken_by=event.commit)
        case EventKind.INVALID:
            state = AnchorState(status="invalid", reason=event.reason, found_at=event.new_place)
            life = Life(state=state, since=life.since or event.at, broken_by=event.commit)
        case EventKind.RELOCATED:
            life = Life(state=AnchorState(drift=event.drift, found_at=event.new_place))
        case EventKind.HEALED | EventKind.REFRESHED | EventKind.CONFIRMED:
            life = Life()
        case EventKind.PINNED | EventKind.UNPINNED:
            # An invalidation outlives a pin, but not what verification had said before it.
            life = Life(before=life.before and AnchorState(), accused=life.accused)
        case EventKind.INVALIDATED:
            before = life.before or _known_before(life, event)
            life = replace(life, before=before, accused=event.commit or life.accused)
        case EventKind.RESTORED:
            life = replace(life, state=life.before or life.state, before=None, accused=None, pruned=None)
        case EventKind.PRUNED:
            life = replace(life, pruned=event)
    return life


def _known_before(life: Life, event: AnchorEvent) -> AnchorState:
    """Return the state before an invalidation: the event says it in short, earlier ones say the rest."""
    if event.anchor.invalidated or life.state.status == event.old_status:
        return replace(life.state, drift=life.state.drift if event.anchor.invalidated else event.drift)
    return AnchorState(status=event.old_status, drift=event.drift)


class Journal:
    """Keeps the log, and the INVALIDATED_BY edges equal to what it says of the anchors that are there."""

    def __init__(self, kernel: Kernel) -> None:
        self._log = AnchorLog(kernel.database)
        self._anchors = AnchorStore(kernel.database)
        self._edges = EdgeStore(kernel.database)

    def told_of(self, learning: NodeId) -> dict[AnchorKey, str | None]:
        """Return the commits that the log names for what verification last said of a learning's anchors."""
        return {key: life.broken_by for key, life in lives(self._log.of(learning)).items()}

    def explain(self, learning: NodeId, anchor: Anchor, commit: str, *, at: str) -> None:
        """Name the commit behind what was found before it was made. Needs a transaction."""
        self._log.explain(learning, anchor, commit)
        self.settle(learning, at=at)

    def append(self, learning: NodeId, events: Sequence[AnchorEvent]) -> None:
        """Add events of one learning's anchors, once these are as the events leave them. Needs a transaction."""
        self._log.append(learning, events)
        if events:
            self.settle(learning, at=events[-1].at)

    def settle(self, learning: NodeId, *, at: str) -> None:
        """Blame the commits that broke an anchor which is there and still broken, no other. Needs a transaction."""
        present = {row.anchor.key for row in self._anchors.rows([learning])}
        blamed = commits_blamed(self._log.of(learning), present)
        known = set(self._edges.blamed(learning))
        for commit in sorted(known - blamed):
            self._edges.absolve(learning, commit, at=at)
        for commit in sorted(blamed - known):
            self._edges.blame(learning, commit, at=at)
