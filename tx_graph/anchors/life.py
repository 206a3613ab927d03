"""The life of an anchor: people say that it holds or not, pin it, look at what became of it, and clear away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from tx_graph.anchors.judging import Judging, refreshed
from tx_graph.anchors.log import AnchorKey, Journal, Life, lives
from tx_graph.anchors.relocating import Relocating
from tx_graph.anchors.sources import Sources
from tx_graph.anchors.store import AnchorRow, AnchorState
from tx_graph.anchors.taking import Anchoring, anchors_named, tail_of
from tx_graph.anchors.verdict import AnchorEvent, EventKind, Judgement, Reason, Verdict
from tx_graph.core.errors import NotFound
from tx_graph.core.labels import clean_label
from tx_graph.core.ports import Clock
from tx_graph.core.stores import Stores
from tx_graph.core.working_tree import iso
from tx_graph.graph.edges import NodeId
from tx_graph.graph.resolving import References
from tx_graph.records.anchor import Anchor, Invalidation, distinct_anchors, parse_anchor
from tx_graph.records.learning import Learning, Status, StoredLearning
from tx_graph.records.learning_record import canonical
from tx_graph.records.learning_store import Label
from tx_graph.records.sync import RecordSync


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """A learning as it is after somebody acted on its anchors, and what became of each of these."""

    learning: StoredLearning
    steps: tuple[Step, ...]


class Writing:
    """Finds the anchors that somebody means, and writes what is to become of them.

    `who` names the user, and is empty where nobody knows the name; it goes into the log and into no record.
    """

    def __init__(
        self,
        *,
        stores: Stores,
        references: References,
        anchoring: Anchoring,
        sync: RecordSync[Learning],
        clock: Clock,
        who: Callable[[], str],
    ) -> None:
        self.stores = stores
        self.references = references
        self._anchoring = anchoring
        self._sync = sync
        self._journal = Journal(stores)
        self._clock = clock
        self._who = who

    def now(self) -> str:
        """Return the time, as records hold it."""
        return iso(self.moment())

    def moment(self) -> datetime:
        """Return the time, in UTC."""
        return self._clock.now()

    def rows_of(self, stored: StoredLearning, spec: str | None) -> list[AnchorRow]:
        """Return the anchors of a learning that `spec` names; all of them when it is None.

        Raises:
            NotFound: The learning has no such anchor, or none at all.
        """
        rows = self.stores.anchors.rows([stored.node])
        if not rows:
            raise NotFound(f"Learning {stored.id} has no anchors.", hint="Tie it to code first: tx graph:link.")
        chosen = self.named(stored, spec, [row.anchor for row in rows])
        return [row for row in rows if row.anchor in chosen]

    def named(self, stored: StoredLearning, spec: str | None, anchors: Sequence[Anchor]) -> list[Anchor]:
        """Return those of a learning's anchors that `spec` names; all of them when it is None.

        Raises:
            NotFound: There is none such; those there are are named.
        """
        found = list(anchors) if spec is None else anchors_named(spec, anchors, self._anchoring)
        if not found:
            raise NotFound(
                f"Learning {stored.id} is not anchored to '{spec}'.", candidates=[anchor.spec for anchor in anchors]
            )
        return found

    def event(self, kind: EventKind, anchor: Anchor, *, command: str, **facts: Any) -> AnchorEvent:  # noqa: ANN401
        """Return what is told of an act; `facts` are further fields of the event."""
        name = self._who()
        by = f"{command} by {name}" if name else command
        return AnchorEvent(at=self.now(), kind=kind, anchor=anchor, detected_by=by, **facts)

    def write(self, stored: StoredLearning, steps: Sequence[Step]) -> Acted:
        """Write the steps and return the learning as it is then. Needs a transaction."""
        going = {step.old for step in steps}
        kept = [anchor for anchor in stored.learning.anchors if anchor not in going]
        coming = [step.new for step in steps if step.new]
        learning = replace(stored.learning, anchors=distinct_anchors([*kept, *coming]))
        if canonical(learning) != canonical(stored.learning):
            self._sync.write(learning, record=stored.record)
        self._save_states(stored, steps)
        self._journal.append(stored.node, [step.event for step in steps if step.event])
        self._journal.settle(stored.node, at=self.now())
        return Acted(learning=self.stores.learnings.by_numbers([stored.id])[0], steps=tuple(steps))

    def _save_states(self, stored: StoredLearning, steps: Sequence[Step]) -> None:
        ids = {row.anchor.key: row.id for row in self.stores.anchors.rows([stored.node])}
        states = [(ids[step.new.key], step.state) for step in steps if step.new and step.state]
        self.stores.anchors.save_states(states)


class Confirming:
    """Takes anchors anew where their code is now."""

    def __init__(self, *, writing: Writing, judging: Judging, relocating: Relocating, sources: Sources) -> None:
        self._writing = writing
        self._judging = judging
        self._relocating = relocating
        self._sources = sources

    def confirm(self, ref: str, spec: str | None = None) -> Acted:
        """Take new fingerprints of what is there, for one anchor of a learning or all; an invalidated one is valid.

        Where code went elsewhere, its anchor follows. All are confirmed or none.

        Raises:
            NotFound: There is no such learning or anchor, or the code of one is nowhere to be found.
        """
        self._sources.forget()
        with self._writing.stores.database.transaction():
            stored = self._writing.references.learning(ref)
            rows = self._writing.rows_of(stored, spec)
            judged = self._judged([row.anchor for row in rows])
            steps = [self._step(stored, row, judgement) for row, judgement in zip(rows, judged, strict=True)]
            return self._writing.write(stored, steps)

    def _judged(self, anchors: Sequence[Anchor]) -> list[Judgement]:
        """Return the verdicts on anchors, whatever people said of them before."""
        asked = [replace(anchor, pinned=False, invalidated=None) for anchor in anchors]
        return self._relocating.settle([self._judging.judge(anchor) for anchor in asked], hints={})

    def _step(self, stored: StoredLearning, row: AnchorRow, judgement: Judgement) -> Step:
        new = judgement.relocated_to or refreshed(judgement.anchor, self._sources)
        if judgement.verdict is Verdict.INVALID or new is None:
            raise _lost(stored, judgement)
        new = replace(new, pinned=row.anchor.pinned)
        event = self._writing.event(
            EventKind.CONFIRMED,
            row.anchor,
            command="graph:confirm",
            old_status=row.state.status,
            new_status="valid",
            detail=judgement.detail,
            new_place=new.spec,
            new_hash=new.fingerprints.content if new.fingerprints else None,
        )
        state = AnchorState(found_lines=judgement.lines, verified_at=event.at)
        return Step(old=row.anchor, new=new, event=event, state=state)


def _lost(stored: StoredLearning, judgement: Judgement) -> NotFound:
    spec = judgement.anchor.spec
    return NotFound(
        f"{spec} cannot be confirmed: {judgement.detail}. Nothing was changed.",
        hint=f"Tie {stored.ref} to where the code is now (tx graph:link), or let go (tx graph:unlink {stored.id} "
        f"'{spec}'). Other anchors can be confirmed by name.",
        candidates=judgement.candidates,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One event, with the uid of its learning, its commit's subject, and number and status if its record is there."""

    event: AnchorEvent
    uid: str
    number: int | None
    subject: str | None
    status: Status | None = None


class AnchorHistory:
    """Reads the log; `subjects` gives the first lines of the messages of commits, of those that git has."""

    def __init__(
        self,
        *,
        stores: Stores,
        references: References,
        anchoring: Anchoring,
        subjects: Callable[[Collection[str]], dict[str, str]],
    ) -> None:
        self._stores = stores
        self._references = references
        self._anchoring = anchoring
        self._subjects = subjects

    def of(self, place: str) -> list[Told]:
        """Return every event of a learning, a file, a directory or an anchor as it is written, oldest first.

        Raises:
            NotFound: There is no such learning; or there is nothing at the place, and never was an anchor.
            UsageError: The place is outside the repository.
        """
        if self._references.is_learning(place):
            node = self._references.learning(place).node
            return self._told([(node, event) for event in self._stores.anchor_log.of(node)])
        return self._told(self._at(place.strip().removeprefix("file:")))

    def _at(self, place: str) -> list[tuple[NodeId, AnchorEvent]]:
        request = parse_anchor(place)
        for path in self._anchoring.candidates(request.path):
            found = self._stores.anchor_log.at_path("" if path == "." else path)
            if tail := tail_of(request):
                found = [(node, event) for node, event in found if _is_at(event, f"{path}{tail}")]
            if found or self._anchoring.existing(path):
                return found
        raise NotFound(f"There is no '{place}', and nothing was ever anchored there.", candidates=self._near(place))

    def _near(self, place: str) -> list[str]:
        from difflib import get_close_matches

        specs = {row.anchor.spec for row in self._stores.anchors.rows()}
        return get_close_matches(place, sorted(specs), n=3, cutoff=0.5)

    def _told(self, events: Sequence[tuple[NodeId, AnchorEvent]]) -> list[Told]:
        subjects = self._subjects({event.commit for _, event in events if event.commit})
        nodes = {node for node, _ in events}
        uids = {node: key for node, (_, key) in self._stores.nodes.describe(nodes).items()}
        known = {stored.node: stored for stored in self._stores.learnings.by_nodes(list(nodes))}
        return [
            Told(
                event=event,
                uid=uids[node],
                number=known[node].id if node in known else None,
                subject=subjects.get(event.commit or ""),
                status=known[node].learning.status if node in known else None,
            )
            for node, event in events
        ]


def _is_at(event: AnchorEvent, spec: str) -> bool:
    """Whether an event is about an anchor written like this, or about one to a symbol inside that one."""
    places = filter(None, (event.anchor.spec, event.new_place))
    return any(place == spec or place.startswith(f"{spec}::") for place in places)


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
            lost = _life_pruned(told, present={row.anchor.key for row in rows})
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


def _life_pruned(told: dict[AnchorKey, Life], *, present: set[AnchorKey]) -> list[Anchor]:
    """Return the anchors that were pruned and have not come back."""
    return [life.pruned.anchor for key, life in told.items() if life.pruned and key not in present]


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
        due = [
            _pruning_pruned(labels[row.learning], row, since, one)
            for (row, since), one in zip(old, judged, strict=True)
        ]
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


def _pruning_pruned(label: Label, row: AnchorRow, since: str, judgement: Judgement) -> Pruned | None:
    if judgement.verdict is not Verdict.INVALID or judgement.reason is None:
        return None
    return Pruned(learning=label, row=row, since=since, reason=judgement.reason, detail=judgement.detail)
