"""Scores of single learnings: how recent, how helpful, how close."""

from __future__ import annotations

from datetime import datetime, timedelta

RECENCY_HALF_LIFE = timedelta(days=90)
"""A learning of three months ago counts half as recent as one of today."""
FEEDBACK_SPAN = 0.2
"""Between a learning that never helped and one that always did, relevance differs by this share."""


def recency(created_at: datetime, *, now: datetime, half_life: timedelta = RECENCY_HALF_LIFE) -> float:
    """Return a score in (0, 1] that halves once every half-life; the future counts as now."""
    age = max(now - created_at, timedelta())
    return float(0.5 ** (age / half_life))


def feedback(*, helpful: float, used: int) -> float:
    """Return the Bayesian average (helpful + 1) / (used + 2) in (0, 1); 0.5 before any use (PRD-016)."""
    return (helpful + 1) / (used + 2)


def boosted(relevance: float, *, feedback_score: float) -> float:
    """Return relevance in [0, 1], mildly raised or lowered by feedback; 0.5 leaves it as it is."""
    return min(1.0, relevance * (1 + FEEDBACK_SPAN * (feedback_score - 0.5)))
