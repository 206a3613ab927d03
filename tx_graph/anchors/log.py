"""Changes of a learning's anchors: written to its record, told in the log, and what the log says became of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from tx_graph.anchors.store import AnchorLog, LinkLog
from tx_graph.anchors.verdict import AnchorEvent, EventKind, LinkEvent, LinkEventKind
from tx_graph.core.database import Database
from tx_graph.core.dataclass import dataclass, field, replace
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import NodeId
from tx_graph.records.anchor import Anchor, distinct_anchors, parse_anchor
from tx_graph.records.anchor_store import AnchorState, AnchorStore
from tx_graph.records.learning import Link, StoredLearning
from tx_graph.records.learning_record import rewritten

AnchorKey = tuple[str, str]
"""Type and spec of an anchor, which tell it from the others of its learning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """One anchor as its events leave it.

    `state` is what verification last said. `since` is when the anchor became invalid by that, None while it is not.
    `before` is the state from before somebody invalidated it by hand, None if nobody did. `broken_by` is the commit
    that verification names for its state, `accused` the one that somebody named. `lost` is the event that took
    the anchor away: it was pruned or unlinked.
    """

    state: AnchorState = field(default_factory=AnchorState)
    since: str | None = None
    before: AnchorState | None = None
    broken_by: str | None = None
    accused: str | None = None
    lost: AnchorEvent | None = None


def lives(events: Iterable[AnchorEvent]) -> dict[AnchorKey, Life]:
    """Return the life of each anchor from the events of one learning, oldest first.

    Verification does not look at what somebody invalidated: where it found something, that word had been taken back.
    """
    found: dict[AnchorKey, Life] = {}
    for event in events:
        life = found.get(event.anchor.key, Life())
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
                # The event says in short what the state was before; earlier ones say the rest.
                state = AnchorState(status=event.old_status, drift=event.drift)
                if event.anchor.invalidated or life.state.status == event.old_status:
                    state = replace(life.state, drift=life.state.drift if event.anchor.invalidated else event.drift)
                life = replace(life, before=life.before or state, accused=event.commit or life.accused)
            case EventKind.RESTORED:
                life = replace(life, state=life.before or life.state, before=None, accused=None, lost=None)
            case EventKind.PRUNED | EventKind.UNLINKED:
                life = replace(life, lost=event)
        found[event.anchor.key] = life
        if event.kind in (EventKind.REFRESHED, EventKind.CONFIRMED) and event.new_place:
            # At another place it begins anew: another one may have been there long ago.
            found[event.anchor.type, event.new_place] = Life()
    return found


def tell(database: Database, learning: NodeId, events: Sequence[AnchorEvent], *, at: str) -> None:
    """Add events of one learning's anchors to the log, once these are as the events leave them. Needs a transaction.

    Its INVALIDATED_BY edges lead to the commits that broke an anchor which is there and still broken, to no other.
    """
    log, edges = AnchorLog(database), EdgeStore(database)
    log.append(learning, events)
    present = {row.anchor.key for row in AnchorStore(database).rows([learning])}
    current = [life for key, life in lives(log.of(learning)).items() if key in present]
    blamed = {commit for life in current for commit in (life.broken_by, life.accused) if commit}
    known = set(edges.blamed(learning))
    for commit in sorted(known - blamed):
        edges.absolve(learning, commit, at=at)
    for commit in sorted(blamed - known):
        edges.blame(learning, commit, at=at)


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

    JSON: ClassVar = "*anchor changed=is_change before=old.spec"

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted(Answer):
    """A learning as it is after somebody acted on its anchors, what became of each of these, and links it has again."""

    JSON: ClassVar = "learning anchors=steps links"

    learning: StoredLearning
    steps: tuple[Step, ...]
    links: tuple[Link, ...] = ()


def named(kernel: Kernel, stored: StoredLearning, spec: str | None, anchors: Sequence[Anchor]) -> list[Anchor]:
    """Return those of a learning's anchors that `spec` names: one as it is written, or every anchor to a file.

    The path may be spelled from the root or from the working directory; None names all of them.
    """
    found = [anchor for anchor in anchors if spec in (None, anchor.spec)]
    if not found and spec is not None:
        request = parse_anchor(spec)
        try:
            spellings = [f"{path}{request.tail}" for path in kernel.checkout.tree.candidates(request.path)]
        except UsageError:
            spellings = []
        found = [anchor for anchor in anchors if anchor.spec in spellings]
        found = found or [anchor for anchor in anchors if anchor.path in spellings]
    if not found:
        raise NotFound(f"Learning {stored.id} is not anchored to '{spec}'.", candidates=[one.spec for one in anchors])
    return found


def event_of(
    kernel: Kernel,
    kind: EventKind,
    anchor: Anchor,
    turned: tuple[str, str],
    *,
    by: str,
    **facts: Any,  # noqa: ANN401
) -> AnchorEvent:
    """Return what is told of the command `by` which a status `turned` into another; `facts` are further fields.

    The user's name, where it is known, goes into the log and into no record.
    """
    old, new = turned
    name = kernel.checkout.user()
    by = f"{by} by {name}" if name else by
    return AnchorEvent(
        at=kernel.now(), kind=kind, anchor=anchor, detected_by=by, old_status=old, new_status=new, **facts
    )


def tell_links(kernel: Kernel, stored: StoredLearning, kind: LinkEventKind, links: Iterable[Link], *, by: str) -> None:
    """Tell the log what the command `by` did to links of a learning. Needs a transaction."""
    name, now = kernel.checkout.user(), kernel.now()
    by = f"{by} by {name}" if name else by
    LinkLog(kernel.database).append(
        stored.node,
        [
            LinkEvent(at=now, kind=kind, target=one.target, relation=one.relation, weight=one.weight, detected_by=by)
            for one in links
        ],
    )


def lost_links(kernel: Kernel, stored: StoredLearning) -> list[Link]:
    """Return the links that somebody took away from a learning and that did not come back."""
    told = [event for source, event in LinkLog(kernel.database).of(stored.node) if source == stored.node]
    last = {(event.target, event.relation): event for event in told}
    present = {(link.target, link.relation) for link in stored.learning.links}
    return [
        Link(target=event.target, relation=event.relation, weight=event.weight)
        for key, event in last.items()
        if event.kind is LinkEventKind.UNRELATED and key not in present
    ]


def write(kernel: Kernel, stored: StoredLearning, steps: Sequence[Step], *, links: Sequence[Link] = ()) -> Acted:
    """Write the steps and new links, and return the learning as it is then. Needs a transaction."""
    going, anchors = {step.old for step in steps}, AnchorStore(kernel.database)
    kept = [anchor for anchor in stored.learning.anchors if anchor not in going]
    coming = [step.new for step in steps if step.new]
    learning = replace(
        stored.learning, anchors=distinct_anchors([*kept, *coming]), links=(*stored.learning.links, *links)
    )
    written = rewritten(kernel, stored, learning)
    ids = {row.anchor.key: row.id for row in anchors.rows([stored.node])}
    anchors.save_states((ids[step.new.key], step.state) for step in steps if step.new and step.state)
    events = [step.event for step in steps if step.event]
    tell(kernel.database, stored.node, events, at=events[-1].at if events else kernel.now())
    return Acted(learning=written, steps=tuple(steps), links=tuple(links))
