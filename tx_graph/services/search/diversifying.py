"""Puts results into an order in which they do not repeat each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

from tx_graph.analysis.identifiers import content_words
from tx_graph.retrieval.diversification import Candidate, Choice, diversify
from tx_graph.retrieval.overlap import overlap
from tx_graph.services.search.values import SearchResult
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.similarities import SimilarityStore

_POOL = 3
"""How many times the results that are shown are looked at: what is further down is not relevant enough to move up."""
_LARGEST_POOL = 300
"""Comparing each two of 300 takes 40 ms; whoever asks for hundreds of results reads them all."""


class Diversifying:
    """Compares learnings by their vectors, and by their words where one of two has none."""

    def __init__(self, *, similarities: SimilarityStore, learnings: LearningStore, model: str) -> None:
        self._similarities = similarities
        self._learnings = learnings
        self._model = model

    def choose(self, candidates: Sequence[Candidate], *, limit: int, diversity: float) -> list[Choice]:
        """Return at most `limit` candidates, by learning number, most relevant first but for repetitions.

        `diversity` in [0, 1] says how much novelty counts beside relevance, the 1 − λ of MMR; 0 is the order of
        relevance alone. Candidates beyond the largest pool follow by relevance.
        """
        if not diversity:
            return [Choice(one, rank) for rank, one in enumerate(candidates[:limit], start=1)]
        pool, rest = candidates[:_LARGEST_POOL], candidates[_LARGEST_POOL:limit]
        likeness = self._likeness([one.id for one in pool]) if len(pool) > 1 else _nothing
        chosen = diversify(pool, limit=limit, similarity=likeness, lam=1 - diversity)
        return chosen + [Choice(one, rank) for rank, one in enumerate(rest, start=len(pool) + 1)]

    def _likeness(self, numbers: Collection[int]) -> Callable[[int, int], float]:
        cosines = self._similarities.cosines(numbers, model=self._model)
        contents: dict[int, str] = {}

        @cache
        def words(number: int) -> frozenset[str]:
            if not contents:
                contents.update(self._learnings.contents(numbers))
            return content_words(contents.get(number, ""))

        def likeness(one: int, other: int) -> float:
            cosine = cosines.get((one, other) if one < other else (other, one))
            return overlap(words(one), words(other)) if cosine is None else cosine

        return likeness


def pool_of(limit: int, *, diversity: float) -> int:
    """Return how many of the best are looked at to show `limit` of them."""
    return max(limit, min(_POOL * limit, _LARGEST_POOL)) if diversity else limit


def placed(results: Mapping[int, SearchResult], chosen: Sequence[Choice]) -> list[SearchResult]:
    """Return the results that were chosen, by learning number, with their places and what above them is like them."""
    return [
        replace(
            results[one.candidate.id],
            position=position,
            relevance_position=one.rank,
            similar_to=None if one.like is None else results[one.like].stored.ref,
            similarity=one.similarity,
        )
        for position, one in enumerate(chosen, start=1)
    ]


def _nothing(_: int, __: int) -> float:
    return 0.0
