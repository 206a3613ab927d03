"""Spreading activation over facts: from entity to entity, level by level."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.domain.fact import StoredFact
from tx_graph.retrieval.recall.limits import RecallLimits

FactsOf = Callable[[Collection[NodeId]], Mapping[NodeId, Sequence[StoredFact]]]
"""Answers a whole frontier at once: the facts that leave each entity, by confidence, at most as many as are looked at.
"""
MOST_ENTITIES = 2_000
"""Whose facts are looked at. Two hops come to a few dozen; ten of them could come to every entity there is."""


class Met(NamedTuple):
    """A fact that spreading came to, after how many facts, itself included."""

    fact: StoredFact
    hops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spreading:
    """What spreading came to: facts, and entities in order, the anchors first; `is_cut`: there were too many."""

    facts: tuple[Met, ...]
    entities: tuple[NodeId, ...]
    is_cut: bool = False


def spread(anchors: Sequence[NodeId], facts_of: FactsOf, *, limits: RecallLimits) -> Spreading:
    """Return each fact within the hops once, and each entity once, in the order in which they were reached."""
    met: dict[int, Met] = {}
    entities = dict.fromkeys(anchors)
    frontier = list(entities)
    is_cut = False
    for hop in range(1, limits.hops + 1):
        facts = _facts(frontier, facts_of, limits.per_entity)
        for fact in facts:
            met.setdefault(fact.id, Met(fact, hop))
        reached = dict.fromkeys(fact.object for fact in facts if fact.object is not None)
        fresh = [entity for entity in reached if entity not in entities]
        frontier = fresh[: MOST_ENTITIES - len(entities)]
        is_cut = is_cut or (hop < limits.hops and len(frontier) < len(fresh))
        entities |= dict.fromkeys(frontier)
        if not frontier:
            break
    return Spreading(facts=tuple(met.values()), entities=tuple(entities), is_cut=is_cut)


def _facts(frontier: Sequence[NodeId], facts_of: FactsOf, per_entity: int) -> list[StoredFact]:
    found = facts_of(frontier)
    return [fact for entity in frontier for fact in found.get(entity, ())[:per_entity]]
