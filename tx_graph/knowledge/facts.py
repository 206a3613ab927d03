"""Facts: added, confirmed, retracted, and moved on by use: what is used is promoted, what fades is retracted."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Annotated, ClassVar

from tx_graph.anchors.verdict import Judgement
from tx_graph.core.arguments import Arg, Force, Limit, Reads, Ref, choices, ref_of
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import UsageError
from tx_graph.core.guard import refuse
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit, clean_label, clean_predicate, fresh_uid
from tx_graph.core.shape import Answer
from tx_graph.core.times import moment_of
from tx_graph.knowledge.entities import Lookup, embedded
from tx_graph.knowledge.entity import EntityName, entity_key
from tx_graph.knowledge.fact import (
    Fact,
    FactSource,
    FactStatus,
    StoredFact,
    fact_score,
    fact_weights,
    fades_at,
)
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.places import judged, place_of
from tx_graph.knowledge.records import FACT_FORMAT, fact_sync, record_value
from tx_graph.records.learning import unit_interval

CERTAIN = 0.9
"""The least confidence with which a new value takes the place of an old one (JACQ)."""
IN_USE_FROM = 3
"""Accesses from which on somebody should say whether a staged fact is true."""

Predicate = Annotated[str | None, Arg("WORD", "Only with this predicate.")]
FactRefs = Annotated[Sequence[Ref], Arg("FACT...", "Numbers, uids, or the beginnings of uids.", is_split=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored(Answer):
    """A fact with how much it counts now, from 0 on, and what became of the section or symbol that says so, if any."""

    JSON: ClassVar = "*stored score=rounded verdict=place.word drift=place.drift"

    stored: StoredFact
    score: float
    place: Judgement | None = None

    @property
    def rounded(self) -> float:
        """The score as it is shown."""
        return round(self.score, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Added(Answer):
    """What adding did: the fact and its score, whether it was known, what it superseded, and what contradicts it.

    `revived` says that the same was said before and had ceased to hold; of that time the old fact tells.
    """

    JSON: ClassVar = "*scored existed revived superseded conflicting"

    stored: StoredFact
    existed: bool = False
    revived: bool = False
    superseded: tuple[StoredFact, ...] = ()
    conflicting: tuple[StoredFact, ...] = ()
    warning: str = ""
    score: float = 0.0

    @property
    def scored(self) -> Scored:
        """The fact with how much it counts."""
        return Scored(stored=self.stored, score=self.score)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict(Answer):
    """Live facts that give one entity several values for a predicate that takes one; the best first."""

    subject: str
    predicate: str
    facts: tuple[Scored, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintained(Answer):
    """Which facts maintenance retracted, or with `dry_run` would retract, of how many it looked at.

    `waiting` are staged facts in use, for somebody to confirm or retract.
    """

    JSON: ClassVar = "promoted retracted waiting looked_at dry_run"

    retracted: tuple[Scored, ...]
    waiting: tuple[Scored, ...]
    looked_at: int
    dry_run: bool = True

    @property
    def promoted(self) -> tuple[Scored, ...]:
        """None any more: that a fact is recalled confirms nothing."""
        return ()


class Facts:
    """Statements about entities: `workspace.facts`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._weights = fact_weights(kernel.config.get)
        self._store = FactStore(kernel.database)
        self._sync = kernel.one(fact_sync)
        self._lookup = kernel.one(Lookup)

    def add(
        self,
        subject: Annotated[EntityName, Arg("SUBJECT", "Whom or what it is about: any name, or a path.")],
        predicate: Annotated[str, Arg("PREDICATE", "What is said, such as uses or works_on.", mcp="uses, owner")],
        object: Annotated[
            EntityName | None, Arg("OBJECT", "Another entity; else give a literal with --value.", mcp="an entity")
        ] = None,
        *,
        value: Annotated[
            str | None, Arg("TEXT", "A literal value; '-' reads stdin.", reads=Reads.STDIN, mcp="a literal")
        ] = None,
        confidence: Annotated[float, Arg("F", "How sure it is, 0 to 1.", mcp="")] = 1.0,
        source: Annotated[FactSource, Arg("KIND", f"Who says so: {choices(FactSource)}.")] = FactSource.USER_EDIT,
        source_ref: Annotated[str | None, Arg("REF", "Where it is said, such as docs/a.md#part.")] = None,
        status: Annotated[FactStatus, Arg("NAME", "staged, or confirmed at once.")] = FactStatus.STAGED,
        private: Annotated[bool, Arg(help="Only for me: without a record, in no commit.")] = False,
        force: Force = False,
    ) -> Added:
        """Add a fact: one statement about an entity. Entities come to be as they are named.

        A predicate that takes one value (see 'tx config get facts.single_valued') lets a new value of confidence 0.9 or
        more supersede the old one, unless a more trusted source says that: user_edit, file, system, conversation.

        Example:
          tx fact:add "Billing service" uses DuckDB
          tx fact:add user prefers --value "short answers" --status confirmed
          tx fact:add Billing owner Ada --source conversation --confidence 0.7

        Examples:
            >>> workspace.facts.add("Billing", "uses", "DuckDB").stored.told
            'DuckDB'
        """
        if (object is None) == (value is None):
            raise UsageError(
                "A fact has either an object or a value.",
                hint="Name the object, another entity, or give a literal with --value.",
            )
        if status not in (FactStatus.STAGED, FactStatus.CONFIRMED):
            raise UsageError("A new fact is staged or confirmed.")
        said_at = (
            None if source_ref is None else place_of(self._kernel, clean_label(source_ref, what="source reference"))
        )
        with self._sync.exclusively():
            fact = Fact(
                uid=fresh_uid(os.urandom, is_taken=self._store.by_uid_prefix),
                subject=self._lookup.name(subject),
                predicate=clean_predicate(predicate),
                object=None if object is None else self._lookup.name(object),
                value=None if value is None else record_value(value),
                confidence=unit_interval(confidence, what="confidence"),
                status=status,
                source=source,
                source_ref=said_at and said_at.ref,
                source_print=said_at and said_at.print,
                created_at=self._kernel.now(),
            )
            others = self._store.same(fact.subject, fact.predicate)
            said = (False, fact.value) if fact.value is not None else (True, self._lookup.key(fact.object or ""))
            alike = [one for one in others if _says(one) == said]
            if same := next((one for one in alike if one.fact.is_live), None):
                # What everybody knows stays that; what was private until now becomes known when it is said to all.
                stored = same if private and not same.private else self._again(same, fact, private=private)
                added = Added(stored=stored, existed=True)
            else:  # what is past stays the record of when it held: saying it again makes a new fact
                number = self._privately(fact, force=force) if private else self._sync.write(fact, force=force)
                added = Added(stored=self._store.by_numbers([number])[0], revived=bool(alike))
            if fact.predicate in single_valued(self._kernel):
                added = self._settled(added, fact, [one for one in others if one.fact.is_live and one not in alike])
        nodes = [node for node in (added.stored.subject, added.stored.object) if node is not None]
        warning = embedded(self._kernel, nodes, [added.stored.id], otherwise="It has no vector yet")
        return replace(added, score=self._scored([added.stored])[0].score, warning=warning)

    def get(self, fact: Ref) -> StoredFact:
        """Return a fact by its number, its uid or the beginning of its uid."""
        return self._lookup.fact(fact)

    def list(
        self,
        about: Annotated[EntityName | None, Arg("ENTITY", "Only facts that are about it, or that name it.")] = None,
        *,
        subject: EntityName | None = None,
        predicate: Predicate = None,
        status: Annotated[FactStatus | None, Arg("NAME", f"Only this status: {choices(FactStatus)}.")] = None,
        source: Annotated[FactSource | None, Arg("KIND", f"Only from this: {choices(FactSource)}.")] = None,
        as_of: Annotated[str | None, Arg("DATE", "What held then: 2026-11-20 (its end) or a UTC time.")] = None,
        past: Annotated[bool, Arg(help="Superseded and retracted ones, too.")] = False,
        grep: Annotated[str | None, Arg("TEXT", "Only what has this text in it, whatever its case.")] = None,
        limit: Limit = 50,
    ) -> tuple[Scored, ...]:
        """List facts, newest first, each with its score: how much it counts now.

        Example:
          tx fact:list
          tx fact:list DuckDB --past
          tx fact:list --predicate owner --as-of 2026-06-30
          tx fact:list --grep duckdb
        """
        found = self._store.listed(
            subject=None if subject is None else self._lookup.entity(subject).node,
            about=None if about is None else self._lookup.entity(about).node,
            predicate=None if predicate is None else clean_predicate(predicate),
            status=status,
            source=source,
            moment=None if as_of is None else moment_of(as_of),
            past=past,
            words=grep,
            limit=checked_limit(limit),
        )
        return self._scored(found)

    def confirm(self, fact: Ref) -> StoredFact:
        """Return a fact that is true; one that was superseded or retracted holds again."""
        with self._sync.exclusively():
            stored = self._lookup.fact(fact)
            held = replace(
                stored.fact, status=FactStatus.CONFIRMED, valid_until=None, superseded_by=None, faded_at=None
            )
            if place := judged(self._kernel, [held]).get(held.uid):  # whoever confirms it has read what is there now
                now = place_of(self._kernel, place.place.spec)
                held = replace(held, source_ref=now.ref, source_print=now.print or held.source_print)
            return self._rewrite(stored, held)

    def retract(self, fact: Ref) -> StoredFact:
        """Return a fact that does not hold; it stays in the history."""
        with self._sync.exclusively():
            stored = self._lookup.fact(fact)
            if stored.fact.status is FactStatus.RETRACTED:
                return stored
            until = stored.fact.valid_until or self._kernel.now()
            return self._rewrite(
                stored, replace(stored.fact, status=FactStatus.RETRACTED, valid_until=until, faded_at=until)
            )

    def history(
        self,
        named: Annotated[Ref, Arg("ENTITY|FACT", "An entity, or a fact by its number.")],
        *,
        predicate: Predicate = None,
    ) -> tuple[Scored, ...]:
        """Show all that was ever said about an entity, or of what one fact says, oldest first.

        Example:
          tx fact:history "Billing service"
          tx fact:history "Billing service" --predicate owner
          tx fact:history 12
        """
        ref = ref_of(named)
        if ref.startswith("fact:") or ref.isdigit():
            fact = self._lookup.fact(ref).fact
            return self._scored(self._store.same(fact.subject, fact.predicate))
        about, said = self._lookup.entity(ref).node, None if predicate is None else clean_predicate(predicate)
        found = self._store.listed(about=about, predicate=said, past=True, limit=-1)
        return self._scored(sorted(found, key=lambda one: (one.fact.created_at, one.id)))

    def conflicts(self) -> tuple[Conflict, ...]:
        """Show where several facts give what takes one value, the one that counts most first.

        Which predicates take one value is the setting facts.single_valued.

        Example:
          tx fact:conflicts
          tx config set facts.single_valued status,owner,version,lead
        """
        groups: defaultdict[tuple[str, str], list[StoredFact]] = defaultdict(list)
        for predicate in sorted(single_valued(self._kernel)):
            for stored in self._store.listed(predicate=predicate, limit=-1):
                groups[stored.subject_name, predicate].append(stored)
        return tuple(
            Conflict(
                subject=subject,
                predicate=predicate,
                facts=tuple(sorted(self._scored(facts), key=lambda one: (-one.score, one.stored.id))),
            )
            for (subject, predicate), facts in sorted(groups.items())
            if len({_says(one) for one in facts}) > 1
        )

    def maintain(
        self,
        *,
        apply: Annotated[bool, Arg(help="Do it: retract what has faded.")] = False,
        dry_run: Annotated[bool, Arg(help="Only say what would be done, as without --apply.")] = False,
    ) -> Maintained:
        """Show which facts have faded and which wait to be confirmed; with --apply, retract the faded ones.

        A staged fact has faded when nobody confirmed it until its score by age alone fell below 0.2, nor recalled it
        here since. What somebody confirmed never fades, nor does what takes one value, for another clone may say
        otherwise: that is for a person to settle. So is what is recalled, for being told makes nothing true. What a
        document states lives and dies with its document.

        Example:
          tx fact:maintain
          tx fact:maintain --apply
        """
        if apply and dry_run:
            raise UsageError("--apply and --dry-run exclude each other.")
        faded, waiting, changed, now = [], [], {}, self._kernel.clock.now()
        with self._sync.exclusively():
            recorded = [one for one in self._scored(self._store.live()) if one.stored.record is not None]
            takes_one = single_valued(self._kernel)
            for one in recorded:
                fact, at = one.stored.fact, fades_at(one.stored.fact, weights=self._weights)
                if fact.status is not FactStatus.STAGED:
                    continue
                if one.stored.accesses >= IN_USE_FROM:
                    waiting.append(one)
                elif one.score < self._weights.faded_below and at <= now and fact.predicate not in takes_one:
                    faded.append(one)
                    # The same time on every machine: so that git finds no conflict where two of them say it.
                    until = at.strftime("%Y-%m-%dT%H:%M:%SZ")
                    gone = replace(fact, status=FactStatus.RETRACTED, valid_until=until, faded_at=until)
                    changed[one.stored.record or ""] = gone
            if changed and apply:
                self._sync.write_many((), changed, progress=lambda _: None)
        return Maintained(retracted=tuple(faded), waiting=tuple(waiting), looked_at=len(recorded), dry_run=not apply)

    def _privately(self, fact: Fact, *, force: bool = True) -> int:
        """Write a fact to the database alone; the journal keeps it. Return its number."""
        refuse(FACT_FORMAT.told(fact), what="The fact", force=force)
        with self._kernel.database.transaction():
            return self._store.save_private(fact)

    def _again(self, same: StoredFact, fact: Fact, *, private: bool) -> StoredFact:
        """Let the one that is known gain what is said of it now: nothing makes it less certain or less trusted."""
        old = same.fact
        trusted = max(old, fact, key=lambda one: self._weights.trust(one.source))
        merged = replace(
            old,
            status=FactStatus.CONFIRMED if FactStatus.CONFIRMED in (fact.status, old.status) else FactStatus.STAGED,
            confidence=max(old.confidence, fact.confidence),
            source=trusted.source,
            source_ref=trusted.source_ref,
            source_print=trusted.source_print,
            valid_until=None,
            superseded_by=None,
        )
        if same.private and not private:
            self._sync.write(merged)
            return self._store.by_numbers([same.id])[0]
        return self._rewrite(same, merged)

    def _settled(self, added: Added, said: Fact, others: Sequence[StoredFact]) -> Added:
        """Let a value of a predicate that takes one supersede what it may, by how it was `said` now."""
        yielding = [
            one
            for one in others
            if said.confidence >= CERTAIN
            and self._weights.trust(one.fact.source) <= self._weights.trust(said.source)
            # What one person keeps for himself ends nothing that all know.
            and (one.private or not added.stored.private)
        ]
        now, uid = self._kernel.now(), added.stored.fact.uid
        past = [
            self._rewrite(one, replace(one.fact, status=FactStatus.SUPERSEDED, valid_until=now, superseded_by=uid))
            for one in yielding
        ]
        conflicting = tuple(one for one in others if one not in yielding)
        return replace(added, superseded=tuple(past), conflicting=conflicting)

    def _rewrite(self, stored: StoredFact, fact: Fact) -> StoredFact:
        """Write a fact anew if it changed; one that only a document states gets a record of its own in any case."""
        if stored.private:
            self._privately(fact)
        elif fact != stored.fact or stored.record is None:
            self._sync.write(fact, record=stored.record)
        return self._store.by_numbers([stored.id])[0]

    def _scored(self, facts: Collection[StoredFact]) -> tuple[Scored, ...]:
        now, places = self._kernel.clock.now(), judged(self._kernel, [one.fact for one in facts])
        return tuple(
            Scored(
                stored=one,
                place=places.get(one.fact.uid),
                score=fact_score(
                    one.fact,
                    accesses=one.accesses,
                    last_accessed_at=one.last_accessed_at,
                    now=now,
                    weights=self._weights,
                ),
            )
            for one in facts
        )


def confirm(kernel: Kernel, facts: FactRefs) -> tuple[StoredFact, ...]:
    """Say that facts are true; what was superseded or retracted holds again.

    Example:
      tx fact:confirm 12
    """
    return _each(kernel, facts, Facts.confirm)


def retract(kernel: Kernel, facts: FactRefs) -> tuple[StoredFact, ...]:
    """Say that facts do not hold; they stay in the history.

    Example:
      tx fact:retract 12
    """
    return _each(kernel, facts, Facts.retract)


def _each(kernel: Kernel, refs: Sequence[Ref], change: Callable[[Facts, Ref], StoredFact]) -> tuple[StoredFact, ...]:
    facts = kernel.one(Facts)
    for ref in refs:  # none is changed when one of them names nothing
        facts.get(ref)
    return tuple(change(facts, ref) for ref in refs)


def single_valued(kernel: Kernel) -> frozenset[str]:
    """Return the predicates that take one value, as the settings have it."""
    return frozenset(map(clean_predicate, kernel.config.texts("facts.single_valued")))


def _says(stored: StoredFact) -> tuple[bool, str]:
    """Return what a fact says of its subject so that two that say the same are equal."""
    if stored.fact.value is not None:
        return False, stored.fact.value
    return True, entity_key(stored.object_name or "")
