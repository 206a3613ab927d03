"""Reciprocal rank fusion of several rankings into one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

RRF_K = 60
"""The constant of Cormack, Clarke and Büttcher (SIGIR 2009): how little the first ranks differ."""


def reciprocal_rank_fusion(rankings: Mapping[str, Sequence[Item]], *, k: int = RRF_K) -> dict[Item, float]:
    """Return each item's fused score in (0, 1]: 1 for what is first in every active ranking.

    A ranking that is empty is not active: it neither helps nor harms.
    """
    active = [ranking for ranking in rankings.values() if ranking]
    scores: dict[Item, float] = defaultdict(float)
    for ranking in active:
        for rank, item in enumerate(ranking, start=1):
            scores[item] += (k + 1) / (k + rank) / len(active)
    return dict(scores)
