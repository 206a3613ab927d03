"""The use case: anchors, spreading, ranking and narrative, with what was recalled counted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.domain.fact import StoredFact
from tx_graph.domain.tokens import CountTokens, by_characters
from tx_graph.errors import StorageError
from tx_graph.ports import Clock
from tx_graph.retrieval.fact_scoring import fact_score
from tx_graph.retrieval.recall import Recalled, RecallLimits, ranked, spread
from tx_graph.services.recall.anchoring import AnchorSearch
from tx_graph.services.recall.cache import Cache
from tx_graph.services.recall.states import FactStates
from tx_graph.services.recall.telling import fitting
from tx_graph.services.recall.values import Anchor, RecallAnswer, RecalledFact, RecallRequest
from tx_graph.services.stamps import iso
from tx_graph.storage.database import Database
from tx_graph.storage.facts import FactStore
from tx_graph.storage.facts_version import FactsVersion

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
