"""graph:verify: checks anchors, keeps what it found, and mends records where that is certain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from tx_graph.domain.anchor import Anchor, distinct_anchors
from tx_graph.domain.anchor_event import AnchorEvent, EventKind
from tx_graph.domain.edges import NodeId
from tx_graph.domain.learning import Learning
from tx_graph.domain.verdict import Judgement, Reason, Verdict
from tx_graph.errors import StorageError
from tx_graph.ports import Clock
from tx_graph.services.anchoring.checking import Checking
from tx_graph.services.anchoring.evidence import Evidence
from tx_graph.services.anchoring.journal import Journal
from tx_graph.services.anchoring.refreshing import refreshed
from tx_graph.services.anchoring.sources import Sources
from tx_graph.services.record_sync import RecordSync
from tx_graph.services.stamps import iso
from tx_graph.services.verification.choosing import Choosing, Chosen
from tx_graph.services.verification.chronicle import event_of
from tx_graph.services.verification.proving import NO_PROOF, Proof, proof_of
from tx_graph.services.verification.values import Checked, Report, Scope, distinct
from tx_graph.storage.anchors import AnchorRow, AnchorState
from tx_graph.storage.stores import Stores

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
