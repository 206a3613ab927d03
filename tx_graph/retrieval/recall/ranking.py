"""The order of facts: all that were met by their scores, and only then cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from tx_graph.domain.fact import StoredFact
from tx_graph.retrieval.recall.spreading import Met


class Recalled(NamedTuple):
    """A fact with its score, which may be above 1, and how far from an anchor it was met."""

    fact: StoredFact
    score: float
    hops: int


def ranked(met: Iterable[Met], score_of: Callable[[StoredFact], float]) -> list[Recalled]:
    """Return the facts, best score first; among equals the nearer one, then the older one."""
    scored = [Recalled(one.fact, score_of(one.fact), one.hops) for one in met]
    return sorted(scored, key=lambda one: (-one.score, one.hops, one.fact.id))
