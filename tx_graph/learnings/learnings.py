"""Use cases about single learnings: add, show, list, edit, remove, and saying that one helped."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.taking import Anchoring
from tx_graph.anchors.verdict import Judgement, Standing, standing
from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError, TxError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit, clean_label, fresh_uid
from tx_graph.core.ports import Clock
from tx_graph.core.working_tree import iso
from tx_graph.graph.edges import NodeId
from tx_graph.graph.resolving import References
from tx_graph.records.anchor import Anchor, AnchorRequest, distinct_anchors
from tx_graph.records.learning import Learning, Link, SourceType, Status, StoredLearning, unit_interval
from tx_graph.records.learning_record import canonical, record_content
from tx_graph.records.learning_store import LearningFilter, LearningStore
from tx_graph.records.sync import RecordSync
from tx_graph.vectors.embedding import Embedding
from tx_graph.work.references import WorkReferences


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A learning somebody wants to add; nothing is checked yet. A link's target is still a reference.

    `derived_from` is the node of the task, run or commit where it was learned.
    """

    content: str
    category: str | None = None
    keywords: Sequence[str] = ()
    status: Status = Status.ACTIVE
    confidence: float = 1.0
    source_type: SourceType = SourceType.MANUAL
    source_ref: str | None = None
    anchors: Sequence[AnchorRequest] = ()
    links: Sequence[Link] = ()
    derived_from: NodeId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What an edit changes; None leaves a field as it is, an empty category clears it.

    `expected` is the content that the new one was made from: when it is another one by now, the edit is refused.
    """

    content: str | None = None
    category: str | None = None
    add_keywords: Sequence[str] = ()
    remove_keywords: Sequence[str] = ()
    status: Status | None = None
    confidence: float | None = None
    expected: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What adding did: the learning, whether it was known or came back from removal, and why it has no vector."""

    stored: StoredLearning
    existed: bool = False
    revived: bool = False
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A learning with the verdict on each of its anchors."""

    stored: StoredLearning
    standing: Standing
    anchors: tuple[Judgement, ...]


class Learnings:
    """Everything one does to learnings one at a time."""

    def __init__(
        self,
        *,
        database: Database,
        store: LearningStore,
        sync: RecordSync[Learning],
        references: References,
        anchoring: Anchoring,
        standings: Standings,
        embedding: Embedding,
        clock: Clock,
        randomness: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._database = database
        self._store = store
        self._sync = sync
        self._references = references
        self._anchoring = anchoring
        self._standings = standings
        self._embedding = embedding
        self._clock = clock
        self._randomness = randomness

    def add(self, draft: Draft) -> Added:
        """Add a learning. The same content again is recognised, and revives the learning if it was removed.

        Raises:
            UsageError: A field is empty, too long or out of range.
            NotFound: An anchor or a link names nothing.
            StorageError: The record or the database cannot be written.
        """
        learning = self.prepared(draft)
        with self._database.transaction():
            same = self.same_content(learning.content)
            added = self._again(same, learning) if same else Added(stored=self._numbered(self._sync.write(learning)))
            if draft.derived_from is not None:
                self._store.derive(added.stored.node, draft.derived_from, at=learning.created_at)
        return added if same else replace(added, warning=self._embedded(added.stored.id, learning.content))

    def prepared(self, draft: Draft) -> Learning:
        """Return the learning that a draft asks for, checked, with a new uid; nothing is written."""
        return Learning(
            uid=fresh_uid(self._randomness, is_taken=self._store.by_uid_prefix),
            content=record_content(draft.content),
            created_at=iso(self._clock.now()),
            category=clean_label(draft.category, what="category") if draft.category is not None else None,
            keywords=cleaned_keywords(draft.keywords),
            status=draft.status,
            confidence=unit_interval(draft.confidence, what="confidence"),
            source_type=draft.source_type,
            source_ref=clean_label(draft.source_ref, what="source reference") if draft.source_ref is not None else None,
            anchors=distinct_anchors(self._anchoring.take(request) for request in draft.anchors),
            links=tuple(
                replace(link, target=self._references.learning(link.target).learning.uid) for link in draft.links
            ),
        )

    def same_content(self, content: str) -> StoredLearning | None:
        """Return the learning with exactly this content, one that was not removed first."""
        found = sorted(self._store.by_content(content), key=lambda stored: stored.learning.removed_at is not None)
        return found[0] if found else None

    def _again(self, same: StoredLearning, learning: Learning) -> Added:
        """Let the one that exists keep its fields, and gain the anchors, links and keywords asked for now."""
        revived = same.learning.removed_at is not None
        stored = self._rewritten(same, replace(merged(same.learning, learning), removed_at=None, removal_reason=None))
        return Added(stored=stored, existed=not revived, revived=revived)

    def show(self, ref: str) -> Shown:
        """Return a learning with the verdicts on its anchors.

        Raises:
            NotFound: There is no such learning.
        """
        stored = self._references.learning(ref)
        anchors = self._standings.now().judgements([stored.node])[stored.node]
        return Shown(stored=stored, standing=standing(anchors), anchors=anchors)

    def listed(self, criteria: LearningFilter, *, limit: int) -> list[StoredLearning]:
        """Return the newest learnings that meet all criteria.

        Raises:
            UsageError: The limit is not from 1 to 10,000.
        """
        return self._store.listed(criteria, limit=checked_limit(limit))

    def standings(self, many: Collection[StoredLearning]) -> dict[int, Standing]:
        """Return what is said of the code of these learnings now, by local number."""
        found = self._standings.now().standings([stored.node for stored in many])
        return {stored.id: found[stored.node] for stored in many}

    def everything(self, criteria: LearningFilter) -> list[StoredLearning]:
        """Return every learning that meets all criteria, newest first."""
        return self._store.listed(criteria, limit=-1)

    def recent(self, *, limit: int) -> list[StoredLearning]:
        """Return the learnings used last, newest use first; without any use, the newest learnings."""
        limit = checked_limit(limit)
        return self._store.recently_used(limit=limit) or self._store.listed(LearningFilter(confirmed=True), limit=limit)

    def edit(self, ref: str, changes: Changes) -> StoredLearning:
        """Change a learning; anchors and links have commands of their own.

        Raises:
            NotFound: There is no such learning.
            UsageError: A new value is empty, too long or out of range, or a staged learning would become active.
            StorageError: The content is not the expected one, or the record or the database cannot be written.
        """
        with self._database.transaction():
            before = self._references.learning(ref)
            _check_expected(before, changes)
            _check_gate(before, changes)
            stored = self._rewritten(before, _changed(before.learning, changes))
        if stored.learning.content != before.learning.content:
            self._embedded(stored.id, stored.learning.content)
        return stored

    def remove(self, ref: str) -> StoredLearning:
        """Hide a learning from every answer; its record stays, and `restore` brings it back."""
        with self._database.transaction():
            stored = self._references.learning(ref)
            now = iso(self._clock.now())
            return self._rewritten(stored, replace(stored.learning, removed_at=stored.learning.removed_at or now))

    def restore(self, ref: str) -> StoredLearning:
        """Bring a removed learning back."""
        with self._database.transaction():
            stored = self._references.learning(ref)
            return self._rewritten(stored, replace(stored.learning, removed_at=None, removal_reason=None))

    def helpful(self, ref: str, *, score: float) -> StoredLearning:
        """Count one use of a learning and how much it helped, from 0 to 1; local, not part of the record.

        Raises:
            NotFound: There is no such learning.
            UsageError: The score is out of range.
        """
        score = unit_interval(score, what="score")
        with self._database.transaction():
            stored = self._references.learning(ref)
            now = iso(self._clock.now())
            self._store.count_use(stored.id, helpful=score, now=now)
        return self._numbered(stored.id)

    def _embedded(self, number: int, content: str) -> str:
        """Give a learning its vector where there is a model; return why that failed, if it did."""
        try:
            self._embedding.embed_new(number, content)
        except TxError as error:  # the learning is saved: whatever fails now is no failure to add it
            return f"It has no vector yet: {error.message} {error.hint}".rstrip()
        return ""

    def _rewritten(self, stored: StoredLearning, learning: Learning) -> StoredLearning:
        if canonical(learning) != canonical(stored.learning):
            self._sync.write(learning, record=stored.record)
        return self._numbered(stored.id)

    def _numbered(self, number: int) -> StoredLearning:
        return self._store.by_numbers([number])[0]


def _check_expected(before: StoredLearning, changes: Changes) -> None:
    if changes.expected is not None and changes.expected != before.learning.content:
        raise StorageError(f"The text of {before.ref} was changed by somebody else meanwhile; nothing was written.")


def _check_gate(before: StoredLearning, changes: Changes) -> None:
    """Refuse to make a staged learning active: that takes evidence, or somebody who says that it needs none."""
    if before.learning.status is Status.STAGED and changes.status is Status.ACTIVE:
        raise UsageError(
            f"{before.ref} is staged: nobody has confirmed it.",
            hint=f"Confirm it: tx learning:promote {before.id}, with --force whatever it lacks.",
        )


def _changed(learning: Learning, changes: Changes) -> Learning:
    fields: dict[str, object] = {}
    if changes.content is not None:
        fields["content"] = record_content(changes.content)
    if changes.category is not None:
        fields["category"] = clean_label(changes.category, what="category") if changes.category.strip() else None
    if changes.status is not None:
        fields["status"] = changes.status
        if changes.status is not Status.SUPERSEDED:
            fields["superseded_by"] = None
    if changes.confidence is not None:
        fields["confidence"] = unit_interval(changes.confidence, what="confidence")
    dropped = {word.strip() for word in changes.remove_keywords}
    kept = [word for word in learning.keywords if word not in dropped]
    return replace(learning, keywords=cleaned_keywords([*kept, *changes.add_keywords]), **fields)  # type: ignore[arg-type]


def cleaned_keywords(words: Sequence[str]) -> tuple[str, ...]:
    """Return the keywords without repetitions, in their order; one text may hold several, separated by commas."""
    parts = [part for word in words for part in (word.split(",") if "," in word else [word])]
    return tuple(dict.fromkeys(clean_label(part, what="keyword") for part in parts))


def merged(old: Learning, new: Learning, *, carried: Collection[Anchor] = ()) -> Learning:
    """Return `old` with the keywords, anchors and links of `new` that it lacks; whatever else it has, it keeps.

    One that was only staged takes the status of `new`: somebody says it now.
    For a place that both are tied to, the anchor of `new` has the newer fingerprint, unless it is among those that
    were `carried` here from elsewhere: what was true there says less than what is known here.
    """
    taken = [anchor for anchor in new.anchors if anchor not in carried]
    return canonical(
        replace(
            old,
            status=new.status if old.status is Status.STAGED else old.status,
            keywords=tuple(dict.fromkeys([*old.keywords, *new.keywords])),
            anchors=(*carried, *old.anchors, *taken),
            links=(*new.links, *old.links),
        )
    )


TOLD_TWICE = "--task and --run say where it came from; leave out --source-type and --source-ref."


class Origins:
    """Writes tasks and runs into drafts."""

    def __init__(self, kernel: Kernel) -> None:
        self._work = kernel.one(WorkReferences)

    def draft(self, draft: Draft, *, task: str | None = None, run: str | None = None) -> Draft:
        """Return the draft as one from a task or a run, if one is named; the record keeps the tracker's name.

        Raises:
            NotFound: There is no such task or run.
            UsageError: Both are named, or the draft says otherwise where it comes from.
        """
        if task is not None and run is not None:
            raise UsageError("A run has its task: give --task or --run.")
        if task is None and run is None:
            return draft
        if draft.source_type is not SourceType.MANUAL or draft.source_ref is not None:
            raise UsageError(TOLD_TWICE)
        return self._from_task(draft, task) if task is not None else self._from_run(draft, run or "")

    def _from_task(self, draft: Draft, ref: str) -> Draft:
        task = self._work.task(ref)
        return replace(draft, source_type=SourceType.TASK, source_ref=task.name, derived_from=task.node)

    def _from_run(self, draft: Draft, ref: str) -> Draft:
        run = self._work.run(ref)
        return replace(draft, source_type=SourceType.RUN, source_ref=run.ref, derived_from=run.node)
