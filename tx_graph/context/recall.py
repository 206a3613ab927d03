"""The recall room: the entities that a question is about, what is known of them, and how it is told."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from tx_graph.core.database import Database
from tx_graph.core.errors import ModelError, StorageError, UsageError
from tx_graph.core.identifiers import is_telling
from tx_graph.core.ports import Clock
from tx_graph.core.text import CountTokens, by_characters
from tx_graph.core.working_tree import WorkingTree, iso
from tx_graph.documents.search import State, States
from tx_graph.documents.stating import statement_uid
from tx_graph.graph.edges import NodeId
from tx_graph.graph.pack import Chosen, Section, packed
from tx_graph.knowledge.entity import StoredEntity
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import FactSource, FactStatus, StoredFact, fact_score
from tx_graph.knowledge.fact_store import FactStore, FactsVersion
from tx_graph.knowledge.spreading import Recalled, RecallLimits, Stated, Told, narrative, ranked, spread, stated
from tx_graph.vectors.embedding import Embedding
from tx_graph.vectors.store import WarmVectors

_MOST_ANCHORS = 100


class MatchedBy(StrEnum):
    """How a question led to an entity."""

    NAME = "name"
    ALIAS = "alias"
    VECTOR = "vector"
    WORDS = "words"


class FactState(StrEnum):
    """Whether the document that a fact comes from still is what was read of it, and still says so."""

    FRESH = "fresh"
    CHANGED = "changed"
    GONE = "gone"
    UNSTATED = "unstated"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """A question, and how much of an answer is wanted.

    Attributes:
        text: The question, or what somebody talks about.
        anchors: Most entities to start from.
        limits: How far to go from there, and how much to tell.
        moment: The UTC time for which the answer is to hold; None for now.
        budget: Most tokens of the narrative; None for as many as it takes.
        is_counted: Whether to count that the facts were recalled, which in time promotes them.
    """

    text: str
    anchors: int = 3
    limits: RecallLimits = field(default_factory=RecallLimits)
    moment: str | None = None
    budget: int | None = None
    is_counted: bool = True

    def __post_init__(self) -> None:
        """Raise UsageError for what cannot be asked."""
        if not self.text.strip():
            raise UsageError("The query is empty.", hint="Say what to recall, in quotes.")
        if not 1 <= self.anchors <= _MOST_ANCHORS:
            raise UsageError(f"The anchors must be from 1 to {_MOST_ANCHORS}, not {self.anchors}.")
        if self.budget is not None and self.budget < 1:
            raise UsageError(f"The budget must be at least 1 token, not {self.budget}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """An entity that the question is about, how that is known, and how well it matches, in [0, 1]."""

    entity: StoredEntity
    score: float
    matched_by: MatchedBy


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledFact:
    """A fact as it is told.

    `score` says how much it counts beside others, from 0 on; `hops` how many facts lead from an anchor to it, itself
    included. `state` is that of the document it comes from, None of what comes from none. `is_conflicting`: another
    fact says otherwise.
    """

    stored: StoredFact
    score: float
    hops: int
    state: FactState | None = None
    is_conflicting: bool = False

    @property
    def marks(self) -> tuple[str, ...]:
        """What must be said with it, so that nobody takes it for more than it is."""
        return tuple(self._marks())

    def _marks(self) -> Sequence[str]:
        fact = self.stored.fact
        place = (fact.source_ref or "").partition("#")[0]
        marks = ["staged"] if fact.status is FactStatus.STAGED else []
        marks += ["conflicting"] if self.is_conflicting else []
        marks += [f"until {fact.valid_until[:10]}"] if fact.valid_until else []
        return [*marks, *([_TOLD_STATES[self.state].format(place=place)] if self.state in _TOLD_STATES else [])]


_TOLD_STATES: dict[FactState | None, str] = {
    FactState.CHANGED: "{place} changed",
    FactState.GONE: "{place} is gone",
    FactState.UNSTATED: "{place} says so no more",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallAnswer:
    """What is recalled: where it starts, the facts that are told, best first, and their narrative in Markdown.

    `found` counts the facts that were met; `notices` are sentences for whoever asked.
    """

    query: str
    anchors: tuple[Anchor, ...]
    facts: tuple[RecalledFact, ...]
    narrative: str
    found: int
    notices: tuple[str, ...] = ()

    @property
    def omitted(self) -> int:
        """How many facts were met and are not told."""
        return self.found - len(self.facts)


LIFETIME = timedelta(seconds=60)
_MOST = 256
"""Answers to keep: an agent asks the same few things."""

T = TypeVar("T")


class _Entry(NamedTuple, Generic[T]):
    """An answer, of which version of the graph it is, and when it was given."""

    value: T
    version: int
    at: datetime


class Cache(Generic[T]):
    """Keeps answers for a minute, in this process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: OrderedDict[Hashable, _Entry[T]] = OrderedDict()

    def get(self, question: Hashable, *, version: int) -> T | None:
        """Return the answer to a question that this version of the graph gave in the last minute; else None."""
        entry = self._entries.get(question)
        if entry is None or entry.version != version or not timedelta() <= self._clock.now() - entry.at < LIFETIME:
            return None
        return entry.value

    def put(self, question: Hashable, value: T, *, version: int) -> None:
        """Keep an answer; the oldest one goes where there are too many."""
        self._entries.pop(question, None)
        self._entries[question] = _Entry(value, version, self._clock.now())
        if len(self._entries) > _MOST:
            self._entries.popitem(last=False)


_STATES = {State.FRESH: FactState.FRESH, State.CHANGED: FactState.CHANGED, State.GONE: FactState.GONE}


class FactStates:
    """Compares the documents of facts with what was read of them."""

    def __init__(self, *, states: States, tree: WorkingTree) -> None:
        self._states = states
        self._tree = tree

    def of(self, facts: Sequence[StoredFact]) -> dict[int, FactState]:
        """Return the state of each fact, by number, that names a place in this repository as its source."""
        places = {stored.id: place for stored in facts if (place := _place(stored))}
        documents = self._states.of(set(places.values()))
        found = {
            stored.id: self._state(stored, places[stored.id], documents) for stored in facts if stored.id in places
        }
        return {number: state for number, state in found.items() if state is not None}

    def _state(self, stored: StoredFact, place: str, documents: Mapping[str, State]) -> FactState | None:
        if place not in documents:
            return None if self._tree.exists(place) else FactState.GONE
        state = _STATES[documents[place]]
        return FactState.UNSTATED if state is FactState.FRESH and _was_stated(stored, place) else state


def _place(stored: StoredFact) -> str:
    """Return the path of the file that a fact comes from; empty if it comes from none."""
    if stored.fact.source is not FactSource.FILE:
        return ""
    return (stored.fact.source_ref or "").partition("#")[0]


def _was_stated(stored: StoredFact, place: str) -> bool:
    """Whether a document stated it once and does not any more; what people say of a document it need not state."""
    fact = stored.fact
    if stored.section is not None:
        return False
    return fact.uid == statement_uid(place, fact.subject, fact.predicate, fact.object or "", fact.value or "")


def fitting(
    facts: Sequence[RecalledFact], entities: Sequence[NodeId], *, budget: int | None, count: CountTokens
) -> tuple[Sequence[RecalledFact], str]:
    """Return the facts that the budget holds, and their narrative; its last line says what did not get in.

    Raises:
        UsageError: Not even that line fits.
    """
    if budget is None:
        return facts, _text(facts, entities)
    chosen = packed(
        [Section(items=len(facts), share=1.0)],
        budget=budget,
        cost=lambda chosen: count(_cut(facts, entities, chosen)),
    )
    return [facts[place] for place in chosen[0]], _cut(facts, entities, chosen)


def _cut(facts: Sequence[RecalledFact], entities: Sequence[NodeId], chosen: Chosen) -> str:
    text = _text([facts[place] for place in chosen[0]], entities)
    left = len(facts) - len(chosen[0])
    more = f"… and {left:,} more {'fact' if left == 1 else 'facts'}; a bigger --budget shows more." if left else ""
    return "\n\n".join(filter(None, (text, more)))


def _text(facts: Sequence[RecalledFact], entities: Sequence[NodeId]) -> str:
    return narrative((Told(one.stored, one.marks) for one in facts), entities)


_LEAST_SIMILARITY = 0.3
"""Cosine below which an entity has nothing to do with a question. With all-MiniLM-L6-v2, names as short as these have
.1 to .25 with questions about something else."""
_LEAST_SHARE = 0.5
"""Of the best match that another one needs, a name that is stated being a whole one: a question has few subjects."""


class Anchors(NamedTuple):
    """Where spreading starts, the best first, and sentences about what could not be looked at."""

    found: tuple[Anchor, ...]
    notices: tuple[str, ...] = ()


class AnchorSearch:
    """Looks for entities. What a question states word for word comes first: no likeness is as good."""

    def __init__(self, *, entities: EntityStore, vectors: WarmVectors, embedding: Embedding) -> None:
        self._entities = entities
        self._vectors = vectors
        self._embedding = embedding

    def about(self, text: str, *, most: int) -> Anchors:
        """Return at most so many entities that a text is about."""
        named = self._stated(text)
        best = _most_telling(named, most)
        notices: list[str] = []
        likely: dict[NodeId, tuple[float, MatchedBy]] = {}
        if len(best) < most and (is_telling(named.rest) or not best):
            likely = self._by_meaning(text, most=most, is_named=bool(best), notices=notices)
            likely = likely or self._by_words(named.rest, most=most)
        return Anchors(self._told(best, likely, most), tuple(notices))

    def stated(self, text: str, *, most: int) -> list[NodeId]:
        """Return at most so many entities that a text names word for word, in its order."""
        return list(_most_telling(self._stated(text), most))

    def _stated(self, text: str) -> Stated:
        return stated(text, self._entities.by_keys, is_name=is_telling)

    def _by_meaning(
        self, text: str, *, most: int, is_named: bool, notices: list[str]
    ) -> dict[NodeId, tuple[float, MatchedBy]]:
        try:
            asked = self._embedding.entity_query_vector(text)
        except ModelError as error:
            notices.append(f"{error.message} {error.hint}".strip())
            return {}
        if asked is None:
            return {}
        vector, embedder = asked
        nearest = self._vectors.nearest(vector, model=self._embedding.name, dimension=embedder.dimension, limit=most)
        top = 1.0 if is_named else max((cosine for _, cosine in nearest), default=0.0)
        least = max(_LEAST_SIMILARITY, _LEAST_SHARE * top)
        return {node: (cosine, MatchedBy.VECTOR) for node, cosine in nearest if cosine >= least}

    def _by_words(self, rest: str, *, most: int) -> dict[NodeId, tuple[float, MatchedBy]]:
        """Return what matches those words that name nothing yet."""
        rows = self._entities.by_words(rest, limit=most) if is_telling(rest) else []
        top = rows[0][1] if rows else 0.0
        return {node: (score / top, MatchedBy.WORDS) for node, score in rows if score >= _LEAST_SHARE * top}

    def _told(
        self, best: Mapping[NodeId, str], likely: Mapping[NodeId, tuple[float, MatchedBy]], most: int
    ) -> tuple[Anchor, ...]:
        chosen = list(dict.fromkeys((*best, *likely)))[:most]
        entities = self._entities.by_nodes(chosen)
        found: list[Anchor] = []
        for node in chosen:
            if (entity := entities.get(node)) is None:
                continue
            if node in best:
                how = MatchedBy.NAME if best[node] == entity.key else MatchedBy.ALIAS
                found.append(Anchor(entity=entity, score=1.0, matched_by=how))
            else:
                score, how = likely[node]
                found.append(Anchor(entity=entity, score=min(score, 1.0), matched_by=how))
        return tuple(found)


def _most_telling(named: Stated, most: int) -> dict[NodeId, str]:
    """Return at most so many of the names, the longer ones, in the order of the text."""
    longest = sorted(named.names, key=lambda node: (-len(named.names[node]), node))
    chosen = _first(longest, most)
    return {node: key for node, key in named.names.items() if node in chosen}


def _first(nodes: Iterable[NodeId], most: int) -> Collection[NodeId]:
    return set(list(nodes)[:most])


Conflicting = Callable[[Collection[StoredFact]], Collection[int]]
"""Says which of these facts, by number, others contradict."""
_CUT = "The facts lead to more entities than are looked at; fewer --hops tell all of them."


class _Recollection(NamedTuple):
    """What a question calls up, before it is looked at what holds now; `entities` in the order of the narrative."""

    anchors: tuple[Anchor, ...]
    facts: Sequence[Recalled]
    entities: Sequence[NodeId]
    notices: tuple[str, ...]


class Recall:
    """Tells what is known of the entities that a question is about."""

    def __init__(
        self,
        *,
        database: Database,
        anchors: AnchorSearch,
        facts: FactStore,
        version: FactsVersion,
        states: FactStates,
        conflicting: Conflicting,
        clock: Clock,
    ) -> None:
        self._database = database
        self._anchors = anchors
        self._facts = facts
        self._version = version
        self._states = states
        self._conflicting = conflicting
        self._clock = clock
        self._cache: Cache[_Recollection] = Cache(clock)

    def ask(self, request: RecallRequest, *, count: CountTokens = by_characters) -> RecallAnswer:
        """Return the facts that a question calls up, and count that they were.

        What is asked again within a minute is not counted again, nor is what held in the past; nothing is where the
        request says so.

        Raises:
            UsageError: Not even the line that says what was left out is within the budget.
        """
        found, is_new = self._recollection(request)
        told = self.told(found.facts[: request.limits.max_facts])
        shown, text = fitting(told, found.entities, budget=request.budget, count=count)
        if is_new and request.is_counted and request.moment is None:
            self._count([one.stored.id for one in shown])
        return RecallAnswer(
            query=request.text,
            anchors=found.anchors,
            facts=tuple(shown),
            narrative=text,
            found=len(found.facts),
            notices=found.notices,
        )

    def told(self, facts: Sequence[Recalled]) -> list[RecalledFact]:
        """Return facts with what is to say of them now: what became of their documents, and what contradicts them."""
        stored = [one.fact for one in facts]
        states, conflicting = self._states.of(stored), self._conflicting(stored)
        return [
            RecalledFact(
                stored=one.fact,
                score=one.score,
                hops=one.hops,
                state=states.get(one.fact.id),
                is_conflicting=one.fact.id in conflicting,
            )
            for one in facts
        ]

    def known_of(self, entities: Sequence[NodeId], limits: RecallLimits) -> list[Recalled]:
        """Return the live facts about some entities, and about what these lead to, best first."""
        return self._ranked(entities, limits, None)[0]

    def _recollection(self, request: RecallRequest) -> tuple[_Recollection, bool]:
        """Return what a question calls up, and whether it was found out just now."""
        question = (request.text, request.anchors, request.limits, request.moment)
        version = self._version.now()
        known = self._cache.get(question, version=version)
        if known is not None:
            return known, False
        found = self._called_up(request)
        self._cache.put(question, found, version=version)
        return found, True

    def _called_up(self, request: RecallRequest) -> _Recollection:
        anchors = self._anchors.about(request.text, most=request.anchors)
        nodes = [anchor.entity.node for anchor in anchors.found]
        facts, entities, is_cut = self._ranked(nodes, request.limits, request.moment)
        notices = (*anchors.notices, _CUT) if is_cut else anchors.notices
        return _Recollection(anchors.found, facts, entities, notices)

    def _ranked(
        self, anchors: Sequence[NodeId], limits: RecallLimits, moment: str | None
    ) -> tuple[list[Recalled], Sequence[NodeId], bool]:
        def facts_of(entities: Collection[NodeId]) -> Mapping[NodeId, Sequence[StoredFact]]:
            if moment is None:
                return self._facts.live_of(entities, per_entity=limits.per_entity)
            return self._facts.held_at(moment, entities, per_entity=limits.per_entity)

        found = spread(anchors, facts_of, limits=limits)
        return ranked(found.facts, self._score), found.entities, found.is_cut

    def _score(self, stored: StoredFact) -> float:
        return fact_score(
            stored.fact, accesses=stored.accesses, last_accessed_at=stored.last_accessed_at, now=self._clock.now()
        )

    def _count(self, numbers: Sequence[int]) -> None:
        """Count accesses where that can be written now; an answer never waits or fails for it."""
        if self._database.read_only or not numbers:
            return
        with suppress(StorageError), self._database.impatient(), self._database.transaction():
            self._facts.count_accesses(numbers, now=iso(self._clock.now()))
