"""How much a fact counts: the worked figures of the seed, and what must hold for any fact."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes import NOON, uid_of
from tx_graph.knowledge.fact import Fact, FactSource, FactStatus, fact_score, fact_weights

MADE = "2026-11-20T12:00:00Z"


def fact(confidence: float, source: FactSource, status: FactStatus = FactStatus.STAGED) -> Fact:
    return Fact(
        uid=uid_of(1),
        subject="a",
        predicate="is",
        value="b",
        created_at=MADE,
        confidence=confidence,
        source=source,
        status=status,
    )


@pytest.mark.parametrize(
    ("confidence", "source", "days", "score"),
    [
        (0.9, FactSource.CONVERSATION, 0, 0.9),  # .9 × 1.0, nothing else
        (0.8, FactSource.USER_EDIT, 0, 1.6),  # .8 × 2.0
        (0.9, FactSource.FILE, 7, 1.35),  # .9 × 1.5: the first week is of grace
        (0.9, FactSource.FILE, 14, 1.2825),  # 1.35 × .95: one week after it
        (0.9, FactSource.FILE, 10.5, 1.35 * 0.95**0.5),  # half a week after it
        (1.0, FactSource.SYSTEM, 0, 1.2),
    ],
)
def test_the_worked_figures(confidence: float, source: FactSource, days: float, score: float) -> None:
    found = fact_score(fact(confidence, source), accesses=0, last_accessed_at=None, now=NOON + timedelta(days=days))
    assert found == pytest.approx(score, abs=1e-9)


def test_use_counts_by_its_order_of_magnitude_and_confirmation_a_fifth() -> None:
    staged, confirmed = (
        fact(1.0, FactSource.CONVERSATION, status) for status in (FactStatus.STAGED, FactStatus.CONFIRMED)
    )
    assert fact_score(staged, accesses=9, last_accessed_at=MADE, now=NOON) == pytest.approx(1.5)
    assert fact_score(staged, accesses=99, last_accessed_at=MADE, now=NOON) == pytest.approx(2.0)
    assert fact_score(confirmed, accesses=0, last_accessed_at=None, now=NOON) == pytest.approx(1.2)


def test_an_access_makes_a_fact_young_again() -> None:
    later = NOON + timedelta(weeks=10)
    old = fact(1.0, FactSource.CONVERSATION)
    assert fact_score(old, accesses=0, last_accessed_at=None, now=later) == pytest.approx(0.95**9)
    assert fact_score(old, accesses=0, last_accessed_at="2027-01-29T12:00:00Z", now=later) == pytest.approx(1.0)


@given(st.timedeltas(min_value=timedelta(days=-10_000), max_value=timedelta(days=100_000)), st.timedeltas(timedelta()))
def test_freshness_never_grows_with_age(age: timedelta, more: timedelta) -> None:
    older = min(more, timedelta(days=10_000))
    assert 0 <= fact_weights().freshness(age + older) <= fact_weights().freshness(age) <= 1
