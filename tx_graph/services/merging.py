"""Use cases in which one learning takes the place of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tx_graph.domain.learning import Learning, Link, Status, StoredLearning
from tx_graph.errors import UsageError
from tx_graph.ports import Clock
from tx_graph.records.format import canonical
from tx_graph.services.learnings import merged
from tx_graph.services.record_sync import RecordSync
from tx_graph.services.references import References
from tx_graph.services.stamps import iso
from tx_graph.storage.database import Database
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.supersession import SupersessionStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded:
    """What took the place of what; `existed` when it was so before."""

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


class Merging:
    """Merges and supersedes learnings. Counts of use and votes stay with the learning that they are about."""

    def __init__(
        self,
        *,
        database: Database,
        store: LearningStore,
        supersession: SupersessionStore,
        references: References,
        sync: RecordSync[Learning],
        clock: Clock,
    ) -> None:
        self._database = database
        self._store = store
        self._supersession = supersession
        self._references = references
        self._sync = sync
        self._clock = clock

    def supersede(self, old_ref: str, new_ref: str) -> Superseded:
        """Let a learning be superseded by another one, which answers from now on.

        Raises:
            NotFound: One of them does not exist.
            UsageError: They are the same, one was removed, the new one answers nothing itself, or it would come to be
                superseded by itself.
        """
        with self._database.transaction():
            old, new = self._references.learning(old_ref), self._references.learning(new_ref)
            self._check(old, new)
            existed = (old.learning.status, old.learning.superseded_by) == (Status.SUPERSEDED, new.learning.uid)
            self._write(old, _superseded(old.learning, new.learning))
        return Superseded(old=self._now(old), new=new, existed=existed)

    def merge(self, keep_ref: str, other_ref: str) -> Merged:
        """Give a learning the anchors, keywords, links and origins of another one, and let it supersede that.

        For a place that both are tied to, the anchor of the learning that stays is kept. Who links to the other one
        gains a link to the one that stays.

        Raises:
            NotFound: One of them does not exist.
            UsageError: As for `supersede`.
        """
        with self._database.transaction():
            keep, other = self._references.learning(keep_ref), self._references.learning(other_ref)
            self._check(other, keep)
            self._write(keep, _union(keep.learning, other.learning))
            self._write(other, _superseded(other.learning, keep.learning))
            linked = self._lead_on(other, keep)
            derived = self._supersession.inherit(keep.node, other.node, now=iso(self._clock.now()))
        kept = self._now(keep)
        return Merged(
            kept=kept,
            other=self._now(other),
            anchors=len(kept.learning.anchors) - len(keep.learning.anchors),
            keywords=len(kept.learning.keywords) - len(keep.learning.keywords),
            links=len(set(kept.learning.links) - set(keep.learning.links)),
            derived=derived,
            linked=tuple(linked),
        )

    def _lead_on(self, other: StoredLearning, keep: StoredLearning) -> list[str]:
        """Let whoever links to the other one link to the one that stays too; return who does."""
        sources = [node for node in self._supersession.linking_to(other.node) if node not in (other.node, keep.node)]
        linked = sorted(self._store.by_nodes(sources), key=lambda one: one.id)
        for one in linked:
            further = [
                replace(link, target=keep.learning.uid)
                for link in one.learning.links
                if link.target == other.learning.uid
            ]
            self._write(one, replace(one.learning, links=_joined(one.learning.links, further)))
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
            raise UsageError(
                f"{new.ref} is {new.learning.status}: what takes the place of another learning must answer itself.",
                hint=f"Name another one, or make it active: {_to_activate(new)}",
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

    def _write(self, stored: StoredLearning, learning: Learning) -> None:
        if canonical(learning) != canonical(stored.learning):
            self._sync.write(learning, record=stored.record)

    def _now(self, stored: StoredLearning) -> StoredLearning:
        return self._store.by_numbers([stored.id])[0]


def _to_activate(stored: StoredLearning) -> str:
    is_staged = stored.learning.status is Status.STAGED
    return f"tx learning:promote {stored.id}" if is_staged else f"tx learning:edit {stored.id} --status active"


def _superseded(old: Learning, new: Learning) -> Learning:
    return replace(old, status=Status.SUPERSEDED, superseded_by=new.uid)


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
