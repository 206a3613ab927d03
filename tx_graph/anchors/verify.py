"""The verification room: which anchors to check, what became of each, and writing down what that means."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from operator import attrgetter

from tx_graph.anchors.evidence import Change, Evidence, Held
from tx_graph.anchors.judging import refreshed
from tx_graph.anchors.log import Journal
from tx_graph.anchors.relocating import Checking
from tx_graph.anchors.sources import Sources
from tx_graph.anchors.store import AnchorRow, AnchorState, AnchorStore
from tx_graph.anchors.taking import Anchoring
from tx_graph.anchors.verdict import AnchorEvent, Drift, EventKind, Judgement, Reason, Verdict
from tx_graph.core.errors import NotFound, StorageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.ports import Clock
from tx_graph.core.stores import Stores
from tx_graph.core.working_tree import iso
from tx_graph.graph.edges import NodeId
from tx_graph.graph.resolving import References
from tx_graph.records.anchor import Anchor, AnchorType, distinct_anchors, parse_anchor
from tx_graph.records.learning import Learning
from tx_graph.records.learning_store import Label, LearningStore
from tx_graph.records.sync import RecordSync


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which anchors to check: all of the learnings that answers show, unless something is named.

    `places` are learnings, files, directories and symbols as one types them; `since` a revision, so that only what
    differs from it is checked; `withheld` takes in superseded, retracted and removed learnings.
    """

    places: Sequence[str] = ()
    since: str | None = None
    withheld: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One anchor with its verdict.

    For a finding, `change` is the commit that changed the code, if history knows, and `difference` lines of a unified
    diff from what was anchored to what is there, as far as both are known. `mended` says that the record was updated.
    """

    learning: Label
    judgement: Judgement
    change: Change | None = None
    difference: tuple[str, ...] = ()
    mended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a verification found, by learning and anchor.

    `unread` counts the records that are damaged: nobody knows what they are anchored to. `notices` are sentences about
    what limited it.
    """

    checked: tuple[Checked, ...]
    unread: int = 0
    notices: tuple[str, ...] = ()

    @property
    def findings(self) -> list[Checked]:
        """What somebody has to look at."""
        return [one for one in self.checked if one.judgement.is_finding]

    def summary(self) -> dict[str, int]:
        """Return how many anchors there are of each outcome; every anchor counts once.

        What drifted in format or comments alone stands apart from `drifted`, for it is no finding.
        """
        counts = Counter(map(_outcome, (one.judgement for one in self.checked)))
        return {name: counts[name] for name in _OUTCOMES}


_OUTCOMES = (*(verdict.value for verdict in Verdict), Drift.FORMAT.value, Drift.COMMENT.value)


def _outcome(judgement: Judgement) -> str:
    if judgement.verdict is Verdict.DRIFTED and not judgement.is_finding and judgement.drift:
        return judgement.drift.value
    return judgement.verdict.value


def distinct(sentences: Iterable[str]) -> tuple[str, ...]:
    """Return sentences once each, in order, without empty ones."""
    return tuple(dict.fromkeys(filter(None, sentences)))


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


Chosen = list[tuple[Label, AnchorRow]]


class Choosing:
    """Finds what a scope names.

    `changed_since` gives the paths that differ from a revision, `records_changed_since` the names of such records.
    """

    def __init__(
        self,
        *,
        learnings: LearningStore,
        anchors: AnchorStore,
        references: References,
        anchoring: Anchoring,
        changed_since: Callable[[str], Collection[str]],
        records_changed_since: Callable[[str], Collection[str]],
    ) -> None:
        self._learnings = learnings
        self._anchors = anchors
        self._references = references
        self._anchoring = anchoring
        self._changed_since = changed_since
        self._records_changed_since = records_changed_since

    def chosen(self, scope: Scope) -> Chosen:
        """Return the anchors in a scope with their learnings, by learning and anchor.

        Raises:
            NotFound: A learning, place or revision is unknown.
            RepositoryError: There is no git to ask what changed.
        """
        if not scope.places:
            return self._narrowed(_in_order(self._named(self._anchors.rows(), scope)), scope)
        found: dict[int, tuple[Label, AnchorRow]] = {}
        for place in scope.places:
            found |= {row.id: (label, row) for label, row in self._at(place, scope)}
        return self._narrowed(_in_order(found.values()), scope)

    def _named(self, rows: Sequence[AnchorRow], scope: Scope) -> Chosen:
        """Return those of the anchors whose learnings the scope may show, with these."""
        nodes = {row.learning for row in rows}
        labels = {label.node: label for label in self._learnings.labelled(nodes, withheld=scope.withheld)}
        return [(labels[row.learning], row) for row in rows if row.learning in labels]

    def _at(self, place: str, scope: Scope) -> Chosen:
        """Return the anchors of a learning, or those in a file or directory, or at a symbol, also one that is gone."""
        if self._references.is_learning(place):
            stored = self._references.learning(place)
            learning = stored.learning
            label = Label(
                node=stored.node,
                id=stored.id,
                uid=learning.uid,
                content=learning.content,
                record=stored.record,
                status=learning.status,
            )
            return [(label, row) for row in self._anchors.rows([stored.node])]
        typed = place.strip().removeprefix("file:")
        path = parse_anchor(typed).path
        paths = self._anchoring.candidates(path)
        wanted = [f"{candidate}{typed[len(path) :]}" for candidate in paths]
        rows = self._anchors.rows() if "." in paths else self._anchors.rows_in([one.rstrip("/") for one in paths])
        here = self._named([row for row in rows if self._is_at(row.anchor, wanted)], scope)
        if not here and not any(self._anchoring.existing(spec.partition("::")[0]) for spec in wanted):
            anchored = sorted({row.anchor.path for _, row in self._named(self._anchors.rows(), scope)})
            raise NotFound(f"There is no '{place}', and nothing is anchored there.", candidates=_near(place, anchored))
        return here

    def _is_at(self, anchor: Anchor, wanted: Sequence[str]) -> bool:
        return any(_lies_in(anchor, spec) for spec in wanted) or (
            anchor.type is AnchorType.GLOB and self._anchoring.matches_any(anchor.path, wanted)
        )

    def _narrowed(self, chosen: Chosen, scope: Scope) -> Chosen:
        if scope.since is None:
            return chosen
        changed = PathMatcher(self._changed_since(scope.since))
        records = frozenset(self._records_changed_since(scope.since))
        return [(label, row) for label, row in chosen if label.record in records or _is_touched(row.anchor, changed)]


def _in_order(chosen: Iterable[tuple[Label, AnchorRow]]) -> Chosen:
    return sorted(chosen, key=lambda one: (one[0].id, one[1].anchor.spec, one[1].anchor.type))


def _is_touched(anchor: Anchor, changed: PathMatcher) -> bool:
    return anchor.path in changed or (anchor.type is AnchorType.GLOB and bool(changed.matching(anchor.path)))


def _lies_in(anchor: Anchor, spec: str) -> bool:
    directory = "" if spec == "." else f"{spec.rstrip('/')}/"
    if spec in (anchor.spec, anchor.path):
        return True
    return anchor.path.startswith(directory) or anchor.spec.startswith(f"{spec}::")


def _near(place: str, paths: Sequence[str]) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(place, paths, n=3, cutoff=0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAnchor:
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


class AnchorFinding:
    """Looks anchors up; `chosen` gives those in a scope."""

    def __init__(self, *, chosen: Callable[[Scope], Chosen]) -> None:
        self._chosen = chosen

    def at(self, places: Sequence[str], *, withheld: bool = False) -> list[FileAnchor]:
        """Return the anchors of learnings, or in files, directories or at symbols, by learning and place.

        Raises:
            NotFound: There is nothing at a place, and nothing is anchored there; or there is no such learning.
            UsageError: A place is outside the repository.
        """
        return [
            FileAnchor(learning=label.ref, uid=label.uid, anchor=row.anchor, state=row.state)
            for label, row in self._chosen(Scope(places=places, withheld=withheld))
        ]


_CONTEXT = 1
"""Unchanged lines shown around a change."""

Proof = tuple[Change | None, tuple[str, ...]]
"""The commit that changed anchored code, if known, and lines of a unified diff."""

NO_PROOF: Proof = (None, ())


def proof_of(judgement: Judgement, *, sources: Sources, evidence: Evidence | None) -> Proof:
    """Return what is known of how a finding came about."""
    anchor = judgement.anchor
    held = evidence.last_held(anchor) if evidence and anchor.fingerprints else None
    old = _old_lines(anchor, held)
    if old is None:
        return (held.change if held else None, ())
    return (held.change if held else None, _difference(old, _new_lines(judgement, sources)))


def _old_lines(anchor: Anchor, held: Held | None) -> list[str] | None:
    if anchor.text is not None:
        return anchor.text.split("\n")
    if held is None:
        return None
    first, last = held.lines
    return held.source.lines[first - 1 : last]


def _new_lines(judgement: Judgement, sources: Sources) -> list[str]:
    there = judgement.relocated_to or judgement.anchor
    source = sources.get(there.path)
    if source is None or judgement.drift is None:
        return []
    first, last = judgement.lines or (1, len(source.lines))
    return source.lines[first - 1 : last]


def _difference(old: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    """Return the changed lines with their signs, and `@@` between places that lie apart; none of what is no text."""
    lines = list(unified_diff(list(old), list(new), n=_CONTEXT, lineterm=""))[3:]
    if any("\0" in line for line in lines):
        return ()
    return tuple("@@" if line.startswith("@@") else line for line in lines)


COMMAND = "graph:verify"
_SELF_EVIDENT = (Reason.OUTSIDE_REPOSITORY, Reason.INVALIDATED)
"""What history has nothing to say about."""


class Verification:
    """Verifies anchors against the working tree.

    `evidence` is None where there is no history to ask. What was found is kept unless the database is read-only.
    """

    def __init__(
        self,
        *,
        stores: Stores,
        choosing: Choosing,
        checking: Checking,
        sources: Sources,
        evidence: Evidence | None,
        sync: RecordSync[Learning],
        clock: Clock,
        caveats: Sequence[str] = (),
    ) -> None:
        self._stores = stores
        self._journal = Journal(stores)
        self._choosing = choosing
        self._checking = checking
        self._sources = sources
        self._evidence = evidence
        self._sync = sync
        self._clock = clock
        self._caveats = caveats

    def run(self, scope: Scope, *, fix: bool = False, keep: bool = True) -> Report:
        """Return the verdict on every anchor in the scope.

        With `fix`, anchors whose code went elsewhere follow it, and those that drifted in format or comments alone
        take new fingerprints, in the records. Without `keep` nothing is noted of what was found.

        Raises:
            NotFound: The scope names something unknown.
            RepositoryError: Git fails, or there is none and the scope needs it.
            StorageError: There is something to mend, and the records cannot be written.
        """
        self._sources.forget()
        chosen = self._choosing.chosen(scope)
        judgements = self._checking.check([row for _, row in chosen])
        proofs = self._proofs(judgements)
        if keep and not self._stores.database.read_only:
            self._keep(chosen, judgements, proofs)
        mended = self._mend(chosen, judgements) if fix else set()
        checked = tuple(
            Checked(learning=label, judgement=judgement, change=proof[0], difference=proof[1], mended=row.id in mended)
            for (label, row), judgement, proof in zip(chosen, judgements, proofs, strict=True)
        )
        unread = len(self._sync.problems())
        notices = distinct((*self._caveats, _unread_words(unread), self._ignorance(checked)))
        return Report(checked=checked, unread=unread, notices=notices)

    def _ignorance(self, checked: Sequence[Checked]) -> str:
        """Return why the commit behind a finding is not known, empty where it is or history ends nowhere early."""
        is_unexplained = any(one.judgement.is_finding and one.change is None for one in checked)
        return self._evidence.caveat if self._evidence and is_unexplained else ""

    def _proofs(self, judgements: Sequence[Judgement]) -> list[Proof]:
        found = [one for one in judgements if one.is_finding and one.reason not in _SELF_EVIDENT]
        if self._evidence:
            self._evidence.prepare([one.anchor.path for one in found if one.anchor.fingerprints])
        proofs = {one.anchor: proof_of(one, sources=self._sources, evidence=self._evidence) for one in found}
        return [proofs.get(one.anchor, NO_PROOF) for one in judgements]

    def _keep(self, chosen: Chosen, judgements: Sequence[Judgement], proofs: Sequence[Proof]) -> None:
        now = iso(self._clock.now())
        states = [
            (row, self._checking.state(row, judgement, now=now))
            for (_, row), judgement in zip(chosen, judgements, strict=True)
        ]
        events = [
            (row, event_of(row.state, judgement, state, at=now, by=COMMAND, commit=_commit(proof)))
            for (row, state), judgement, proof in zip(states, judgements, proofs, strict=True)
        ]
        explained = self._explained(
            [(row, proof) for (row, event), proof in zip(events, proofs, strict=True) if not event]
        )
        changed = [(row.id, state) for row, state in states if _is_news(row.state, state)]
        if not changed and not explained and not self._checking.has_news():
            return
        with self._stores.database.transaction():
            self._stores.anchors.save_states(changed)
            self._stores.anchored_files.save(self._checking.seen())
            self._log([(row, event) for row, event in events if event])
            for row, commit in explained:
                self._journal.explain(row.learning, row.anchor, commit, at=now)

    def _explained(self, known: Sequence[tuple[AnchorRow, Proof]]) -> list[tuple[AnchorRow, str]]:
        """Return the findings of before whose commits the log does not name yet, as when they were made since."""
        proven = [(row, commit) for row, proof in known if (commit := _commit(proof))]
        told = {learning: self._journal.told_of(learning) for learning in {row.learning for row, _ in proven}}
        return [(row, commit) for row, commit in proven if told[row.learning].get(row.anchor.key) != commit]

    def _log(self, events: Sequence[tuple[AnchorRow, AnchorEvent]]) -> None:
        by_learning: dict[NodeId, list[AnchorEvent]] = defaultdict(list)
        for row, event in events:
            by_learning[row.learning].append(event)
        for learning, told in by_learning.items():
            self._journal.append(learning, told)

    def _mend(self, chosen: Chosen, judgements: Sequence[Judgement]) -> set[int]:
        """Write the anchors of each learning as they should be now; return the ids of those that changed."""
        new: dict[NodeId, dict[Anchor, Anchor]] = defaultdict(dict)
        mended: set[int] = set()
        for (_, row), judgement in zip(chosen, judgements, strict=True):
            if (there := self._mending(judgement)) is not None:
                new[row.learning][row.anchor] = there
                mended.add(row.id)
        if new and self._stores.database.read_only:
            raise StorageError(
                "The records cannot be written here, so nothing was mended.",
                hint="Run it where they can be, or leave --fix out.",
            )
        with self._stores.database.transaction():
            for node, anchors in new.items():
                self._rewrite(node, anchors)
        return mended

    def _mending(self, judgement: Judgement) -> Anchor | None:
        """Return the anchor as it should be; None where it is right, or where only people can tell."""
        if judgement.verdict is Verdict.RELOCATED:
            return judgement.relocated_to
        if judgement.verdict is Verdict.DRIFTED and not judgement.is_finding:
            return refreshed(judgement.anchor, self._sources)
        return None

    def _rewrite(self, node: NodeId, anchors: dict[Anchor, Anchor]) -> None:
        (stored,) = self._stores.learnings.by_nodes([node])
        now = iso(self._clock.now())
        kept = distinct_anchors(anchors.get(anchor, anchor) for anchor in stored.learning.anchors)
        self._sync.write(replace(stored.learning, anchors=kept), record=stored.record)
        self._journal.append(node, [_refreshed_event(old, there, at=now) for old, there in anchors.items()])


_told = attrgetter("status", "drift", "reason", "found_at", "found_lines", "verified_hash")
"""What a state says, but for when somebody looked."""


def _commit(proof: Proof) -> str | None:
    return proof[0].commit if proof[0] else None


def _unread_words(count: int) -> str:
    if not count:
        return ""
    records, they = ("A record", "it is") if count == 1 else (f"{count:,} records", "they are")
    return f"{records} cannot be read, so what {they} anchored to was not verified; 'tx doctor' says why."


def _is_news(before: AnchorState, after: AnchorState) -> bool:
    return before.verified_at is None or _told(before) != _told(after)


def _refreshed_event(old: Anchor, there: Anchor, *, at: str) -> AnchorEvent:
    return AnchorEvent(
        at=at,
        kind=EventKind.REFRESHED,
        anchor=old,
        detected_by=f"{COMMAND} --fix",
        old_status="valid",
        new_status="valid",
        new_place=there.spec,
        new_hash=there.fingerprints.content if there.fingerprints else None,
    )
