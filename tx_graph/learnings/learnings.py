"""What one does to learnings one at a time: a part of `workspace.learnings`, and the commands about it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from typing import Annotated, Any, ClassVar

from tx_graph.anchors.linking import Linking, parse_link
from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.taking import Anchoring
from tx_graph.anchors.verdict import IF_JUDGED, JUDGED, Judgement, Standing, standing
from tx_graph.core.arguments import Arg, Force, LearningRef, Limit, Reads, Ref, ShareFeedback, choices
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import StorageError, TxError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit, clean_label, fresh_uid
from tx_graph.core.shape import Answer
from tx_graph.graph.edges import NodeId
from tx_graph.records.anchor import Anchor, AnchorRequest, distinct_anchors, parse_anchor
from tx_graph.records.learning import CONTENT_LIMIT, Learning, Link, SourceType, Status, StoredLearning, unit_interval
from tx_graph.records.learning_record import canonical, learning_sync, record_content, rewritten
from tx_graph.records.learning_store import LearningStore
from tx_graph.records.origin_store import ProvenanceStore
from tx_graph.records.references import LearningReferences
from tx_graph.records.vote_store import share
from tx_graph.vectors.embedding import Embedding
from tx_graph.work.references import WorkReferences

_TOLD_TWICE = "--task and --run say where it came from; leave out --source-type and --source-ref."


Fallbacks = Annotated[
    Sequence[str | AnchorRequest],
    Arg(
        "PATH|GLOB",
        "A file or glob that counts only once the other anchors are lost; repeatable.",
        flag="--fallback",
        is_split=False,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A learning somebody wants to add; nothing is checked yet. A link's target is still a reference.

    `derived_from` is the node of the task, run or commit where it was learned. With `force` it may hold what looks like
    a secret; None is for those who may not say so.
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
    force: bool | None = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Added(Answer):
    """What adding did: the learning, whether it was known or came back from removal, and why it has no vector.

    `advice` are sentences: what says much the same, what the text names and is not tied to, what is a large anchor.
    """

    JSON: ClassVar = "*stored existed revived advice"

    stored: StoredLearning
    existed: bool = False
    revived: bool = False
    warning: str = ""
    advice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Answer):
    """A learning with the verdict on each of its anchors."""

    JSON: ClassVar = f"*stored {JUDGED} anchors"

    stored: StoredLearning
    standing: Standing
    anchors: tuple[Judgement, ...]


def _requests(
    anchors: Sequence[str | AnchorRequest], fallbacks: Sequence[str | AnchorRequest] = ()
) -> list[AnchorRequest]:
    asked = [parse_anchor(one) if isinstance(one, str) else one for one in anchors]
    spare = [parse_anchor(one) if isinstance(one, str) else one for one in fallbacks]
    return [*asked, *(replace(one, fallback=True) for one in spare)]


def prepared(kernel: Kernel, draft: Draft) -> Learning:
    """Return the learning that a draft asks for, checked, with a new uid; nothing is written."""
    anchoring, references = kernel.one(Anchoring), kernel.one(LearningReferences)
    return Learning(
        uid=fresh_uid(os.urandom, is_taken=LearningStore(kernel.database).by_uid_prefix),
        content=record_content(draft.content),
        created_at=kernel.now(),
        category=clean_label(draft.category, what="category") if draft.category is not None else None,
        keywords=cleaned_keywords(draft.keywords),
        status=draft.status,
        confidence=unit_interval(draft.confidence, what="confidence"),
        source_type=draft.source_type,
        source_ref=clean_label(draft.source_ref, what="source reference") if draft.source_ref is not None else None,
        anchors=distinct_anchors(anchoring.take(request) for request in draft.anchors),
        links=tuple(replace(link, target=references.learning(link.target).learning.uid) for link in draft.links),
    )


def same_content(kernel: Kernel, content: str) -> StoredLearning | None:
    """Return the learning with exactly this content, one that was not removed first."""
    found = LearningStore(kernel.database).by_content(content)
    return min(found, key=lambda stored: stored.learning.removed_at is not None, default=None)


class Learnings:
    """What was learned, one thing at a time.

    Who names what is not there is told so by NotFound; a value that is empty, too long or out of range is a UsageError,
    and a record or database that cannot be written a StorageError.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = LearningStore(kernel.database)

    def add(
        self,
        content: Annotated[
            str,
            Arg(
                "[TEXT]",
                "The learning; without it, or with '-', stdin is read.",
                reads=Reads.STDIN,
                mcp="",
                most=CONTENT_LIMIT,
            ),
        ],
        *,
        category: Annotated[
            str | None, Arg("NAME", "One word for what it is about, to filter by.", mcp="one word")
        ] = None,
        keywords: Annotated[
            Sequence[str], Arg("WORD", "A word to find it by; repeatable.", flag="--keyword", is_split=False)
        ] = (),
        source_type: Annotated[
            SourceType | None, Arg("KIND", f"Where it came from: {choices(SourceType)}; manual unless said.")
        ] = None,
        source_ref: Annotated[str | None, Arg("REF", "Which one: a task, a document, an address.")] = None,
        task: Annotated[
            Ref | None, Arg("TASK", "The task it was learned in: 7, or GH-123.", mcp="where it was learned")
        ] = None,
        run: Annotated[Ref | None, Arg("RUN", "The run it was learned in.")] = None,
        confidence: Annotated[float, Arg("F", "How sure it is, 0 to 1.", mcp="0 to 1")] = 1.0,
        status: Annotated[Status, Arg("NAME", f"Where it stands: {choices(Status)}.")] = Status.ACTIVE,
        anchors: Annotated[
            Sequence[str | AnchorRequest],
            Arg(
                "PATH[::SYMBOL][:L1-L2]",
                "What it is about, such as a.py, a.py::Class::method, a.py:L3-L9 or docs/a.md#part; repeatable.",
                flag="--anchor",
                is_split=False,
                mcp="PATH[::SYMBOL|#SECTION|:L3-L9]",
            ),
        ] = (),
        fallbacks: Fallbacks = (),
        links: Annotated[
            Sequence[str | Link],
            Arg(
                "REF[:RELATION]",
                "A related learning, such as 7 or 7:elaborates; repeatable.",
                flag="--link",
                is_split=False,
                mcp="7 or 7:elaborates",
            ),
        ] = (),
        force: Force = False,
    ) -> Added:
        """Add a learning. The same text again is recognised, not added twice.

        What may be a secret is refused: say where a password is kept, not what it is. Keep it to one thing, and anchor
        it to the code it is about: search then finds it from there too, and says whether that code has changed since.

        Example:
          tx learning:add "Compare tokens in constant time" --category security
          tx learning:add "Retries double" --anchor src/http.py::fetch --link 7
          tx learning:add "Once" --anchor src/a.py::login --fallback src/a.py
          tx learning:add "The token is read twice" --task GH-123
          tx learning:add --anchor 'src/**/*.py' < note.md

        Examples:
            >>> added = workspace.learnings.add("Tokens are secret", anchors=["src/tokens.py::verify"])
            >>> added.stored.ref, added.existed
            ('learning:1', False)
        """
        if source_type is not None and (task is not None or run is not None):
            raise UsageError(_TOLD_TWICE)  # even if it says manual, as it would unless said
        draft = Draft(
            content=content,
            category=category,
            keywords=keywords,
            status=status,
            confidence=confidence,
            source_type=source_type or SourceType.MANUAL,
            source_ref=source_ref,
            anchors=_requests(anchors, fallbacks),
            links=[parse_link(one) if isinstance(one, str) else one for one in links],
            force=force,
        )
        added = self.add_draft(draft, task=task, run=run)
        if added.existed:
            return added
        from tx_graph.learnings.advice import advice

        return replace(added, advice=tuple(advice(self._kernel, added.stored)))

    def add_draft(self, draft: Draft, *, task: Ref | None = None, run: Ref | None = None) -> Added:
        """Return what `add` does, for a draft that is at hand; of a task the record keeps the name in its tracker."""
        if task is not None and run is not None:
            raise UsageError("A run has its task: give --task or --run.")
        if (task is not None or run is not None) and (draft.source_type, draft.source_ref) != (SourceType.MANUAL, None):
            raise UsageError(_TOLD_TWICE)
        if task is not None:
            of = self._kernel.one(WorkReferences).task(task)
            draft = replace(draft, source_type=SourceType.TASK, source_ref=of.name, derived_from=of.node)
        if run is not None:
            during = self._kernel.one(WorkReferences).run(run)
            draft = replace(draft, source_type=SourceType.RUN, source_ref=during.ref, derived_from=during.node)
        learning = prepared(self._kernel, draft)
        with self._kernel.database.transaction():
            if same := same_content(self._kernel, learning.content):
                # It keeps its fields, and gains the anchors, links and keywords asked for now.
                both = replace(merged(same.learning, learning), removed_at=None, removal_reason=None)
                revived = same.learning.removed_at is not None
                added = Added(
                    stored=rewritten(self._kernel, same, both, force=draft.force), existed=not revived, revived=revived
                )
            else:
                added = Added(stored=self._numbered(self._kernel.one(learning_sync).write(learning, force=draft.force)))
            if draft.derived_from is not None:
                provenance = ProvenanceStore(self._kernel.database)
                provenance.derive(added.stored.node, draft.derived_from, at=learning.created_at)
        return added if same else replace(added, warning=self._embedded(added.stored.id, learning.content))

    def get(self, learning: Ref) -> StoredLearning:
        """Return a learning by its number, its uid or the beginning of its uid."""
        return self._kernel.one(LearningReferences).learning(learning)

    def show(self, learning: LearningRef) -> Shown:
        """Show one learning with its anchors and whether they still hold.

        Example:
          tx learning:show 12
        """
        stored = self.get(learning)
        anchors = Standings(self._kernel).judgements([stored.node])[stored.node]
        return Shown(stored=stored, standing=standing(anchors), anchors=anchors)

    def is_unconfirmed(self, stored: StoredLearning) -> bool:
        """Return whether code that the learning is tied to is not what it was."""
        return any(one.is_finding for one in Standings(self._kernel).judgements([stored.node])[stored.node])

    def list(
        self,
        *,
        category: str | None = None,
        status: Status | None = None,
        source_type: SourceType | None = None,
        keyword: str | None = None,
        removed: bool = False,
        limit: int = 50,
    ) -> tuple[StoredLearning, ...]:
        """Return learnings, newest first; staged ones only where their status or removed ones are asked for."""
        found = self._store.listed(
            limit=checked_limit(limit),
            category=category,
            status=None if status is None else Status(status),
            source_type=None if source_type is None else SourceType(source_type),
            keyword=keyword,
            removed=removed,
            confirmed=status is None and not removed,
        )
        return tuple(found)

    def recent(self, *, limit: int = 10) -> tuple[StoredLearning, ...]:
        """Return the learnings that were used last, newest use first; before any use, the newest."""
        found = self._store.recently_used(limit=checked_limit(limit))
        return tuple(found or self._store.listed(confirmed=True, limit=limit))

    def standings(self, learnings: Collection[StoredLearning]) -> dict[int, Standing]:
        """Return what is to be said of the code of these learnings now, by their numbers."""
        found = Standings(self._kernel).standings([stored.node for stored in learnings])
        return {stored.id: found[stored.node] for stored in learnings}

    def edit(
        self,
        learning: Ref,
        *,
        content: str | None = None,
        category: str | None = None,
        add_keywords: Sequence[str] = (),
        remove_keywords: Sequence[str] = (),
        status: Status | None = None,
        confidence: float | None = None,
        expected: str | None = None,
        force: bool = False,
    ) -> StoredLearning:
        """Return a learning after changing it; None leaves a field as it is, an empty category clears it.

        With `expected`, the content that the new one was made from, somebody else's change is not overwritten. Anchors
        and links have operations of their own. What may be a secret is refused, unless with `force`.
        """
        with self._kernel.database.transaction():
            before = self.get(learning)
            if expected is not None and expected != before.learning.content:
                raise StorageError(
                    f"The text of {before.ref} was changed by somebody else meanwhile; nothing was written."
                )
            if before.learning.status is Status.STAGED and status == Status.ACTIVE:
                raise UsageError(
                    f"{before.ref} is staged: nobody has confirmed it.",
                    hint=f"Confirm it: tx learning:promote {before.id}, with --force whatever it lacks.",
                )
            dropped = {word.strip() for word in remove_keywords}
            kept = [word for word in before.learning.keywords if word not in dropped]
            changed: dict[str, Any] = {"keywords": cleaned_keywords([*kept, *add_keywords])}
            if content is not None:
                changed["content"] = record_content(content)
            if category is not None:
                changed["category"] = clean_label(category, what="category") if category.strip() else None
            if status is not None:
                changed["status"] = Status(status)
                if status != Status.SUPERSEDED:
                    changed["superseded_by"] = None
            if confidence is not None:
                changed["confidence"] = unit_interval(confidence, what="confidence")
            stored = rewritten(self._kernel, before, replace(before.learning, **changed), force=force)
        if stored.learning.content != before.learning.content:
            self._embedded(stored.id, stored.learning.content)
        return stored

    def remove(
        self, learning: LearningRef, *, restore: Annotated[bool, Arg(help="Bring a removed learning back.")] = False
    ) -> StoredLearning:
        """Hide a learning from every answer; its record and history stay.

        Example:
          tx learning:remove 12
          tx learning:remove 12 --restore
        """
        with self._kernel.database.transaction():
            stored = self.get(learning)
            before = stored.learning
            if restore:
                return rewritten(self._kernel, stored, replace(before, removed_at=None, removal_reason=None))
            hidden = replace(before, removed_at=before.removed_at or self._kernel.now())
            return rewritten(self._kernel, stored, hidden)

    def restore(self, learning: Ref) -> StoredLearning:
        """Return a learning after bringing it back from removal."""
        return self.remove(learning, restore=True)

    def helpful(
        self,
        learning: LearningRef,
        *,
        score: Annotated[float, Arg("F", "How much, from 0 (not at all) to 1.")] = 1.0,
        share_feedback: ShareFeedback = False,
    ) -> StoredLearning:
        """Say how much a learning helped; learnings that help rank a little higher.

        Example:
          tx learning:helpful 12
          tx learning:helpful 12 --score 0.5
        """
        score = unit_interval(score, what="score")
        with self._kernel.database.transaction():
            stored = self.get(learning)
            if share_feedback:
                share(self._kernel, stored.learning, score)
            self._store.count_use(
                stored.id, helpful=0 if share_feedback else score, uses=int(not share_feedback), now=self._kernel.now()
            )
        return self._numbered(stored.id)

    def _embedded(self, number: int, content: str) -> str:
        """Give a learning its vector where there is a model; return why that failed, if it did."""
        try:
            self._kernel.one(Embedding).embed_new(number, content)
        except TxError as error:  # the learning is saved: whatever fails now is no failure to add it
            return f"It has no vector yet: {error.message} {error.hint}".rstrip()
        return ""

    def _numbered(self, number: int) -> StoredLearning:
        return self._store.by_numbers([number])[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A learning, with what is said of its code if that was asked for."""

    JSON: ClassVar = f"*stored {IF_JUDGED}"

    stored: StoredLearning
    standing: Standing | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Learnings, with what is said of their code, by number, if asked for; so many `staged` ones were left out."""

    JSON: ClassVar = "learnings=rows"

    learnings: tuple[StoredLearning, ...]
    standings: dict[int, Standing] | None = None
    staged: int = 0

    @property
    def rows(self) -> list[Listed]:
        """The learnings, each with what is said of it."""
        return [Listed(stored=one, standing=(self.standings or {}).get(one.id)) for one in self.learnings]


Verify = Annotated[bool, Arg(help="Also say of each whether its code still stands as it did.")]


def list_(
    kernel: Kernel,
    *,
    category: Annotated[str | None, Arg("NAME", "Only this category.")] = None,
    status: Annotated[Status | None, Arg("NAME", f"Only this status: {choices(Status)}.")] = None,
    source_type: Annotated[SourceType | None, Arg("KIND", f"Only from this: {choices(SourceType)}.")] = None,
    keyword: Annotated[str | None, Arg("WORD", "Only with this keyword.")] = None,
    removed: Annotated[bool, Arg(help="Only those that were removed.")] = False,
    verify: Verify = False,
    limit: Limit = 50,
) -> Listing:
    """List learnings, newest first. Staged ones, which nobody has confirmed yet, are shown if asked for.

    Example:
      tx learning:list
      tx learning:list --status staged
      tx learning:list --category security -n 20
      tx learning:list --verify
    """
    learnings = kernel.one(Learnings)
    found = learnings.list(
        category=category, status=status, source_type=source_type, keyword=keyword, removed=removed, limit=limit
    )
    waiting = LearningStore(kernel.database).numbers_by_status().get(Status.STAGED.value, 0)
    return Listing(
        learnings=found,
        standings=learnings.standings(found) if verify else None,
        staged=waiting if status is None and not removed else 0,
    )


def recent(kernel: Kernel, *, verify: Verify = False, limit: Limit = 10) -> Listing:
    """List the learnings that were used last; before any use, the newest.

    Example:
      tx learning:recent -n 5
    """
    learnings = kernel.one(Learnings)
    found = learnings.recent(limit=limit)
    return Listing(learnings=found, standings=learnings.standings(found) if verify else None)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A learning as it is after somebody could change it."""

    JSON: ClassVar = "*stored"

    stored: StoredLearning
    is_changed: bool = True
    is_unconfirmed: bool = False
    """Whether code that it is tied to is not what it was."""


def edit(
    kernel: Kernel,
    learning: LearningRef,
    text: Annotated[str | None, Arg("[TEXT]", "New text; '-' reads stdin.", reads=Reads.DASH)] = None,
    *,
    content: Annotated[str | None, Arg("TEXT", "The same.", reads=Reads.STDIN)] = None,
    category: Annotated[str | None, Arg("NAME", "New category; '' clears it.")] = None,
    keyword: Annotated[Sequence[str], Arg("WORD", "Add a keyword; repeatable.", is_split=False)] = (),
    remove_keyword: Annotated[Sequence[str], Arg("WORD", "Remove a keyword; repeatable.", is_split=False)] = (),
    confidence: Annotated[float | None, Arg("F", "New confidence, 0 to 1.")] = None,
    status: Annotated[Status | None, Arg("NAME", f"New status: {choices(Status)}.")] = None,
    anchors: Annotated[
        Sequence[str],
        Arg("PATH[::SYMBOL][:L1-L2]", "Tie it to this, too; repeatable.", flag="--anchor", is_split=False),
    ] = (),
    fallbacks: Fallbacks = (),
    force: Force = False,
    editor: Callable[[str], AbstractContextManager[str]],
) -> Edited:
    """Change a learning; without a text or options, its text opens in $VISUAL or $EDITOR.

    graph:link and graph:unlink say more of anchors, graph:relate of links.

    Example:
      tx learning:edit 12
      tx learning:edit 12 "Compare tokens in constant time"
      tx learning:edit 12 --category security --keyword jwt
      tx learning:edit 12 --anchor src/auth.py::login --fallback src/auth.py
      tx learning:edit 12 --content - < better.md
    """
    learnings = kernel.one(Learnings)
    if text is not None and content is not None:
        raise UsageError("The text is given twice.")
    content = text if content is None else content
    requests = _requests(anchors, fallbacks)
    is_told = any(one is not None for one in (content, category, confidence)) or keyword or remove_keyword or status
    if is_told or requests:
        with kernel.database.transaction():
            for request in requests:
                kernel.one(Linking).link(learning, request)
            changed = learnings.edit(
                learning,
                content=content,
                category=category,
                add_keywords=keyword,
                remove_keywords=remove_keyword,
                confidence=confidence,
                status=status,
                force=force,
            )
        return Edited(stored=changed, is_unconfirmed=learnings.is_unconfirmed(changed))
    stored = learnings.get(learning)
    before = stored.learning.content
    with editor(before) as after:
        if after != before:
            stored = learnings.edit(learning, content=after, expected=before, force=force)
    return Edited(stored=stored, is_changed=after != before, is_unconfirmed=learnings.is_unconfirmed(stored))
