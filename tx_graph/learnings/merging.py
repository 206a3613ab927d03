"""Learnings that take the place of others: a part of `workspace.learnings`, and the commands about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

from tx_graph.core.arguments import Arg, Ref
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer
from tx_graph.learnings.learnings import merged
from tx_graph.records.learning import Learning, Link, Status, StoredLearning
from tx_graph.records.learning_record import canonical, learning_sync, rewritten
from tx_graph.records.learning_store import LearningStore
from tx_graph.records.origin_store import ProvenanceStore
from tx_graph.records.references import LearningReferences


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded(Answer):
    """What took the place of what; `existed` when it was so before."""

    JSON: ClassVar = "old new existed"

    old: StoredLearning
    new: StoredLearning
    existed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged(Answer):
    """The learning that stays, with what it gained, and the one that it supersedes now.

    `linked` are the learnings that spoke of the other one, and now of the one that stays too; `derived` counts the
    tasks, runs and commits that the other one comes from.
    """

    kept: StoredLearning
    other: StoredLearning
    anchors: int
    keywords: int
    links: int
    derived: int
    linked: tuple[str, ...]

    JSON: ClassVar = (
        "kept superseded=other gained.anchors=anchors gained.keywords=keywords gained.links=links "
        "gained.derived_from=derived linked"
    )


class Merging:
    """Merges and supersedes learnings. Counts of use and votes stay with the learning that they are about.

    UsageErrors tell of two that are the same, of one that was removed, and of a new one that answers nothing itself or
    would come to be superseded by itself.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = LearningStore(kernel.database)

    def supersede(
        self,
        old: Annotated[Ref, Arg("OLD", "The learning that holds no more.")],
        new: Annotated[Ref, Arg("NEW", "The learning that answers instead.")],
    ) -> Superseded:
        """Say that a learning took the place of another one, which is withheld from then on.

        Example:
          tx learning:supersede 12 31
        """
        with self._kernel.database.transaction():
            references = self._kernel.one(LearningReferences)
            before, after = references.learning(old), references.learning(new)
            self._check(before, after)
            known = (before.learning.status, before.learning.superseded_by)
            superseded = rewritten(self._kernel, before, _superseded(before, after))
        return Superseded(old=superseded, new=after, existed=known == (Status.SUPERSEDED, after.learning.uid))

    def merge(
        self,
        keep: Annotated[Ref, Arg("KEEP", "The learning that stays.")],
        other: Annotated[Ref, Arg("OTHER", "The learning that it takes in.")],
    ) -> Merged:
        """Merge one learning into another: the first one stays, the other one is superseded by it.

        The one that stays gains the anchors, keywords, links and origins that it lacks; its text is its own. Votes stay
        with the learning that they were for. 'tx learning:edit OTHER --status active' brings the other one back.

        Example:
          tx learning:merge 12 31
        """
        with self._kernel.database.transaction():
            references = self._kernel.one(LearningReferences)
            stays, goes = references.learning(keep), references.learning(other)
            self._check(goes, stays)
            union = merged(stays.learning, goes.learning, carried=goes.learning.anchors)
            # Links between the two have served their time.
            links = _joined(stays.learning.links, goes.learning.links)
            links = tuple(one for one in links if one.target not in (stays.learning.uid, goes.learning.uid))
            union = replace(union, category=stays.learning.category or goes.learning.category, links=links)
            changed = [(stays, union), (goes, _superseded(goes, stays))]
            # Whoever links to the one that goes links to the one that stays too.
            speaking = [node for node in self._store.linking_to(goes.node) if node not in (goes.node, stays.node)]
            linked = sorted(self._store.by_nodes(speaking), key=lambda one: one.id)
            for one in linked:
                old = [link for link in one.learning.links if link.target == goes.learning.uid]
                further = [replace(link, target=stays.learning.uid) for link in old]
                changed.append((one, replace(one.learning, links=_joined(one.learning.links, further))))
            # All at once: whatever interrupts it, the anchors are not with the one and the answer with the other.
            texts = {old.record: new for old, new in changed if canonical(new) != canonical(old.learning)}
            self._kernel.one(learning_sync).write_many((), texts, progress=lambda _: None)
            kept, gone = (self._store.by_numbers([one.id])[0] for one in (stays, goes))
            derived = ProvenanceStore(self._kernel.database).inherit(stays.node, goes.node, now=self._kernel.now())
        return Merged(
            kept=kept,
            other=gone,
            anchors=len(kept.learning.anchors) - len(stays.learning.anchors),
            keywords=len(kept.learning.keywords) - len(stays.learning.keywords),
            links=len(set(kept.learning.links) - set(stays.learning.links)),
            derived=derived,
            linked=tuple(one.ref for one in linked),
        )

    def _check(self, old: StoredLearning, new: StoredLearning) -> None:
        """Refuse what would make no sense."""
        if old.id == new.id:
            raise UsageError(f"{old.ref} cannot take its own place: name two learnings.")
        for one in (old, new):
            if one.learning.removed_at:
                raise UsageError(
                    f"{one.ref} was removed.", hint=f"Bring it back first: tx learning:remove {one.id} --restore"
                )
        chain: set[str] = set()  # those that supersede the new one, one after the other
        following: Learning | None = new.learning
        while following and following.status is Status.SUPERSEDED and following.superseded_by not in (None, *chain):
            uid = str(following.superseded_by)
            chain.add(uid)
            following = next((one.learning for one in self._store.by_uid_prefix(uid)), None)
        if old.learning.uid in chain:
            raise UsageError(
                f"{new.ref} is itself superseded by {old.ref}.",
                hint=f"Make it active first: tx learning:edit {new.id} --status active",
            )
        if new.learning.status is not Status.ACTIVE:
            is_staged = new.learning.status is Status.STAGED
            activate = f"promote {new.id}" if is_staged else f"edit {new.id} --status active"
            raise UsageError(
                f"{new.ref} is {new.learning.status}: what takes the place of another learning must answer itself.",
                hint=f"Name another one, or make it active: tx learning:{activate}",
            )


def _superseded(old: StoredLearning, new: StoredLearning) -> Learning:
    return replace(old.learning, status=Status.SUPERSEDED, superseded_by=new.learning.uid)


def _joined(first: Sequence[Link], second: Sequence[Link]) -> tuple[Link, ...]:
    """Return all links; of two to one target that mean the same, the first one."""
    by_end = {(link.target, link.relation): link for link in [*second, *first]}
    return tuple(by_end.values())
