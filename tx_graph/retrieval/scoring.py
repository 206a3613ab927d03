"""Scores of single learnings: how recent, how helpful, how close."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timedelta

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
