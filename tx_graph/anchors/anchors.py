"""What one does to anchors: `workspace.anchors`, and the commands about them. They are made in `linking`."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Annotated, ClassVar

from tx_graph.anchors.judging import judge, refreshed
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.log import Acted, Life, Step, event_of, lives, lost_links, named, tell_links, write
from tx_graph.anchors.relocating import everywhere
from tx_graph.anchors.reports import outcome
from tx_graph.anchors.sources import SymbolLookup, sources
from tx_graph.anchors.store import AnchorLog, LinkLog
from tx_graph.anchors.verdict import AnchorEvent, EventKind, Judgement, LinkEvent, LinkEventKind, Verdict, whereabouts
from tx_graph.anchors.verify import Checked, Report, chosen_anchors, verify
from tx_graph.core.arguments import Arg, LearningRef, Limit, Ref, ref_of
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.kernel import Kernel, iso
from tx_graph.core.labels import checked_limit, clean_label, excerpt
from tx_graph.core.shape import Answer
from tx_graph.core.times import parse_age
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.records.anchor import Anchor, AnchorRequest, AnchorSpec, Invalidation, Reason, parse_anchor, spec_of
from tx_graph.records.anchor_store import AnchorRow, AnchorState, AnchorStore
from tx_graph.records.learning import Status, StoredLearning
from tx_graph.records.learning_store import Label, LearningStore
from tx_graph.records.references import LearningReferences

AnchorName = Annotated[
    AnchorSpec | None, Arg("ANCHOR", "One of its anchors, as shown, or a file; without it all of them.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAnchor(Answer):
    """An anchor of a learning, as its record has it, and what verification said of it when it last looked.

    `learning` is the learning's reference, `learning:12`, and `uid` its name in every clone.
    """

    learning: str
    uid: str
    anchor: Anchor
    state: AnchorState

    @property
    def ref(self) -> str:
        """The reference of the learning."""
        return self.learning

    @property
    def spec(self) -> str:
        """The anchor as one writes it."""
        return self.anchor.spec


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned(Answer):
    """An anchor that was invalid for too long: since when, as a UTC time, and why."""

    JSON: ClassVar = (
        "*row.anchor learning=learning.id uid=learning.uid learning_node=learning.uid@learning content=excerpt since~ "
        "reason detail"
    )

    learning: Label
    row: AnchorRow
    since: str
    reason: Reason
    detail: str

    @property
    def excerpt(self) -> str:
        """What the learning says, in short."""
        return excerpt(self.learning.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told(Answer):
    """One event, with the uid of its learning, its commit's subject, and number and status if its record is there."""

    event: AnchorEvent
    uid: str
    number: int | None
    subject: str | None
    status: Status | None = None

    JSON: ClassVar = (
        "at=event.at event=event.kind learning=number uid learning_node=uid@learning status anchor=event.anchor.spec "
        "anchor_node=event.anchor.reference anchor_type=event.anchor.type detected_by=event.detected_by "
        "old_status=event.old_status new_status=event.new_status drift=event.drift reason=event.reason "
        "detail=event.detail commit=event.commit commit_node=event.commit@commit commit_subject=subject "
        "old_place=event.anchor.spec new_place=event.new_place old_hash=event.anchor.fingerprints.content "
        "new_hash=event.new_hash"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldLink(Answer):
    """One event of a link, with uid and number of the learning that it leaves."""

    JSON: ClassVar = (
        "at=event.at event=event.kind learning=number uid learning_node=uid@learning "
        "target_node=event.target@learning target=event.target relation=event.relation weight=event.weight "
        "detected_by=event.detected_by"
    )

    event: LinkEvent
    uid: str
    number: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed(Answer):
    """What was confirmed of a change, and the findings that were left: their code is gone."""

    JSON: ClassVar = "confirmed left"

    confirmed: tuple[Acted, ...]
    left: tuple[Checked, ...] = ()


class Anchors:
    """What ties learnings to code, and whether it holds: `workspace.anchors`.

    Who names a learning, an anchor or a place that is not there is told so by NotFound; a place outside the repository,
    a request that contradicts itself and a reason or an age that is none are UsageErrors.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = AnchorStore(kernel.database)
        self._log = AnchorLog(kernel.database)

    def verify(
        self, *places: Ref, since: str | None = None, staged: bool = False, withheld: bool = False, fix: bool = False
    ) -> Report:
        """Return the verdict on every anchor, or on those of the learnings, files, directories and symbols named.

        `since` a revision looks only at what differs from it; `withheld` takes in superseded, retracted and removed
        learnings. With `fix`, anchors follow code that merely went elsewhere, in the records. What is `staged` is git's
        index, which is judged in place of the working tree, with the records that it has.
        """
        asked = [ref_of(one) for one in places]
        return verify(self._kernel, asked, since=since, staged=staged, every=withheld, fix=fix)

    def confirm(self, learning: Ref, anchor: AnchorSpec | None = None) -> Acted:
        """Return what became of a learning's anchors: they take the code as it is now, for it is still true.

        Where the code went elsewhere, the anchor follows it. An anchor that was invalidated is valid again. Code that
        is nowhere to be found cannot be confirmed; then nothing changes.
        """
        kernel, files = self._kernel, self._kernel.one(sources)
        files.forget()
        with kernel.database.transaction():
            stored, rows = self._rows(learning, anchor)
            # whatever people said of them before
            judged = self._judged([replace(row.anchor, pinned=False, invalidated=None) for row in rows])
            steps: list[Step] = []
            for row, judgement in zip(rows, judged, strict=True):
                new = judgement.relocated_to or refreshed(judgement.anchor, files)
                if judgement.verdict is Verdict.INVALID or new is None:
                    spec = judgement.anchor.spec
                    raise NotFound(
                        f"{spec} cannot be confirmed: {judgement.detail}. Nothing was changed.",
                        hint=f"Tie {stored.ref} to where the code is now (tx graph:link), or let go (tx graph:unlink "
                        f"{stored.id} '{spec}'). Other anchors can be confirmed by name.",
                        candidates=judgement.candidates,
                    )
                new = replace(new, pinned=row.anchor.pinned)
                turned, facts = (row.state.status, "valid"), {"detail": judgement.detail} | whereabouts(new)
                event = event_of(kernel, EventKind.CONFIRMED, row.anchor, turned, by="graph:confirm", **facts)
                state = AnchorState(found_lines=judgement.lines, verified_at=event.at)
                steps.append(Step(old=row.anchor, new=new, event=event, state=state))
            return write(kernel, stored, steps)

    def confirm_since(self, revision: str, *, agree: Callable[[Sequence[Checked]], None] | None = None) -> Reviewed:
        """Return what was confirmed of all that drifted since HEAD left the line of a revision.

        `agree` hears of it first; it raises whatever is to stop it. What is gone is left as it is.
        """
        report = verify(self._kernel, since=revision, new_only=True, base=revision, keep=False)
        found = [one for one in report.findings if not one.is_known]
        left = tuple(one for one in found if one.judgement.verdict is Verdict.INVALID)
        drifted = [one for one in found if one.judgement.verdict is not Verdict.INVALID]
        if agree and drifted:
            agree(drifted)
        with self._kernel.database.transaction():
            done = [self.confirm(one.learning.uid, one.judgement.anchor) for one in drifted]
        return Reviewed(confirmed=tuple(done), left=left)

    def pin(self, learning: LearningRef, anchor: AnchorName = None) -> Acted:
        """Exempt anchors from verification: they are taken at their word, whatever becomes of the code.

        Example:
          tx graph:pin 12 docs/history.md
        """
        return self._turn(learning, anchor, EventKind.PINNED)

    def unpin(self, learning: LearningRef, anchor: AnchorName = None) -> Acted:
        """Have pinned anchors verified again.

        Example:
          tx graph:unpin 12
        """
        return self._turn(learning, anchor, EventKind.UNPINNED)

    def invalidate(
        self,
        learning: LearningRef,
        anchor: AnchorName = None,
        *,
        reason: Annotated[str, Arg("TEXT", "Why it holds no more.")],
        commit: Annotated[str | None, Arg("REV", "The commit that made it so.")] = None,
    ) -> Acted:
        """Say that anchors hold no more, whatever the code looks like; graph:restore takes it back.

        It stands in the learning's record, so others hear of it. The learning itself stays; to take it out of answers,
        see learning:edit --status and learning:remove.

        Example:
          tx graph:invalidate 12 src/auth.py --reason "the gateway does it now"
          tx graph:invalidate 12 --reason "replaced" --commit HEAD
        """
        reason = clean_label(reason, what="reason")
        kernel = self._kernel
        blamed = None if commit is None else kernel.checkout.commit_named(commit)
        with kernel.database.transaction():
            stored, rows = self._rows(learning, anchor)
            steps: list[Step] = []
            for row in rows:
                old, dead = row.anchor, row.anchor.invalidated
                if dead and dead.reason == reason and blamed is None:
                    steps.append(Step(old=old, new=old))
                    continue
                turned, drift = (row.state.status, "invalid"), None if dead else row.state.drift
                facts = {"drift": drift, "reason": Reason.INVALIDATED, "detail": reason, "commit": blamed}
                event = event_of(kernel, EventKind.INVALIDATED, old, turned, by="graph:invalidate", **facts)
                since = Invalidation(reason=reason, at=dead.at if dead else kernel.now())
                steps.append(Step(old=old, new=replace(old, invalidated=since), event=event))
            return write(kernel, stored, steps)

    def restore(
        self,
        learning: LearningRef,
        anchor: Annotated[
            AnchorSpec | None,
            Arg("ANCHOR", "One of its anchors, as shown, a file, or a learning it was linked to; else all of them."),
        ] = None,
    ) -> Acted:
        """Take invalidations back, bring back anchors that were pruned or unlinked, and links that were removed.

        Example:
          tx graph:restore 12
          tx graph:restore 12 src/auth.py
          tx graph:restore 12 learning:7
        """
        kernel, spec, references = self._kernel, spec_of(anchor), self._kernel.one(LearningReferences)
        with kernel.database.transaction():
            stored = references.learning(learning)
            links = lost_links(kernel, stored)
            if spec is not None and references.is_learning(spec):
                other = references.learning(spec)
                if not (links := [link for link in links if link.target == other.learning.uid]):
                    raise NotFound(f"No link of learning {stored.id} to learning {other.id} was removed.")
                tell_links(kernel, stored, LinkEventKind.RESTORED, links, by="graph:restore")
                return write(kernel, stored, (), links=links)
            links = links if spec is None else []
            told = lives(self._log.of(stored.node))
            present = {row.anchor.key: row.anchor for row in self._store.rows([stored.node])}
            lost = {life.lost.anchor: life.lost for key, life in told.items() if life.lost and key not in present}
            anchors = [*(one for one in present.values() if one.invalidated), *lost]
            if not anchors and not links:
                raise NotFound(
                    f"Learning {stored.id} has no anchor that was invalidated, pruned or unlinked, and no link "
                    "that was removed: there is nothing to restore."
                )
            try:
                chosen = named(kernel, stored, spec, anchors) if anchors else []
            except NotFound:
                raise NotFound(
                    f"Nothing of learning {stored.id} at '{spec}' was invalidated, pruned or unlinked.",
                    candidates=[one.spec for one in anchors],
                ) from None
            steps: list[Step] = []
            for one in chosen:
                life, is_lost = told.get(one.key, Life()), one in lost
                state = (life.before or life.state) if one.invalidated else life.state
                turned = ("none" if is_lost else "invalid", state.status)
                why = f"it was {lost[one].kind.value}" if is_lost else ""
                facts = {"drift": state.drift, "reason": state.reason, "detail": why}
                event = event_of(kernel, EventKind.RESTORED, one, turned, by="graph:restore", **facts)
                back = replace(one, invalidated=None)
                steps.append(Step(old=None if is_lost else one, new=back, event=event, state=state))
            tell_links(kernel, stored, LinkEventKind.RESTORED, links, by="graph:restore")
            return write(kernel, stored, steps, links=links)

    def prune(
        self,
        older_than: Annotated[
            timedelta | str, Arg("AGE", "How long it has been invalid: 90d, 12h or 2w.", flag="--older-than")
        ],
        *,
        dry_run: Annotated[bool, Arg(help="Only say what would go.")] = False,
    ) -> tuple[Pruned, ...]:
        """Remove anchors that have been invalid for long from the records; the log keeps them for graph:restore.

        Pinned anchors stay, as do those that hold again. The time counts from when somebody invalidated an anchor or
        graph:verify first found it so.

        Example:
          tx graph:prune --older-than 90d --dry-run
        """
        age = parse_age(older_than) if isinstance(older_than, str) else older_than
        kernel = self._kernel
        kernel.one(sources).forget()
        if dry_run:
            return self._due(age)
        with kernel.database.transaction():
            due = self._due(age)
            steps: dict[NodeId, list[Step]] = defaultdict(list)
            for one in due:
                anchor, turned = one.row.anchor, ("invalid", "none")
                facts = {"reason": one.reason, "detail": f"invalid since {one.since}: {one.detail}"}
                event = event_of(kernel, EventKind.PRUNED, anchor, turned, by="graph:prune", **facts)
                steps[one.row.learning].append(Step(old=anchor, new=None, event=event))
            for stored in LearningStore(kernel.database).by_nodes(list(steps)):
                write(kernel, stored, steps[stored.node])
        return due

    def history(self, place: Ref | None = None) -> tuple[Told, ...]:
        """Return what happened to the anchors of a learning, in a place, to one, or to all; oldest first."""
        references, database = self._kernel.one(LearningReferences), self._kernel.database
        asked = None if place is None else ref_of(place).strip()
        if asked is None:
            events = self._log.at_path("")
        elif references.is_learning(asked):
            node = references.learning(asked).node
            events = [(node, event) for event in self._log.of(node)]
        else:
            events = self._events_at(asked.removeprefix("file:"))
        subjects = self._kernel.checkout.subjects({event.commit for _, event in events if event.commit})
        nodes = {node for node, _ in events}
        uids = {node: key for node, (_, key) in NodeStore(database).describe(nodes).items()}
        known = {stored.node: stored for stored in LearningStore(database).by_nodes(nodes)}
        return tuple(
            Told(
                event=event,
                uid=uids[node],
                number=known[node].id if node in known else None,
                subject=subjects.get(event.commit or ""),
                status=known[node].learning.status if node in known else None,
            )
            for node, event in events
        )

    def link_history(self, learning: Ref | None = None) -> tuple[ToldLink, ...]:
        """Return what happened to the links from and to a learning, or to all; oldest first."""
        database = self._kernel.database
        node = None if learning is None else self._kernel.one(LearningReferences).learning(learning).node
        events = LinkLog(database).of(node)
        uids = {node: key for node, (_, key) in NodeStore(database).describe({node for node, _ in events}).items()}
        known = {one.node: one.id for one in LearningStore(database).by_nodes(list(uids))}
        return tuple(ToldLink(event=event, uid=uids[node], number=known.get(node)) for node, event in events)

    def create_anchor(self, learning: Ref, anchor: str | AnchorRequest) -> FileAnchor:
        """Return the anchor by which a learning is tied to code now; to the same place again it is taken anew.

        Examples:
            >>> stored = workspace.learnings.add("Tokens are secret").stored
            >>> anchor = workspace.anchors.create_anchor(stored, "src/tokens.py::verify")
            >>> workspace.anchors.verify_anchor(anchor).judgement.verdict.value
            'valid'
        """
        tied = self._kernel.one(Linking).link(learning, anchor)
        found = self._at(tied.learning.ref, withheld=True)
        return next(one for one in found if one.anchor.key == tied.anchor.key)

    def verify_anchor(self, anchor: FileAnchor) -> Checked:
        """Return the verdict on one anchor now; its `judgement` says whether it holds, and why not."""
        report = self.verify(anchor.uid, withheld=True)
        for checked in report.checked:
            if checked.judgement.anchor.key == anchor.anchor.key:
                return checked
        raise NotFound(
            f"{anchor.learning} is not anchored to '{anchor.spec}' any more.",
            candidates=[checked.judgement.anchor.spec for checked in report.checked],
        )

    def find_anchors_for_file(self, path: str) -> tuple[FileAnchor, ...]:
        """Return the anchors of learnings in a file, to its symbols and by globs that match it, by learning.

        What they hold is as verification last found it; nothing is judged now.
        """
        return self._at(f"file:{path.removeprefix('file:')}")

    def _at(self, place: str, *, withheld: bool = False) -> tuple[FileAnchor, ...]:
        chosen = chosen_anchors(self._kernel, [place], every=withheld)
        return tuple(
            FileAnchor(learning=one.ref, uid=one.uid, anchor=row.anchor, state=row.state) for one, row in chosen
        )

    def _rows(self, learning: Ref, anchor: AnchorSpec | None) -> tuple[StoredLearning, list[AnchorRow]]:
        """Return a learning, and those of its anchors that are named."""
        stored = self._kernel.one(LearningReferences).learning(learning)
        rows = self._store.rows([stored.node])
        if not rows:
            raise NotFound(f"Learning {stored.id} has no anchors.", hint="Tie it to code first: tx graph:link.")
        chosen = named(self._kernel, stored, spec_of(anchor), [row.anchor for row in rows])
        return stored, [row for row in rows if row.anchor in chosen]

    def _judged(self, anchors: Sequence[Anchor]) -> list[Judgement]:
        return self._kernel.one(everywhere).settle([judge(self._kernel, one) for one in anchors], hints={})

    def _turn(self, learning: Ref, anchor: AnchorSpec | None, kind: EventKind) -> Acted:
        """Turn pins; what verification said before counts no more: a pinned anchor is taken at its word."""
        pinned, steps = kind is EventKind.PINNED, list[Step]()
        with self._kernel.database.transaction():
            stored, rows = self._rows(learning, anchor)
            for row in rows:
                old, event = row.anchor, None
                if old.pinned != pinned:
                    turned = (row.state.status, "invalid" if old.invalidated else "valid")
                    event = event_of(self._kernel, kind, old, turned, by="graph:pin" if pinned else "graph:unpin")
                steps.append(Step(old=old, new=replace(old, pinned=pinned), event=event))
            return write(self._kernel, stored, steps)

    def _due(self, age: timedelta) -> tuple[Pruned, ...]:
        """Return what has been invalid for so long, the learnings that no answer shows too."""
        latest = iso(self._kernel.clock.now() - age)
        labels = {one.node: one for one in LearningStore(self._kernel.database).labelled(withheld=True)}
        rows = [row for row in self._store.rows() if row.state.status == "invalid" and not row.anchor.pinned]
        told = {node: lives(self._log.of(node)) for node in {row.learning for row in rows}}
        old: list[tuple[AnchorRow, str]] = []
        for row in rows:
            life, dead = told[row.learning].get(row.anchor.key, Life()), row.anchor.invalidated
            # where nobody knows since when it is invalid, since the last look
            since = dead.at if dead else life.since or row.state.verified_at or ""
            if since <= latest:
                old.append((row, since))
        judged = self._judged([row.anchor for row, _ in old])
        due = [
            Pruned(learning=labels[row.learning], row=row, since=since, reason=one.reason, detail=one.detail)
            for (row, since), one in zip(old, judged, strict=True)
            if one.verdict is Verdict.INVALID and one.reason
        ]
        return tuple(sorted(due, key=lambda one: (one.learning.id, one.row.anchor.spec)))

    def _events_at(self, place: str) -> list[tuple[NodeId, AnchorEvent]]:
        tree = self._kernel.checkout.tree
        request = parse_anchor(self._kernel.one(SymbolLookup).spelled_out(parse_anchor(place).spec))
        for path in tree.candidates(request.path):
            found = self._log.at_path("" if path == "." else path)
            if spec := request.tail and f"{path}{request.tail}":  # an anchor written so, or to a symbol inside that one
                found = [
                    (node, event)
                    for node, event in found
                    if any(f"{at}::".startswith(f"{spec}::") for at in (event.anchor.spec, event.new_place) if at)
                ]
            if found or tree.existing(path):
                return found
        from difflib import get_close_matches

        specs = sorted({row.anchor.spec for row in self._store.rows()})
        near = get_close_matches(place, specs, n=3, cutoff=0.5)
        raise NotFound(f"There is no '{place}', and nothing was ever anchored there.", candidates=near)


def confirm(
    kernel: Kernel,
    learning: Annotated[Ref | None, Arg("LEARNING", "Which learning.")] = None,
    anchor: AnchorName = None,
    *,
    since: Annotated[str | None, Arg("REV", "All that drifted since HEAD and REV parted; asks first.")] = None,
    yes: Annotated[bool, Arg(help="Do not ask.")] = False,
    tell: Callable[[str], None],
    agree: Callable[[str], bool],
) -> Acted | Reviewed:
    """Say that you looked and a learning is still true: its anchors take the code as it is now.

    Where the code went elsewhere, the anchor follows it. An anchor that was invalidated is valid again. Code that
    is nowhere to be found cannot be confirmed; then nothing changes. With --since it is all that this change made
    drift, once you have reviewed it; what had drifted before, and what is gone, is left as it is.

    Example:
      tx graph:confirm 12
      tx graph:confirm 12 src/auth.py::verify_token
      tx graph:confirm --since origin/main
    """
    anchors = kernel.one(Anchors)
    if since is None:
        if learning is None:
            raise UsageError("Nothing is named to confirm.", hint="Name a learning, or what was reviewed: --since REV.")
        return anchors.confirm(learning, anchor)
    if learning is not None:
        raise UsageError("--since confirms what drifted, whatever learning it is of.", hint="Leave the learning out.")

    def ask(drifted: Sequence[Checked]) -> None:
        for one in drifted:
            tell(f"{one.learning.uid}  {outcome(one.judgement)}  {one.judgement.anchor.spec}: {one.headline}")
        count = "1 anchor" if len(drifted) == 1 else f"{len(drifted):,} anchors"
        if not yes and not agree(f"Confirm {count}?"):
            raise UsageError(f"{count} would be confirmed.", hint="Agree with --yes.")

    return anchors.confirm_since(since, agree=ask)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The last events of `total`, of anchors and of links, oldest first."""

    events: tuple[Told | ToldLink, ...]
    total: int


def history(
    kernel: Kernel,
    place: Annotated[
        Ref | None, Arg("REF|PATH", "A learning, a file, a directory, or an anchor as shown; else everywhere.")
    ] = None,
    *,
    limit: Limit = 50,
) -> History:
    """Show what happened to anchors and links: each change of state, who or what found it, and where the code went.

    Oldest first; the newest are kept when there are more than -n. Anchors that are gone are told of too. The log is
    local: it holds what this clone has seen.

    Example:
      tx graph:history
      tx graph:history 12
      tx graph:history src/auth.py::verify_token --json
    """
    limit = checked_limit(limit)
    anchors, is_wide = kernel.one(Anchors), place is None or kernel.one(LearningReferences).is_learning(ref_of(place))
    parts: list[Sequence[Told | ToldLink]] = [anchors.history(place), anchors.link_history(place) if is_wide else ()]
    told = tuple(heapq.merge(*parts, key=lambda one: one.event.at))
    return History(events=told[-limit:], total=len(told))
