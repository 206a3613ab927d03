"""The life cycle of facts: what is used is promoted, what fades is retracted."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from tx_graph.core.errors import TxError, UsageError
from tx_graph.core.labels import checked_limit, clean_label
from tx_graph.core.ports import Clock
from tx_graph.core.times import moment_of
from tx_graph.core.uids import fresh_uid
from tx_graph.core.working_tree import iso
from tx_graph.graph.edges import NodeId
from tx_graph.knowledge.entity import entity_key
from tx_graph.knowledge.fact import TRUST, Fact, FactSource, FactStatus, StoredFact, clean_predicate, fact_score
from tx_graph.knowledge.fact_store import FactFilter, FactStore
from tx_graph.knowledge.lookup import Lookup
from tx_graph.knowledge.records import record_value
from tx_graph.records.learning import unit_interval
from tx_graph.records.sync import RecordSync


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDraft:
    """A fact somebody wants to add; nothing is checked yet. Exactly one of `object` and `value` is to be given."""

    subject: str
    predicate: str
    object: str | None = None
    value: str | None = None
    confidence: float = 1.0
    source: FactSource = FactSource.USER_EDIT
    source_ref: str | None = None
    status: FactStatus = FactStatus.STAGED


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What adding did: the fact, whether it was known, what it superseded, and what contradicts it.

    `revived` says that the same was said before and had ceased to hold; of that time the old fact tells.
    """

    stored: StoredFact
    existed: bool = False
    revived: bool = False
    superseded: tuple[StoredFact, ...] = ()
    conflicting: tuple[StoredFact, ...] = ()
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A fact with how much it counts now, from 0 on."""

    stored: StoredFact
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FactQuery:
    """Which facts to list; names as people write them, `as_of` a day or a time. `about` takes objects in, too."""

    subject: str | None = None
    about: str | None = None
    predicate: str | None = None
    status: FactStatus | None = None
    source: FactSource | None = None
    as_of: str | None = None
    past: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Live facts that give one entity several values for a predicate that takes one; the best first."""

    subject: str
    predicate: str
    facts: tuple[Scored, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintained:
    """What maintenance did, or would do: which facts were promoted and which retracted, of how many looked at."""

    promoted: tuple[Scored, ...]
    retracted: tuple[Scored, ...]
    looked_at: int


CERTAIN = 0.9
"""The least confidence with which a new value takes the place of an old one (JACQ)."""


class Facts:
    """Everything one does to facts one at a time.

    `single_valued` are the predicates that take one value; `embed` gives entities their vectors where there is a model.
    """

    def __init__(
        self,
        *,
        store: FactStore,
        sync: RecordSync[Fact],
        lookup: Lookup,
        single_valued: Collection[str],
        embed: Callable[[Collection[NodeId]], None],
        clock: Clock,
        randomness: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._store = store
        self._sync = sync
        self._lookup = lookup
        self._single_valued = frozenset(clean_predicate(predicate) for predicate in single_valued)
        self._embed = embed
        self._clock = clock
        self._randomness = randomness

    def add(self, draft: FactDraft) -> Added:
        """Add a fact. The same statement again is recognised; of one that is past, the record of when it held stays.

        A predicate that takes one value lets a new one that is certain enough supersede the old one, unless that
        comes from a more trusted source; otherwise both stay, and `conflicts` tells of them.

        Raises:
            UsageError: A field is empty, too long or out of range, or there is not exactly one of object and value.
            StorageError: The record or the database cannot be written.
        """
        with self._sync.exclusively():
            fact = self._prepared(draft)
            others = self._store.same(fact.subject, fact.predicate)
            alike = [one for one in others if _says(one) == _told(fact, self._meaning)]
            same = next((one for one in alike if one.fact.is_live), None)
            added = self._again(same, fact) if same else Added(stored=self._written(fact), revived=bool(alike))
            if fact.predicate in self._single_valued:
                added = self._settled(added, fact, [one for one in others if one.fact.is_live and one not in alike])
        return replace(added, warning=self._embedded(added.stored))

    def _prepared(self, draft: FactDraft) -> Fact:
        if (draft.object is None) == (draft.value is None):
            raise UsageError(
                "A fact has either an object or a value.",
                hint="Name the object, another entity, or give a literal with --value.",
            )
        if draft.status not in (FactStatus.STAGED, FactStatus.CONFIRMED):
            raise UsageError("A new fact is staged or confirmed.")
        return Fact(
            uid=fresh_uid(self._randomness, is_taken=self._store.by_uid_prefix),
            subject=self._lookup.name(draft.subject),
            predicate=clean_predicate(draft.predicate),
            object=self._lookup.name(draft.object) if draft.object is not None else None,
            value=record_value(draft.value) if draft.value is not None else None,
            confidence=unit_interval(draft.confidence, what="confidence"),
            status=draft.status,
            source=draft.source,
            source_ref=clean_label(draft.source_ref, what="source reference") if draft.source_ref is not None else None,
            created_at=iso(self._clock.now()),
        )

    def _meaning(self, name: str) -> str:
        """Return by what the entity that a name means is recognised."""
        found = self._lookup.known(name)
        return found.key if found else entity_key(name)

    def _again(self, same: StoredFact, fact: Fact) -> Added:
        """Let the one that is known gain what is said of it now: nothing makes it less certain or less trusted."""
        old = same.fact
        trusted = max(old, fact, key=lambda one: TRUST[one.source])
        merged = replace(
            old,
            status=FactStatus.CONFIRMED if FactStatus.CONFIRMED in (fact.status, old.status) else FactStatus.STAGED,
            confidence=max(old.confidence, fact.confidence),
            source=trusted.source,
            source_ref=trusted.source_ref,
            valid_until=None,
            superseded_by=None,
        )
        return Added(stored=self._rewritten(same, merged), existed=True)

    def _settled(self, added: Added, said: Fact, others: Sequence[StoredFact]) -> Added:
        """Let a value of a predicate that takes one supersede what it may, by how it was `said` now."""
        yielding = [
            one for one in others if said.confidence >= CERTAIN and TRUST[one.fact.source] <= TRUST[said.source]
        ]
        now = iso(self._clock.now())
        for one in yielding:
            past = replace(one.fact, status=FactStatus.SUPERSEDED, valid_until=now, superseded_by=added.stored.fact.uid)
            self._rewritten(one, past)
        return replace(
            added,
            superseded=tuple(self._numbered(one.id) for one in yielding),
            conflicting=tuple(one for one in others if one not in yielding),
        )

    def find(self, ref: str) -> StoredFact:
        """Return the fact that a reference names.

        Raises:
            NotFound: There is none, or several begin like it.
        """
        return self._lookup.fact(ref)

    def confirm(self, ref: str) -> StoredFact:
        """Say that a fact is true; one that was superseded or retracted holds again.

        Raises:
            NotFound: There is no such fact.
        """
        with self._sync.exclusively():
            stored = self._lookup.fact(ref)
            held = replace(stored.fact, status=FactStatus.CONFIRMED, valid_until=None, superseded_by=None)
            return self._rewritten(stored, held)

    def retract(self, ref: str) -> StoredFact:
        """Say that a fact does not hold; it stays in the history.

        Raises:
            NotFound: There is no such fact.
        """
        with self._sync.exclusively():
            stored = self._lookup.fact(ref)
            if stored.fact.status is FactStatus.RETRACTED:
                return stored
            until = stored.fact.valid_until or iso(self._clock.now())
            return self._rewritten(stored, replace(stored.fact, status=FactStatus.RETRACTED, valid_until=until))

    def listed(self, query: FactQuery, *, limit: int) -> list[Scored]:
        """Return the newest facts that a query asks for, each with how much it counts.

        Raises:
            NotFound: It names an entity that there is not.
            UsageError: Its day, its predicate or the limit is none.
        """
        criteria = FactFilter(
            subject=self._lookup.entity(query.subject).node if query.subject is not None else None,
            about=self._lookup.entity(query.about).node if query.about is not None else None,
            predicate=clean_predicate(query.predicate) if query.predicate is not None else None,
            status=query.status,
            source=query.source,
            moment=moment_of(query.as_of) if query.as_of is not None else None,
            past=query.past,
        )
        return self.scored(self._store.listed(criteria, limit=checked_limit(limit)))

    def history(self, ref: str, *, predicate: str | None = None) -> list[Scored]:
        """Return all that was ever said, the oldest first: about an entity, or of what one fact says.

        Raises:
            NotFound: There is no such entity or fact.
            UsageError: The predicate is none.
        """
        if ref.startswith("fact:") or ref.isdigit():
            stored = self._lookup.fact(ref)
            return self.scored(self._store.same(stored.fact.subject, stored.fact.predicate))
        about = self._lookup.entity(ref).node
        criteria = FactFilter(
            about=about, predicate=clean_predicate(predicate) if predicate is not None else None, past=True
        )
        found = self._store.listed(criteria, limit=-1)
        return self.scored(sorted(found, key=lambda one: (one.fact.created_at, one.id)))

    def conflicts(self) -> list[Conflict]:
        """Return where several live facts answer what takes one answer, by subject and predicate."""
        groups: defaultdict[tuple[str, str], list[StoredFact]] = defaultdict(list)
        for predicate in sorted(self._single_valued):
            for stored in self._store.listed(FactFilter(predicate=predicate), limit=-1):
                groups[stored.subject_name, predicate].append(stored)
        return [
            Conflict(
                subject=subject,
                predicate=predicate,
                facts=tuple(sorted(self.scored(facts), key=lambda one: (-one.score, one.stored.id))),
            )
            for (subject, predicate), facts in sorted(groups.items())
            if len({_says(one) for one in facts}) > 1
        ]

    def scored(self, facts: Collection[StoredFact]) -> list[Scored]:
        """Return the facts, each with how much it counts now."""
        now = self._clock.now()
        return [
            Scored(
                stored=one,
                score=fact_score(one.fact, accesses=one.accesses, last_accessed_at=one.last_accessed_at, now=now),
            )
            for one in facts
        ]

    def _embedded(self, stored: StoredFact) -> str:
        """Give the entities of a fact their vectors where there is a model; return why that failed, if it did."""
        try:
            self._embed([node for node in (stored.subject, stored.object) if node is not None])
        except TxError as error:  # the fact is saved: whatever fails now is no failure to add it
            return f"Its entities have no vectors yet: {error.message} {error.hint}".rstrip()
        return ""

    def _written(self, fact: Fact) -> StoredFact:
        return self._numbered(self._sync.write(fact))

    def _rewritten(self, stored: StoredFact, fact: Fact) -> StoredFact:
        """Write a fact anew if it changed; one that only a document states gets a record of its own in any case."""
        if fact != stored.fact or stored.record is None:
            self._sync.write(fact, record=stored.record)
        return self._numbered(stored.id)

    def _numbered(self, number: int) -> StoredFact:
        return self._store.by_numbers([number])[0]


def _says(stored: StoredFact) -> tuple[bool, str]:
    """Return what a fact says of its subject so that two that say the same are equal."""
    if stored.fact.value is not None:
        return False, stored.fact.value
    return True, entity_key(stored.object_name or "")


def _told(fact: Fact, meaning: Callable[[str], str]) -> tuple[bool, str]:
    """Return the same of one that is not stored yet; `meaning` gives the key of the entity that a name means."""
    return (False, fact.value) if fact.value is not None else (True, meaning(fact.object or ""))


PROMOTED_FROM = 3
"""Accesses from which on a staged fact counts as confirmed."""
FADED_BELOW = 0.2
"""Score below which a fact is retracted."""
KEPT_FROM = 5
"""Accesses from which on a confirmed fact is kept however faded it is."""


class Maintaining:
    """Looks at all live facts and moves them on (JACQ's rules)."""

    def __init__(self, *, store: FactStore, sync: RecordSync[Fact], facts: Facts, clock: Clock) -> None:
        self._store = store
        self._sync = sync
        self._facts = facts
        self._clock = clock

    def run(self, *, dry_run: bool = False) -> Maintained:
        """Promote staged facts that are used, and retract those whose score has faded, all or none; say which.

        Promotion is tried first. What only a document states is left alone: it lives and dies with its document.

        Raises:
            StorageError: The records or the database cannot be written.
        """
        with self._sync.exclusively():
            recorded = [one for one in self._facts.scored(self._store.live()) if one.stored.record is not None]
            promoted = [one for one in recorded if _is_promoted(one)]
            retracted = [one for one in recorded if not _is_promoted(one) and _has_faded(one)]
            if not dry_run:
                self._write(promoted, retracted)
        return Maintained(promoted=tuple(promoted), retracted=tuple(retracted), looked_at=len(recorded))

    def _write(self, promoted: list[Scored], retracted: list[Scored]) -> None:
        now = iso(self._clock.now())
        changed = {
            one.stored.record or "": replace(one.stored.fact, status=FactStatus.CONFIRMED) for one in promoted
        } | {
            one.stored.record or "": replace(one.stored.fact, status=FactStatus.RETRACTED, valid_until=now)
            for one in retracted
        }
        if changed:
            self._sync.write_many((), changed, progress=lambda _: None)


def _is_promoted(one: Scored) -> bool:
    return one.stored.fact.status is FactStatus.STAGED and one.stored.accesses >= PROMOTED_FROM


def _has_faded(one: Scored) -> bool:
    is_kept = one.stored.fact.status is FactStatus.CONFIRMED and one.stored.accesses >= KEPT_FROM
    return one.score < FADED_BELOW and not is_kept
