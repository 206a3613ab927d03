"""How much a fact counts (JACQ's ADR 3): confidence, source, age, use and confirmation, multiplied."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from tx_graph.domain.fact import TRUST, Fact, FactStatus

_WEEK = timedelta(weeks=1)
_GRACE = 1.0
"""Weeks in which a fact does not age."""
_KEPT_PER_WEEK = 0.95
_USE = 0.5
"""How much each tenfold of accesses adds."""
_CONFIRMED = 1.2


def fact_score(fact: Fact, *, accesses: int, last_accessed_at: str | None, now: datetime) -> float:
    """Return how much a fact counts now, from 0 on; only to compare with others.

    confidence × source (2.0 user_edit, 1.5 file, 1.2 system, 1.0 conversation) × 0.95 for each week, in fractions,
    after the first since it was last accessed, or else made × (1 + 0.5 · log10(accesses + 1)) × 1.2 if confirmed.
    """
    since = datetime.fromisoformat(last_accessed_at or fact.created_at)
    confirmed = _CONFIRMED if fact.status is FactStatus.CONFIRMED else 1.0
    use = 1 + _USE * math.log10(accesses + 1)
    return fact.confidence * TRUST[fact.source] * freshness(now - since) * use * confirmed


def freshness(age: timedelta) -> float:
    """Return what an age leaves of a fact, in (0, 1]; the future counts as now."""
    weeks = max(age, timedelta()) / _WEEK
    return float(_KEPT_PER_WEEK ** max(weeks - _GRACE, 0.0))
