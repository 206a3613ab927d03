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
    scores: dict[Item, float] = defaultdict(float)
    for name, ranking in active.items():
        strength = (strengths or {}).get(name, {})
        for rank, item in enumerate(ranking, start=1):
            scores[item] += (k + 1) / (k + rank) / len(active) * strength.get(item, 1.0)
    return dict(scores)
