"""The order of results once it is known which may be wrong by now: these rank lower, or are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tx_graph.domain.verdict import Judgement, Standing, standing
from tx_graph.retrieval.scoring import discounted
from tx_graph.services.search.values import Query
from tx_graph.services.standings import Moment
from tx_graph.storage.learnings import Brief

_LEAST_AT_ONCE = 10
"""Candidates judged together: each time costs two queries."""


class Candidate(NamedTuple):
    """A learning in the ranking; sorts best first, and `place` is never the same for two."""

    place: tuple[float, float, int, int]
    relevance: float
    brief: Brief
    hops: int
    support: float


def candidate(brief: Brief, relevance: float, *, hops: int, support: float = 0.0) -> Candidate:
    """Return a learning with its place in the ranking.

    That is by relevance, then by `support`, the weaker of two reasons to show it, then by the shorter way, then by the
    older number.
    """
    return Candidate((-relevance, -support, hops, brief.id), relevance, brief, hops, support)


class Weighed(NamedTuple):
    """A candidate with its place now that its anchors were looked at."""

    candidate: Candidate
    judgements: tuple[Judgement, ...]

    @property
    def standing(self) -> Standing:
        """What is said of its code."""
        return standing(self.judgements)


class Best(NamedTuple):
    """The candidates to show, best first; how many were left out as stale, and how many as not relevant enough."""

    shown: Sequence[Weighed]
    stale: int
    weak: int


def best(ranked: Sequence[Candidate], query: Query, moment: Moment, *, count: int) -> Best:
    """Return the best `count` candidates by what their relevance counts.

    No relevance counts more than it is, so candidates are judged from the top only until those that are kept rank
    above the best of the rest, whatever the rest will turn out to be.
    """
    kept: list[Weighed] = []
    looked_at = stale = weak = 0
    while looked_at < len(ranked) and not _is_settled(kept, ranked[looked_at], count):
        weighed = _weighed(ranked[looked_at : looked_at + max(_LEAST_AT_ONCE, count)], query, moment)
        looked_at += len(weighed)
        holding = [one for one in weighed if not (query.fresh_only and one.standing.is_stale)]
        relevant = [one for one in holding if one.candidate.relevance >= query.min_score]
        stale += len(weighed) - len(holding)
        weak += len(holding) - len(relevant)
        kept = sorted([*kept, *relevant], key=lambda one: one.candidate.place)
    return Best(kept[:count], stale, weak)


def _is_settled(kept: Sequence[Weighed], following: Candidate, limit: int) -> bool:
    return len(kept) >= limit and kept[limit - 1].candidate.place < following.place


def _weighed(candidates: Sequence[Candidate], query: Query, moment: Moment) -> list[Weighed]:
    judged = moment.judgements([one.brief.node for one in candidates])
    return [_discounted(one, judged[one.brief.node], query) for one in candidates]


def _discounted(one: Candidate, judgements: tuple[Judgement, ...], query: Query) -> Weighed:
    if query.include_stale or not standing(judgements).is_stale:
        return Weighed(one, judgements)
    relevance = discounted(one.relevance, is_stale=True)
    return Weighed(candidate(one.brief, relevance, hops=one.hops, support=one.support), judgements)
