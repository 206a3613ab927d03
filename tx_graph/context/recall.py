"""Recall: the entities that a question is about, what is known of them, and how it is told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.core.arguments import Arg, Reads, WithHub
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import ModelError, StorageError, UsageError
from tx_graph.core.identifiers import content_words, is_telling
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Rows, Word
from tx_graph.core.text import CountTokens, by_characters, counted, inert_line
from tx_graph.core.times import moment_of
from tx_graph.documents.search import State, states_of
from tx_graph.graph.edges import NodeId
from tx_graph.graph.elsewhere import Elsewhere, FromHub, hub_of
from tx_graph.graph.fuse import WORDS_SHARE
from tx_graph.graph.pack import Chosen, Section, packed
from tx_graph.knowledge.entity import StoredEntity, entity_key
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import FactSource, FactStatus, StoredFact, fact_score, fact_weights
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.facts import single_valued
from tx_graph.knowledge.places import judged
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
from tx_graph.vectors.embedding import Asked, Embedding, Sort

if TYPE_CHECKING:
    from tx_graph.context.who import Responsible

_MOST_ANCHORS = 100
LIFETIME = timedelta(seconds=60)
"""How long an answer is given again, as long as no fact changes."""
_LEAST_SIMILARITY = 0.3
"""Cosine below which an entity has nothing to do with a question. With all-MiniLM-L6-v2, names as short as these have
.1 to .25 with questions about something else."""
_LEAST_SHARE = 0.5
"""Of the best match that another one needs, a name that is stated being a whole one: a question has few subjects."""
_SAYS_IT, _SAYS_IT_ANYWHERE = 0.2, 0.35
"""Cosine from which on a fact says what is asked of what the question names, or of what it does not name."""
_POINTS_THERE = 0.25
"""Cosine from which on a fact that names what the question names is told, though it is about something else."""
_LEAST_VALUE = 3  # characters of a literal value that a question can name
_VAGUE = frozenset(
    """become became chose choose chosen come comes do does doing done get gets go goes going happen happened has have
    keep kept know known like live lives look looks make makes mean means say says stand stands tell think use used uses
    want wants work works""".split()
)
"""Verbs that ask for nothing in particular: whatever is known of what the question names may answer it."""
_AUXILIARY = frozenset("are can could did do does had has have is should was were will would".split())
ASKS_FOR_PEOPLE = re.compile(
    r"\bwho(?:m|se)?\b.{0,200}\b(?:own\w*|maintain\w*|wrote|writ\w+|author\w*|responsible|in charge|knows?|works?|ask"
    r"|review\w*)\b|\b(?:owners?|maintainers?|authors?|code ?owners?)\b.{0,200}\b(?:of|for)\b",
    re.IGNORECASE,
)
"""What a question has that is about people: who owns, wrote or knows something."""
_UNANSWERED = "No fact says what is asked; this is what is known of {names}."
_CUT = "The facts lead to more entities than are looked at; fewer --hops tell all of them."


class MatchedBy(StrEnum):
    """How a question led to an entity."""

    NAME = "name"
    ALIAS = "alias"
    VECTOR = "vector"
    WORDS = "words"


class FactState(StrEnum):
    """Whether what a fact comes from still is what was read of it, and still says so."""

    FRESH = "fresh"
    RELOCATED = "relocated"
    CHANGED = "changed"
    GONE = "gone"
    UNSTATED = "unstated"


_TOLD_STATES: dict[FactState | None, str] = {
    FactState.RELOCATED: "{place} is elsewhere",
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
    included, and `path` which: names, and predicates between them, up to its subject. `value` is what it names, if it
    is told for that and not for its subject. `relevance` says how much it has to do with the question, None where that
    asks nothing but a name. `state` is that of the document it comes from, None of what comes from none.
    `is_conflicting`: another fact says otherwise.
    """

    stored: StoredFact
    score: float
    hops: int
    path: tuple[str, ...] = ()
    value: str | None = None
    relevance: float | None = None
    state: FactState | None = None
    is_conflicting: bool = False

    @property
    def marks(self) -> tuple[str, ...]:
        """What must be said with it, so that nobody takes it for more than it is."""
        fact = self.stored.fact
        marks = ["staged"] if fact.status is FactStatus.STAGED else []
        marks += ["conflicting"] if self.is_conflicting else []
        marks += [f"until {fact.valid_until[:10]}"] if fact.valid_until else []
        place = fact.source_ref or ""
        place = place if fact.source_print else place.partition("#")[0]
        marks += [_TOLD_STATES[self.state].format(place=place)] if self.state in _TOLD_STATES else []
        return tuple(marks)

    JSON: ClassVar = (
        "*stored score=rounded hops path inverse_of=value relevance verdict=word conflicting=is_conflicting"
    )

    @property
    def rounded(self) -> float:
        """The score as it is shown."""
        return round(self.score, 6)

    @property
    def word(self) -> Word | None:
        """The verdict on its document, as JSON has it."""
        return Word(self.state) if self.state else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallAnswer(Rows[RecalledFact]):
    """What is recalled: where it starts, the facts that are told, best first, and their narrative in Markdown.

    `found` counts the facts that were met. `answered` is whether one of them says what was asked, as far as words and
    meaning tell: else they are what is known of what the question names. `who` answers for the code that a question
    about people names. `notices` are sentences for whoever asked, `elsewhere` facts from other repositories.
    """

    ROWS: ClassVar = "facts"
    JSON: ClassVar = "query anchors facts narrative found omitted answered who notices elsewhere"

    query: str
    anchors: tuple[Anchor, ...]
    facts: tuple[RecalledFact, ...]
    narrative: str
    found: int
    answered: bool = False
    who: tuple[Responsible, ...] = ()
    notices: tuple[str, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()

    @property
    def omitted(self) -> int:
        """How many facts were met and are not told."""
        return self.found - len(self.facts)


def recall(
    kernel: Kernel,
    text: Annotated[str, Arg("QUERY", "What to recall: a question, or names; '-' reads stdin.", reads=Reads.DASH)],
    *,
    hops: Annotated[
        int | None,
        Arg("N", "How many facts lead from an anchor to the last one, 0 to 10; else recall.hops.", most=MAX_HOPS),
    ] = None,
    anchors: Annotated[int | None, Arg("N", "Most entities to start from; else recall.anchors.")] = None,
    max_facts: Annotated[
        int | None, Arg("N", "Most facts to tell, the best of all that are met; else recall.max_facts.")
    ] = None,
    per_entity: Annotated[
        int | None, Arg("N", "Most facts to tell of one entity, those that answer; else recall.per_entity.")
    ] = None,
    as_of: Annotated[
        str | None, Arg("DATE", "What held then: 2026-11-20 (its end) or a UTC time.", mcp="held on a date")
    ] = None,
    budget: Annotated[int | None, Arg("TOKENS", "Most tokens to tell, as characters / 4.")] = None,
    hub: WithHub = False,
    is_counted: bool = True,
) -> RecallAnswer:
    """Tell what is known of what a question is about, and of what that leads to.

    It starts from the entities and values that the question names; else from those that mean something like it (where
    the embedding model is installed), or share words with it. From there facts lead to other entities. Those that have
    to do with the question come first, then those that count most. Facts that name what is asked about ('who uses
    DuckDB?') are told as pointing to it. What is told is marked where it is only staged, where other facts contradict
    it, and where its document has changed since it was read. Where no fact says what is asked, the answer says so.
    Asked who owns or wrote something, it also tells what 'tx who' does of the code that is called so. With --hub it
    tells the facts of other repositories too, with their commit and its age, and where these say something else.

    Example:
      tx recall "what does the billing service use?"
      tx recall "who uses DuckDB?"
      tx recall DuckDB --hops 1 --json
      tx recall "who owns the importer" --as-of 2026-06-30 --budget 300
      tx recall "who uses billing" --hub
    """
    asking = hub_of(kernel, is_asked=hub) if text.strip() and as_of is None else None
    most = max_facts or int(kernel.config.get("recall.max_facts"))
    asked = asking and asking.search(text, kinds={"fact": WORDS_SHARE}, limit=most)
    recalling, who = kernel.one(Recall), _people(kernel, text)
    given = {"hops": hops, "max_facts": max_facts, "per_entity": per_entity}
    found = recalling.ask(
        text,
        anchors=anchors,
        limits=replace(recalling.limits, **{name: most for name, most in given.items() if most is not None}),
        moment=None if as_of is None else moment_of(as_of),
        budget=budget,
        is_counted=is_counted,
    )
    if asked:
        found = with_elsewhere(kernel, found, asked.answer(), budget=budget)
    if not who:
        return found
    # What git says is no fact, and answers all the same.
    told = [f"### {inert_line(one.place)}\n" + "\n".join(f"- {line}" for line in one.sentences()) for one in who]
    notices = () if not found.answered else found.notices
    return replace(
        found, who=who, narrative="\n\n".join(filter(None, [found.narrative, *told])), answered=True, notices=notices
    )


def with_elsewhere(kernel: Kernel, found: RecallAnswer, told: FromHub, *, budget: int | None) -> RecallAnswer:
    """Return an answer with the facts that a hub found beside it, as far as the budget goes.

    A predicate that has one value, and has another one here, is a contradiction.
    """
    known = {(entity_key(one.stored.subject_name), one.stored.fact.predicate): one.stored.told for one in found.facts}
    single, others, used = single_valued(kernel), [], by_characters(found.narrative)
    for one in told.found:
        predicate, _, said = one.text.partition(": ")
        ours = known.get((entity_key(one.title), predicate)) if predicate in single else None
        differs = ours is not None and entity_key(ours) != entity_key(said)
        used += by_characters(f"{one.told} {one.title} {one.text}")
        if budget is not None and used > budget:
            break
        others.append(replace(one, contradicts=ours) if differs else one)
    notices = found.notices if found.answered or not others else ()
    return replace(found, elsewhere=tuple(others), notices=(*notices, *told.notices))


def _people(kernel: Kernel, text: str) -> tuple[Responsible, ...]:
    """Return who answers for the code that a question about people names."""
    if not ASKS_FOR_PEOPLE.search(text):
        return ()
    from tx_graph.context.who import Ownership

    return kernel.one(Ownership).about(text)


class _Counts(NamedTuple):
    """What counts in the order of facts, beside a cosine: the settings `recall.*` that say so."""

    words: float
    named: float
    score: float
    direction: float


class _Recollection(NamedTuple):
    """What a question calls up, before it is looked at what holds now; `entities` in the order of the narrative."""

    anchors: tuple[Anchor, ...]
    facts: Sequence[Recalled]
    entities: Sequence[NodeId]
    found: int
    answered: bool
    notices: tuple[str, ...]


class _Asking:
    """How much facts have to do with what a question asks besides the names in it, by words and by meaning."""

    def __init__(self, facts: FactStore, rest: str, asked: Asked | None, moment: str | None, counts: _Counts) -> None:
        self.rest = rest if is_telling(rest) else ""
        self._facts, self._asked, self._moment, self._counts = facts, asked, moment, counts
        self.words: dict[int, float] = {}
        self.cosines: dict[int, float] = {}

    def look_at(self, numbers: Collection[int]) -> None:
        """Find out about these facts."""
        if self.rest and numbers:
            self.words |= self._facts.by_words(self.rest, among=numbers, moment=self._moment)
            self.cosines |= dict(self._asked.nearest(numbers, len(numbers))) if self._asked else {}

    def anywhere(self, *, is_named: bool) -> list[int]:
        """Return the facts, whomever they are about, that mean what is asked, the best first.

        Where the question names nothing that is known, those that have all its words do, too.
        """
        whole = {}
        if self.rest and not is_named:
            whole = self._facts.by_words(self.rest, among=None, moment=self._moment, whole=True)
        near = self._asked.nearest(None, _MOST_ANCHORS) if self._asked and self.rest else []
        alike = [number for number, cosine in near if cosine >= _SAYS_IT_ANYWHERE]
        found = list(dict.fromkeys((*whole, *alike)))
        self.look_at(found)
        self.words |= whole
        return sorted(found, key=lambda number: -(self.relevance(number) or 0))

    def relevance(self, number: int) -> float | None:
        """Return how much a fact has to do with the question, None where nothing is asked."""
        if not self.rest:
            return None
        top = max(self.words.values(), default=0.0) or 1.0
        return round(
            self._counts.words * self.words.get(number, 0.0) / top + max(self.cosines.get(number, 0.0), 0.0), 6
        )

    @property
    def is_vague(self) -> bool:
        """Whether it asks for nothing in particular."""
        return not (self.rest and content_words(self.rest) - _VAGUE)

    def says_it(self, number: int, *, least: float) -> bool:
        """Whether a fact says what is asked: has a word of it, or means it."""
        return number in self.words or self.cosines.get(number, 0.0) >= least


class Recall:
    """Tells what is known of the entities that a question is about; what it found is kept for a minute."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._facts = FactStore(kernel.database)
        self._entities = EntityStore(kernel.database)
        self._embedding = kernel.one(Embedding)
        setting = {
            key: float(kernel.config.get(f"recall.{key}")) for key in (*_Counts._fields, *RecallLimits.__slots__)
        }
        self._counts = _Counts(*(setting[name] for name in _Counts._fields))
        self.limits = RecallLimits(**{name: int(setting[name]) for name in RecallLimits.__slots__})

    def forget(self) -> None:
        """Keep nothing: what was found is in the database, which knows of which version of the facts that is."""

    def ask(
        self,
        text: str,
        *,
        anchors: int | None = None,
        limits: RecallLimits | None = None,
        moment: str | None = None,
        budget: int | None = None,
        is_counted: bool = True,
        count: CountTokens = by_characters,
    ) -> RecallAnswer:
        """Return the facts that a question calls up, and count that they were.

        It starts from so many `anchors` at most; these and the limits are the settings' unless given. `moment` is the
        UTC time for which the answer is to hold, None for now. What is asked again within a minute is not counted
        again, nor is what held in the past; nothing is unless it `is_counted`.
        """
        if not text.strip():
            raise UsageError("The query is empty.", hint="Say what to recall, in quotes.")
        limits = limits or self.limits
        anchors = int(self._kernel.config.get("recall.anchors")) if anchors is None else anchors
        if not 1 <= anchors <= _MOST_ANCHORS:
            raise UsageError(f"The anchors must be from 1 to {_MOST_ANCHORS}, not {anchors}.")
        if budget is not None and budget < 1:
            raise UsageError(f"The budget must be at least 1 token, not {budget}.")
        # Spellings of one question are one; so are processes, which is why the database remembers.
        words = re.findall(r"\w+|[^\w\s?!.,;:'\"]", entity_key(text))
        question = json.dumps([words, anchors, limits.hops, limits.max_facts, limits.per_entity, moment, self._counts])
        at, now = self._kernel.clock.now(), self._kernel.now()
        since = (at - LIFETIME).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        database, version = self._kernel.database, self._facts.version()
        kept = self._facts.recollected(question, since=since)
        found = self._revived(kept) if kept else self._recollection(text, anchors, limits, moment)
        told = self.told(found.facts[: limits.max_facts])
        shown, narrative = _fitting(told, found.entities, budget=budget, count=count)
        # Where that can be written now: no answer waits for it.
        if is_counted and not kept and not database.read_only:
            with suppress(StorageError), database.impatient(), database.transaction():
                self._facts.recollect(question, _kept(found), version=version, since=since, now=now)
                if moment is None:
                    self._facts.count_accesses([one.stored.id for one in shown], now=now)
        return RecallAnswer(
            query=text,
            anchors=found.anchors,
            facts=tuple(shown),
            narrative=narrative,
            found=found.found,
            answered=found.answered,
            notices=found.notices,
        )

    def told(self, facts: Sequence[Recalled]) -> list[RecalledFact]:
        """Return facts with what is to say of them now: what became of their documents, and what contradicts them."""
        stored = [one.fact for one in facts]
        states = self.states(stored)
        conflicting = self._facts.contradicted(stored, single_valued=single_valued(self._kernel))
        return [
            RecalledFact(
                stored=one.fact,
                score=one.score,
                hops=one.hops,
                path=one.path,
                value=one.value,
                relevance=one.relevance,
                state=states.get(one.fact.id),
                is_conflicting=one.fact.id in conflicting,
            )
            for one in facts
        ]

    def known_of(self, text: str, worth: Mapping[NodeId, float], limits: RecallLimits) -> list[Recalled]:
        """Return the live facts about entities, those first that answer a text; `worth` says what each counts in it."""
        rest = _spaced(stated(text, self._entities.by_keys, is_name=is_telling).rest)
        asking = _Asking(self._facts, rest, self._asked(rest, "facts", []), None, self._counts)
        met, _, _, _ = self._spread(list(worth), asking, limits, None)
        told = [one._replace(relevance=asking.relevance(one.fact.id)) for one in ranked(met, self._scorer())]

        def points(one: Recalled) -> float:
            counts = worth[one.fact.subject]
            if one.relevance is None:
                return one.score * counts
            return one.relevance + self._counts.named * counts + self._counts.score * one.score

        return sorted(told, key=lambda one: (-points(one), one.fact.id))

    def _recollection(self, text: str, most: int, limits: RecallLimits, moment: str | None) -> _Recollection:
        """Return what a question calls up."""
        notices: list[str] = []
        keys: set[str] = set()

        def names_of(asked: Collection[str]) -> Mapping[str, NodeId]:
            keys.update(asked)
            return self._entities.by_keys(asked)

        named = stated(text, names_of, is_name=is_telling)
        told_values = {one for one in keys if len(one) >= _LEAST_VALUE and f" {one} " in f" {_spaced(named.rest)} "}
        values = self._facts.with_values(told_values, moment=moment) if told_values and limits.hops else {}
        rest = _spaced(named.rest)
        for value in sorted({entity_key(one) for one in values.values()}, key=len, reverse=True):
            rest = f" {rest} ".replace(f" {value} ", " ").strip()
        asked = self._asked(rest, "facts", notices) if limits.hops else None
        asking = _Asking(self._facts, rest, asked, moment, self._counts)
        anchors = self._about(text, named, most, notices)
        is_named = bool(named.names or values)
        elsewhere = asking.anywhere(is_named=is_named)[: limits.per_entity] if limits.hops else []
        nodes = [anchor.entity.node for anchor in anchors]
        facts, entities, numbers, is_cut = self._spread(nodes, asking, limits, moment)
        sure = {node for node in nodes if node in named.names}
        inverse = self._inverse(sure or set(nodes), asking, limits, moment) if limits.hops else {}
        inverse |= {number: value for number, value in values.items() if number not in numbers}
        asking.look_at(list(inverse))
        met = {one.fact.id: one for one in facts}
        # What only likeness leads to from its subject is told for what it names, if the question names that.
        others = {one for one in inverse if one not in met or met[one].fact.subject not in sure} | {*elsewhere} - {*met}
        for stored in self._facts.by_numbers(sorted(others)):
            named_there = inverse.get(stored.id)
            way = (named_there, stored.fact.predicate) if named_there is not None else ()
            met[stored.id] = Recalled(stored, 1, (*way, stored.subject_name), named_there)
        is_asked_for = _asks_for_subject(text, [*named.names.values(), *map(entity_key, values.values())])
        bonus = self._counts.direction if is_asked_for else -self._counts.direction

        def rank(one: Recalled) -> tuple[float, int, int]:
            if one.relevance is None:
                return (-one.score, one.hops, one.fact.id)
            is_named = one.fact.subject in sure or one.value is not None
            points = bonus if one.value is not None else 0.0
            return (
                -(one.relevance + self._counts.named * is_named + points + self._counts.score * one.score),
                one.hops,
                one.fact.id,
            )

        scored = ranked(met.values(), self._scorer())
        ordered = sorted((one._replace(relevance=asking.relevance(one.fact.id)) for one in scored), key=rank)
        if sure or values:
            answering = (one.fact.id for one in ordered if one.fact.subject in sure or one.value is not None)
            is_answered = bool(ordered) and (
                asking.is_vague or any(asking.says_it(number, least=_SAYS_IT) for number in answering) or bool(values)
            )
        else:
            is_answered = bool(elsewhere)
        if ordered and not is_answered:
            names = ", ".join(dict.fromkeys(anchor.entity.name for anchor in anchors))
            notices.append(_UNANSWERED.format(names=names))
        entities = [*dict.fromkeys((*entities, *(one.fact.subject for one in ordered)))]
        found = len(numbers | set(inverse) | set(elsewhere))
        notices += [_CUT] if is_cut else []
        return _Recollection(tuple(anchors), ordered, entities, found, is_answered, tuple(notices))

    def _inverse(
        self, nodes: Collection[NodeId], asking: _Asking, limits: RecallLimits, moment: str | None
    ) -> dict[int, str]:
        """Return the facts that name what the question is about, if that is asked or nothing else is known of it."""
        pointing = self._facts.numbers_of(nodes, moment=moment, named=True)
        about = self._facts.numbers_of(pointing, moment=moment)
        names = self._entities.by_nodes(pointing)
        found: dict[int, str] = {}
        for node, numbers in pointing.items():
            asking.look_at(numbers)
            asked = [one for one in numbers if not about.get(node) or asking.says_it(one, least=_POINTS_THERE)]
            asked.sort(key=lambda number: -(asking.relevance(number) or 0.0))
            found |= dict.fromkeys(asked[: limits.per_entity], names[node].name)
        return found

    def _spread(
        self, anchors: Sequence[NodeId], asking: _Asking, limits: RecallLimits, moment: str | None
    ) -> tuple[Sequence[Recalled], Sequence[NodeId], set[int], bool]:
        """Return the facts that lead from the anchors on, the entities, the numbers of all that there are, if cut."""
        looked_at: set[int] = set()

        def facts_of(entities: Collection[NodeId]) -> Mapping[NodeId, Sequence[StoredFact]]:
            numbers = self._facts.numbers_of(entities, moment=moment)
            every = [number for those in numbers.values() for number in those]
            looked_at.update(every)
            asking.look_at(every)
            best = {
                entity: sorted(those, key=lambda number: -(asking.relevance(number) or 0.0))[: limits.per_entity]
                for entity, those in numbers.items()
            }
            stored = {one.id: one for one in self._facts.by_numbers([one for those in best.values() for one in those])}
            return {entity: [stored[number] for number in those] for entity, those in best.items()}

        found = spread(anchors, facts_of, limits=limits)
        return found.facts, found.entities, looked_at, found.is_cut

    def _scorer(self) -> Callable[[StoredFact], float]:
        """Return how much a fact counts now."""
        now, weights = self._kernel.clock.now(), fact_weights(self._kernel.config.get)
        return lambda one: fact_score(
            one.fact, accesses=one.accesses, last_accessed_at=one.last_accessed_at, now=now, weights=weights
        )

    def _revived(self, kept: Mapping[str, Any]) -> _Recollection:
        """Return what a question called up a moment ago: the same facts and entities as they are now."""
        entities = self._entities.by_nodes([node for node, _, _ in kept["anchors"]])
        facts = {one.id: one for one in self._facts.by_numbers([number for number, *_ in kept["facts"]])}
        return _Recollection(
            anchors=tuple(
                Anchor(entity=entities[node], score=score, matched_by=MatchedBy(how))
                for node, score, how in kept["anchors"]
            ),
            facts=[
                Recalled(facts[number], hops, tuple(path), value, score, relevance)
                for number, hops, path, value, score, relevance in kept["facts"]
            ],
            entities=kept["entities"],
            found=kept["found"],
            answered=kept["answered"],
            notices=tuple(kept["notices"]),
        )

    def states(self, facts: Sequence[StoredFact]) -> dict[int, FactState]:
        """Return the state of each fact, by number, that names a place in this repository as its source."""
        from tx_graph.documents.stating import statement_uid

        tree = self._kernel.checkout.tree
        places = {
            one.id: (one.fact.source_ref or "").partition("#")[0] for one in facts if one.fact.source is FactSource.FILE
        }
        documents = states_of(self._kernel, {*places.values()} - {""})
        said_at = judged(self._kernel, [one.fact for one in facts])
        found = {one.id: _state(said_at[one.fact.uid]) for one in facts if one.fact.uid in said_at}
        for one in facts:
            if one.id in found or not (place := places.get(one.id)):
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

    def _about(self, text: str, named: Stated, most: int, notices: list[str]) -> list[Anchor]:
        """Return at most so many entities that a text is about, best first."""
        best = _most_telling(named, most)
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
        return found

    def stated(self, text: str, *, most: int) -> list[NodeId]:
        """Return at most so many entities that a text names word for word, in its order."""
        return list(_most_telling(stated(text, self._entities.by_keys, is_name=is_telling), most))

    def _by_meaning(
        self, text: str, *, most: int, is_named: bool, notices: list[str]
    ) -> dict[NodeId, tuple[float, MatchedBy]]:
        if (asked := self._asked(text, "entities", notices)) is None:
            return {}
        nearest = asked.nearest(None, most)
        top = 1.0 if is_named else max((cosine for _, cosine in nearest), default=0.0)
        least = max(_LEAST_SIMILARITY, _LEAST_SHARE * top)
        return {node: (cosine, MatchedBy.VECTOR) for node, cosine in nearest if cosine >= least}

    def _asked(self, text: str, sort: Sort, notices: list[str]) -> Asked | None:
        try:
            return self._embedding.asked(text, sort) if is_telling(text) else None
        except ModelError as error:
            notices += [one for one in [f"{error.message} {error.hint}".strip()] if one not in notices]
            return None

    def _by_words(self, rest: str, *, most: int) -> dict[NodeId, tuple[float, MatchedBy]]:
        """Return what matches those words that name nothing yet."""
        rows = self._entities.by_words(rest, limit=most) if is_telling(rest) else []
        top = rows[0][1] if rows else 0.0
        return {node: (score / top, MatchedBy.WORDS) for node, score in rows if score >= _LEAST_SHARE * top}


def _state(place: Judgement) -> FactState:
    """Return the state of a fact from the verdict on what says so; comments and formatting say nothing else."""
    if place.is_finding:
        return FactState.GONE if place.verdict is Verdict.INVALID else FactState.CHANGED
    return FactState.RELOCATED if place.verdict is Verdict.RELOCATED else FactState.FRESH


_STATES = {State.FRESH: FactState.FRESH, State.CHANGED: FactState.CHANGED, State.GONE: FactState.GONE}


def _kept(found: _Recollection) -> dict[str, Any]:
    """Return what was called up as JSON has it."""
    return {
        "anchors": [(one.entity.node, one.score, one.matched_by) for one in found.anchors],
        "facts": [(one.fact.id, one.hops, one.path, one.value, one.score, one.relevance) for one in found.facts],
        "entities": found.entities,
        "found": found.found,
        "answered": found.answered,
        "notices": found.notices,
    }


def _spaced(text: str) -> str:
    """Return the words of a text with single blanks between them, and without the marks around them."""
    return " ".join(filter(None, (word.strip("?!.,;:'\"()") for word in text.split())))


def _asks_for_subject(text: str, names: Sequence[str]) -> bool:
    """Whether a question names what is pointed to (`who uses X`, `is owned by X`), not what points (`does X use`)."""
    words = entity_key(text)
    place = min((words.find(name) for name in names if name in words), default=0)
    before = words[:place].split()
    return bool(before) and ("by" in before[-2:] or not _AUXILIARY.intersection(before))


def _fitting(
    facts: Sequence[RecalledFact], entities: Sequence[NodeId], *, budget: int | None, count: CountTokens
) -> tuple[Sequence[RecalledFact], str]:
    """Return the facts that the budget holds, and their narrative; its last line says what did not get in."""

    def text_of(chosen: Chosen) -> str:
        text = narrative([_as_told(facts[place]) for place in chosen[0]], entities)
        left = len(facts) - len(chosen[0])
        more = f"… and {counted(left, 'more fact')}; a bigger --budget shows more." if left else ""
        return "\n\n".join(filter(None, (text, more)))

    if budget is None:
        return facts, narrative(map(_as_told, facts), entities)
    chosen = packed([Section(items=len(facts), share=1.0)], budget=budget, cost=lambda one: count(text_of(one)))
    return [facts[place] for place in chosen[0]], text_of(chosen)


def _as_told(one: RecalledFact) -> Told:
    return Told(one.stored, one.marks, one.value)


def _most_telling(named: Stated, most: int) -> dict[NodeId, str]:
    """Return at most so many of the names, the longer ones, in the order of the text."""
    longest = sorted(named.names, key=lambda node: (-len(named.names[node]), node))[:most]
    return {node: key for node, key in named.names.items() if node in longest}
