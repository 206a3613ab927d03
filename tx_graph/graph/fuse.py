"""Support: how much what resembles a question speaks for what it is related to."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

from tx_graph.graph.edges import NodeId

Item = TypeVar("Item", bound=Hashable)

RRF_K = 60
"""The constant of Cormack, Clarke and Büttcher (SIGIR 2009): how little the first ranks differ."""


def reciprocal_rank_fusion(
    rankings: Mapping[str, Sequence[Item]],
    *,
    k: int = RRF_K,
    strengths: Mapping[str, Mapping[Item, float]] | None = None,
) -> dict[Item, float]:
    """Return each item's fused score in (0, 1]: 1 for what is first in every active ranking.

    A ranking that is empty is not active: it neither helps nor harms. `strengths`, in [0, 1] by ranking and item,
    scale what each place contributes: ranks alone put the weakest match of a short list right behind its best.
    """
    active = {name: ranking for name, ranking in rankings.items() if ranking}
    weights = {name: 1 / len(active) for name in active}
    return _fused(active, weights, first=k + 1, k=k, strengths=strengths or {})


def weighted_rank_fusion(
    rankings: Mapping[str, Sequence[Item]], weights: Mapping[str, float], *, k: int = RRF_K
) -> dict[Item, float]:
    """Return each item's fused score: the sum, over the rankings that have it, of weight / (k + rank).

    It is not normalised: with weights of 1 in all, what is first in every ranking has 1 / (k + 1). Items that only
    rankings of weight 0 have are left out.
    """
    active = {name: ranking for name, ranking in rankings.items() if weights[name] > 0}
    return _fused(active, weights, first=1, k=k, strengths={})


def _fused(
    rankings: Mapping[str, Sequence[Item]],
    weights: Mapping[str, float],
    *,
    first: int,
    k: int,
    strengths: Mapping[str, Mapping[Item, float]],
) -> dict[Item, float]:
    """Return the sum of what each place contributes: `first` / (k + rank), by its ranking's weight and its strength."""
    scores: dict[Item, float] = defaultdict(float)
    for name, ranking in rankings.items():
        strength = strengths.get(name, {})
        for rank, item in enumerate(ranking, start=1):
            scores[item] += first / (k + rank) * weights[name] * strength.get(item, 1.0)
    return dict(scores)


RECENCY_HALF_LIFE = timedelta(days=90)
"""A learning of three months ago counts half as recent as one of today."""
HISTORY_HALF_LIFE = timedelta(days=365)
"""A reason that a commit tells outlives a quarter, and code that nobody spoke of for years is another by then."""
_HISTORY_SECONDS = HISTORY_HALF_LIFE / timedelta(seconds=1)
FEEDBACK_SPAN = 0.2
"""Between a learning that never helped and one that always did, relevance differs by this share."""
STALE_SHARE = 0.8
"""What is left of the relevance of a learning whose code has changed since: it ranks below what holds and matches
about as well, and still above what hardly matches."""

SAME_MEANING = 0.5
"""Cosine from which two short texts say the same. Measured with all-MiniLM-L6-v2: unrelated technical texts have a
median of .01 and a 95th percentile of .21, a question and its answer .26 and more."""


def recency(created_at: datetime, *, now: datetime, half_life: timedelta = RECENCY_HALF_LIFE) -> float:
    """Return a score in (0, 1] that halves once every half-life; the future counts as now."""
    return _halved((now - created_at) / half_life)


def commit_recency(time: int, *, now: float) -> float:
    """Return how recent a commit is, in (0, 1]. Times are seconds since the epoch: a ranking asks for thousands."""
    return _halved((now - time) / _HISTORY_SECONDS)


def _halved(half_lives: float) -> float:
    return float(0.5 ** max(half_lives, 0.0))


def feedback(*, helpful: float, used: int) -> float:
    """Return the Bayesian average (helpful + 1) / (used + 2) in (0, 1); 0.5 before any use (PRD-016)."""
    return (helpful + 1) / (used + 2)


def boosted(relevance: float, *, feedback_score: float) -> float:
    """Return relevance in [0, 1], mildly raised or lowered by feedback; 0.5 leaves it as it is."""
    return min(1.0, relevance * (1 + FEEDBACK_SPAN * (feedback_score - 0.5)))


def discounted(relevance: float, *, is_stale: bool) -> float:
    """Return relevance in [0, 1] as it counts for a learning that may be wrong by now, or that holds."""
    return relevance * STALE_SHARE if is_stale else relevance


def word_strengths(bm25: Mapping[int, float]) -> dict[int, float]:
    """Return how strong each match by words is, in [0, 1], beside the best one.

    The root of the share, because BM25 grows with every word that matches: half the score is not half the answer.
    """
    best = max(bm25.values(), default=0.0)
    return {item: math.sqrt(score / best) if best > 0 else 1.0 for item, score in bm25.items()}


def meaning_strengths(cosines: Mapping[int, float]) -> dict[int, float]:
    """Return how strong each match by meaning is, in [0, 1]; unlike BM25, a cosine says so by itself."""
    return {item: math.sqrt(max(0.0, min(1.0, cosine / SAME_MEANING))) for item, cosine in cosines.items()}


Row = tuple[NodeId, NodeId, float]
"""An edge that was followed: from where, to where, and its weight in [0, 1]."""


class Backing(NamedTuple):
    """How much one seed speaks for a node, in [0, 1], and which seed."""

    share: float
    seed: NodeId


def supports(
    likeness: Mapping[NodeId, float],
    hops: Sequence[Iterable[Row]],
    factor: Callable[[int], float],
    stands_for: Mapping[NodeId, NodeId],
) -> dict[NodeId, float]:
    """Return how much the other seeds speak for each node that edges lead to, in [0, 1]; the best of them counts.

    A seed hands on its likeness to the question times the weights of the edges of a path, and times the factor of the
    hop where that ends, counted from 1. `hops` are the edges followed at each hop. What a node gets goes to what it
    stands for, if that is another one; no seed speaks for itself.
    """
    reached: Mapping[NodeId, tuple[Backing, ...]] = {seed: (Backing(one, seed),) for seed, one in likeness.items()}
    found: dict[NodeId, float] = defaultdict(float)
    for hop, rows in enumerate(hops, start=1):
        reached = _handed_on(reached, rows)
        for node, backings in reached.items():
            credited = stands_for.get(node, node)
            share = max((one.share for one in backings if one.seed != credited), default=0.0)
            found[credited] = max(found[credited], share * factor(hop))
    return {node: share for node, share in found.items() if share}


def _handed_on(reached: Mapping[NodeId, tuple[Backing, ...]], rows: Iterable[Row]) -> dict[NodeId, tuple[Backing, ...]]:
    """Return what one more edge brings each node: the best of two seeds, so that one is left that is not itself."""
    offers: dict[NodeId, dict[NodeId, float]] = defaultdict(dict)
    for source, target, weight in rows:
        for share, seed in reached.get(source, ()):
            if seed != target and share * weight > offers[target].get(seed, 0.0):
                offers[target][seed] = share * weight
    return {
        node: tuple(sorted((Backing(share, seed) for seed, share in offer.items()), reverse=True)[:2])
        for node, offer in offers.items()
    }
