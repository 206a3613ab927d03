"""Reciprocal rank fusion of several rankings into one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

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
