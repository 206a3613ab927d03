"""Facts are ranked all together, and only then cut."""

from __future__ import annotations

from tests.knowledge.recall.knowledge import Knowledge
from tx_graph.knowledge.fact import FactSource, StoredFact
from tx_graph.knowledge.spreading import RecallLimits, ranked, spread


def by_confidence(stored: StoredFact) -> float:
    return stored.fact.confidence


def test_a_better_fact_from_further_away_comes_first() -> None:
    known = Knowledge()
    known.says("a", "likes", to="b", confidence=0.5)
    known.says("b", "is", "important", confidence=0.9)
    met = spread([known.node("a")], known.facts_of, limits=RecallLimits()).facts
    found = ranked(met, by_confidence)
    assert [(one.fact.fact.predicate, one.score, one.hops) for one in found] == [("is", 0.9, 2), ("likes", 0.5, 1)]


def test_among_equals_the_nearer_then_the_older_fact_comes_first() -> None:
    known = Knowledge()
    known.says("b", "is", "far", source=FactSource.FILE)
    known.says("a", "second", to="b")
    known.says("a", "third", "x")
    met = spread([known.node("a")], known.facts_of, limits=RecallLimits()).facts
    assert [one.fact.id for one in ranked(reversed(met), by_confidence)] == [2, 3, 1]
