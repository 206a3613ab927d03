"""Recall: the entities that a question is about, what is known of them, and how it is told."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, ClassVar, NamedTuple

from tx_graph.core.arguments import Arg, Reads
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import ModelError, StorageError, UsageError
from tx_graph.core.identifiers import is_telling
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer, Word
from tx_graph.core.text import CountTokens, by_characters
from tx_graph.core.times import moment_of
from tx_graph.documents.search import State, states_of
from tx_graph.graph.edges import NodeId
from tx_graph.graph.pack import Chosen, Section, packed
from tx_graph.knowledge.entity import StoredEntity
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import FactSource, FactStatus, StoredFact, fact_score
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.facts import single_valued
from tx_graph.knowledge.spreading import (
    MAX_HOPS,
    Recalled,
    RecallLimits,
    Stated,
    Told,
    narrative,
    ranked,
    spread,
    stated,
)
from tx_graph.vectors.embedding import Embedding

_MOST_ANCHORS = 100
_STANDARD = RecallLimits()
LIFETIME = timedelta(seconds=60)
"""How long an answer is given again, as long as no fact changes."""
_MOST_ANSWERS = 256  # answers to keep: an agent asks the same few things
_LEAST_SIMILARITY = 0.3
"""Cosine below which an entity has nothing to do with a question. With all-MiniLM-L6-v2, names as short as these have
.1 to .25 with questions about something else."""
_LEAST_SHARE = 0.5
"""Of the best match that another one needs, a name that is stated being a whole one: a question has few subjects."""
_CUT = "The facts lead to more entities than are looked at; fewer --hops tell all of them."


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


_TOLD_STATES: dict[FactState | None, str] = {
    FactState.CHANGED: "{place} changed",
    FactState.GONE: "{place} is gone",
    FactState.UNSTATED: "{place} says so no more",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """An entity that the question is about, how that is known, and how well it matches, in [0, 1]."""

    JSON: ClassVar = "node=entity.key@entity ref=entity.ref name=entity.name type=entity.type score matched_by"

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
        fact = self.stored.fact
        marks = ["staged"] if fact.status is FactStatus.STAGED else []
        marks += ["conflicting"] if self.is_conflicting else []
        marks += [f"until {fact.valid_until[:10]}"] if fact.valid_until else []
        place = (fact.source_ref or "").partition("#")[0]
        marks += [_TOLD_STATES[self.state].format(place=place)] if self.state in _TOLD_STATES else []
        return tuple(marks)

    JSON: ClassVar = "*stored score=rounded hops verdict=word conflicting=is_conflicting"

    @property
    def rounded(self) -> float:
        """The score as it is shown."""
        return round(self.score, 6)

    @property
    def word(self) -> Word | None:
        """The verdict on its document, as JSON has it."""
        return Word(self.state) if self.state else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallAnswer(Answer):
    """What is recalled: where it starts, the facts that are told, best first, and their narrative in Markdown.

    `found` counts the facts that were met; `notices` are sentences for whoever asked.
    """

    JSON: ClassVar = "query anchors facts narrative found omitted notices"

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

    def __iter__(self) -> Iterator[RecalledFact]:
        """Go through them, best first."""
        return iter(self.facts)


def recall(
    kernel: Kernel,
    text: Annotated[str, Arg("QUERY", "What to recall: a question, or names; '-' reads stdin.", reads=Reads.DASH)],
    *,
    hops: Annotated[
        int, Arg("N", "How many facts lead from an anchor to the last one, 0 to 10.", most=MAX_HOPS)
    ] = _STANDARD.hops,
    anchors: Annotated[int, Arg("N", "Most entities to start from.")] = 3,
    max_facts: Annotated[int, Arg("N", "Most facts to tell, the best of all that are met.")] = _STANDARD.max_facts,
    per_entity: Annotated[int, Arg("N", "Most facts to look at of one entity, by confidence.")] = _STANDARD.per_entity,
    as_of: Annotated[
        str | None, Arg("DATE", "What held then: 2026-11-20 (its end) or a UTC time.", mcp="what held on a date")
    ] = None,
    budget: Annotated[int | None, Arg("TOKENS", "Most tokens to tell, as characters / 4.")] = None,
    is_counted: bool = True,
) -> RecallAnswer:
    """Tell what is known of what a question is about, and of what that leads to.

    It starts from the entities that the question names; else from those that mean something like it (where the
    embedding model is installed), or share words with it. From there facts lead to other entities. What is told is
    marked where it is only staged, where other facts contradict it, and where its document has changed since it was
    read. Each fact that is told counts as accessed, which lets staged ones be promoted.

    Example:
      tx recall "what does the billing service use?"
      tx recall DuckDB --hops 1 --json
      tx recall "who owns the importer" --as-of 2026-06-30 --budget 300
    """
    return kernel.one(Recall).ask(
        text,
        anchors=anchors,
        limits=RecallLimits(hops=hops, max_facts=max_facts, per_entity=per_entity),
        moment=None if as_of is None else moment_of(as_of),
        budget=budget,
        is_counted=is_counted,
    )


class _Recollection(NamedTuple):
    """What a question calls up, before it is looked at what holds now; `entities` in the order of the narrative."""

    anchors: tuple[Anchor, ...]
    facts: Sequence[Recalled]
    entities: Sequence[NodeId]
    notices: tuple[str, ...]


class Recall:
    """Tells what is known of the entities that a question is about; what it found is kept for a minute."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._facts = FactStore(kernel.database)
        self._entities = EntityStore(kernel.database)
        self._embedding = kernel.one(Embedding)
        self._kept: OrderedDict[Hashable, tuple[_Recollection, int, datetime]] = OrderedDict()

    def forget(self) -> None:
        """Keep what was found: it is known of which version of the facts that is."""

    def ask(
        self,
        text: str,
        *,
        anchors: int = 3,
        limits: RecallLimits = _STANDARD,
        moment: str | None = None,
        budget: int | None = None,
        is_counted: bool = True,
        count: CountTokens = by_characters,
    ) -> RecallAnswer:
        """Return the facts that a question calls up, and count that they were.

        It starts from so many `anchors` at most. `moment` is the UTC time for which the answer is to hold, None for
        now. What is asked again within a minute is not counted again, nor is what held in the past; nothing is unless
        it `is_counted`.
        """
        if not text.strip():
            raise UsageError("The query is empty.", hint="Say what to recall, in quotes.")
        if not 1 <= anchors <= _MOST_ANCHORS:
            raise UsageError(f"The anchors must be from 1 to {_MOST_ANCHORS}, not {anchors}.")
        if budget is not None and budget < 1:
            raise UsageError(f"The budget must be at least 1 token, not {budget}.")
        found, is_new = self._recollection(text, anchors, limits, moment)
        told = self.told(found.facts[: limits.max_facts])
        shown, narrative = _fitting(told, found.entities, budget=budget, count=count)
        database, numbers = self._kernel.database, [one.stored.id for one in shown]
        # Where that can be written now: no answer waits for it.
        if is_counted and is_new and moment is None and numbers and not database.read_only:
            with suppress(StorageError), database.impatient(), database.transaction():
                self._facts.count_accesses(numbers, now=self._kernel.now())
        return RecallAnswer(
            query=text,
            anchors=found.anchors,
            facts=tuple(shown),
            narrative=narrative,
            found=len(found.facts),
            notices=found.notices,
        )

    def told(self, facts: Sequence[Recalled]) -> list[RecalledFact]:
        """Return facts with what is to say of them now: what became of their documents, and what contradicts them."""
        stored = [one.fact for one in facts]
        states = self._states(stored)
        conflicting = self._facts.contradicted(stored, single_valued=single_valued(self._kernel))
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

    def _recollection(
        self, text: str, most: int, limits: RecallLimits, moment: str | None
    ) -> tuple[_Recollection, bool]:
        """Return what a question calls up, and whether it was found out just now."""
        question = (text, most, limits, moment)
        version, now = self._facts.version(), self._kernel.clock.now()
        if kept := self._kept.pop(question, None):
            found, of_version, at = kept
            if of_version == version and timedelta() <= now - at < LIFETIME:
                self._kept[question] = kept
                return found, False
        anchors, notices = self.about(text, most=most)
        nodes = [anchor.entity.node for anchor in anchors]
        facts, entities, is_cut = self._ranked(nodes, limits, moment)
        found = _Recollection(anchors, facts, entities, (*notices, _CUT) if is_cut else notices)
        self._kept[question] = (found, version, now)
        if len(self._kept) > _MOST_ANSWERS:
            self._kept.popitem(last=False)
        return found, True

    def _ranked(
        self, anchors: Sequence[NodeId], limits: RecallLimits, moment: str | None
    ) -> tuple[list[Recalled], Sequence[NodeId], bool]:
        now = self._kernel.clock.now()

        def facts_of(entities: Collection[NodeId]) -> Mapping[NodeId, Sequence[StoredFact]]:
            return self._facts.of_subjects(entities, per_entity=limits.per_entity, moment=moment)

        def score(one: StoredFact) -> float:
            return fact_score(one.fact, accesses=one.accesses, last_accessed_at=one.last_accessed_at, now=now)

        found = spread(anchors, facts_of, limits=limits)
        return ranked(found.facts, score), found.entities, found.is_cut

    def _states(self, facts: Sequence[StoredFact]) -> dict[int, FactState]:
        """Return the state of each fact, by number, that names a place in this repository as its source."""
        from tx_graph.documents.stating import statement_uid

        tree = self._kernel.checkout.tree
        places = {
            one.id: (one.fact.source_ref or "").partition("#")[0] for one in facts if one.fact.source is FactSource.FILE
        }
        documents = states_of(self._kernel, {*places.values()} - {""})
        found = {}
        for one in facts:
            if not (place := places.get(one.id)):
                continue
            if place in documents:
                fact, state = one.fact, _STATES[documents[place]]
                said = (place, fact.subject, fact.predicate, fact.object or "", fact.value or "")
                # What a document stated once and does not any more; what people say of one it need not state.
                is_unstated = one.section is None and fact.uid == statement_uid(*said)
                found[one.id] = FactState.UNSTATED if state is FactState.FRESH and is_unstated else state
            elif not tree.exists(place):
                found[one.id] = FactState.GONE
        return found

    # Which entities a question is about: what it states word for word comes first, no likeness is as good.

    def about(self, text: str, *, most: int) -> tuple[tuple[Anchor, ...], tuple[str, ...]]:
        """Return at most so many entities that a text is about, best first, and what could not be looked at."""
        named = stated(text, self._entities.by_keys, is_name=is_telling)
        best = _most_telling(named, most)
        notices: list[str] = []
        likely: dict[NodeId, tuple[float, MatchedBy]] = {}
        if len(best) < most and (is_telling(named.rest) or not best):
            likely = self._by_meaning(text, most=most, is_named=bool(best), notices=notices)
            likely = likely or self._by_words(named.rest, most=most)
        chosen = list(dict.fromkeys((*best, *likely)))[:most]
        entities = self._entities.by_nodes(chosen)
        found: list[Anchor] = []
        for node in chosen:
            if (entity := entities.get(node)) is None:
                continue
            if node in best:
                score, how = 1.0, MatchedBy.NAME if best[node] == entity.key else MatchedBy.ALIAS
            else:
                score, how = likely[node]
            found.append(Anchor(entity=entity, score=min(score, 1.0), matched_by=how))
        return tuple(found), tuple(notices)

    def stated(self, text: str, *, most: int) -> list[NodeId]:
        """Return at most so many entities that a text names word for word, in its order."""
        return list(_most_telling(stated(text, self._entities.by_keys, is_name=is_telling), most))

    def _by_meaning(
        self, text: str, *, most: int, is_named: bool, notices: list[str]
    ) -> dict[NodeId, tuple[float, MatchedBy]]:
        try:
            asked = self._embedding.asked(text, "entities")
        except ModelError as error:
            notices.append(f"{error.message} {error.hint}".strip())
            return {}
        if asked is None:
            return {}
        nearest = asked.nearest(None, most)
        top = 1.0 if is_named else max((cosine for _, cosine in nearest), default=0.0)
        least = max(_LEAST_SIMILARITY, _LEAST_SHARE * top)
        return {node: (cosine, MatchedBy.VECTOR) for node, cosine in nearest if cosine >= least}

    def _by_words(self, rest: str, *, most: int) -> dict[NodeId, tuple[float, MatchedBy]]:
        """Return what matches those words that name nothing yet."""
        rows = self._entities.by_words(rest, limit=most) if is_telling(rest) else []
        top = rows[0][1] if rows else 0.0
        return {node: (score / top, MatchedBy.WORDS) for node, score in rows if score >= _LEAST_SHARE * top}


_STATES = {State.FRESH: FactState.FRESH, State.CHANGED: FactState.CHANGED, State.GONE: FactState.GONE}


def _fitting(
    facts: Sequence[RecalledFact], entities: Sequence[NodeId], *, budget: int | None, count: CountTokens
) -> tuple[Sequence[RecalledFact], str]:
    """Return the facts that the budget holds, and their narrative; its last line says what did not get in."""

    def text_of(chosen: Chosen) -> str:
        text = narrative([Told(facts[place].stored, facts[place].marks) for place in chosen[0]], entities)
        left = len(facts) - len(chosen[0])
        more = f"… and {left:,} more {'fact' if left == 1 else 'facts'}; a bigger --budget shows more." if left else ""
        return "\n\n".join(filter(None, (text, more)))

    if budget is None:
        return facts, narrative([Told(one.stored, one.marks) for one in facts], entities)
    chosen = packed([Section(items=len(facts), share=1.0)], budget=budget, cost=lambda one: count(text_of(one)))
    return [facts[place] for place in chosen[0]], text_of(chosen)


def _most_telling(named: Stated, most: int) -> dict[NodeId, str]:
    """Return at most so many of the names, the longer ones, in the order of the text."""
    longest = sorted(named.names, key=lambda node: (-len(named.names[node]), node))[:most]
    return {node: key for node, key in named.names.items() if node in longest}
