"""Learnings that take the place of others: a part of `workspace.learnings`, and the commands about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from tx_graph.core.arguments import Arg, Ref, ref_of
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.graph.resolving import References
from tx_graph.learnings.learnings import merged
from tx_graph.records.learning import Learning, Link, Status, StoredLearning
from tx_graph.records.learning_record import canonical, learning_sync
from tx_graph.records.learning_store import LearningStore
from tx_graph.records.origin_store import ProvenanceStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded:
    """What took the place of what; `existed` when it was so before."""

    JSON: ClassVar = "old new existed"

    old: StoredLearning
    new: StoredLearning
    existed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
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

    def as_json(self) -> dict[str, Any]:
        """Return both, and what the one that stays gained."""
        return {
            "kept": self.kept.as_json(),
            "superseded": self.other.as_json(),
            "gained": {
                "anchors": self.anchors,
                "keywords": self.keywords,
                "links": self.links,
                "derived_from": self.derived,
            },
            "linked": list(self.linked),
        }


class Merging:
    """Merges and supersedes learnings. Counts of use and votes stay with the learning that they are about."""

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

        Raises:
            NotFound: One of them does not exist.
            UsageError: They are the same, one was removed, the new one answers nothing itself, or it would come to be
                superseded by itself.
        """
        with self._kernel.database.transaction():
            before, after = self._both(old, new)
            self._check(before, after)
            known = (before.learning.status, before.learning.superseded_by)
            self._supersede(before, after)
        existed = known == (Status.SUPERSEDED, after.learning.uid)
        return Superseded(old=self._now(before), new=after, existed=existed)

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

        Raises:
            NotFound: One of them does not exist.
            UsageError: As for `supersede`.
        """
        with self._kernel.database.transaction():
            stays, goes = self._both(keep, other)
            self._check(goes, stays)
            self._rewrite(stays, _union(stays.learning, goes.learning))
            self._supersede(goes, stays)
            linked = self._lead_on(goes, stays)
            derived = ProvenanceStore(self._kernel.database).inherit(stays.node, goes.node, now=self._kernel.now())
        kept = self._now(stays)
        return Merged(
            kept=kept,
            other=self._now(goes),
            anchors=len(kept.learning.anchors) - len(stays.learning.anchors),
            keywords=len(kept.learning.keywords) - len(stays.learning.keywords),
            links=len(set(kept.learning.links) - set(stays.learning.links)),
            derived=derived,
            linked=tuple(linked),
        )

    def _both(self, one: Ref, other: Ref) -> tuple[StoredLearning, StoredLearning]:
        references = self._kernel.one(References)
        return references.learning(ref_of(one)), references.learning(ref_of(other))

    def _lead_on(self, goes: StoredLearning, stays: StoredLearning) -> list[str]:
        """Let whoever links to the one that goes link to the one that stays too; return who does."""
        speaking = [node for node in self._store.linking_to(goes.node) if node not in (goes.node, stays.node)]
        linked = sorted(self._store.by_nodes(speaking), key=lambda one: one.id)
        for one in linked:
            old = [link for link in one.learning.links if link.target == goes.learning.uid]
            further = [replace(link, target=stays.learning.uid) for link in old]
            self._rewrite(one, replace(one.learning, links=_joined(one.learning.links, further)))
        return [one.ref for one in linked]

    def _check(self, old: StoredLearning, new: StoredLearning) -> None:
        """Refuse what would make no sense."""
        if old.id == new.id:
            raise UsageError(f"{old.ref} cannot take its own place: name two learnings.")
        for one in (old, new):
            if one.learning.removed_at:
                raise UsageError(
                    f"{one.ref} was removed.", hint=f"Bring it back first: tx learning:remove {one.id} --restore"
                )
        if old.learning.uid in self._chain(new.learning):
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

    def _chain(self, learning: Learning) -> set[str]:
        """Return the uids of those that supersede a learning, one after the other."""
        chain: set[str] = set()
        following: Learning | None = learning
        while following and following.status is Status.SUPERSEDED and following.superseded_by not in (None, *chain):
            uid = str(following.superseded_by)
            chain.add(uid)
            following = next((one.learning for one in self._store.by_uid_prefix(uid)), None)
        return chain

    def _rewrite(self, stored: StoredLearning, learning: Learning) -> None:
        if canonical(learning) != canonical(stored.learning):
            self._kernel.one(learning_sync).write(learning, record=stored.record)

    def _supersede(self, old: StoredLearning, new: StoredLearning) -> None:
        self._rewrite(old, replace(old.learning, status=Status.SUPERSEDED, superseded_by=new.learning.uid))

    def _now(self, stored: StoredLearning) -> StoredLearning:
        return self._store.by_numbers([stored.id])[0]


def _union(keep: Learning, other: Learning) -> Learning:
    """Return the learning that stays with what it gains; links between the two have served their time."""
    both = merged(keep, other, carried=other.anchors)
    links = _joined(keep.links, other.links)
    return replace(
        both,
        category=keep.category or other.category,
        links=tuple(link for link in links if link.target not in (keep.uid, other.uid)),
    )


def _joined(first: Sequence[Link], second: Sequence[Link]) -> tuple[Link, ...]:
    """Return all links; of two to one target that mean the same, the first one."""
    by_end = {(link.target, link.relation): link for link in [*second, *first]}
    return tuple(by_end.values())
