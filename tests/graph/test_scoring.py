"""Scores of single learnings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.graph.fuse import (
    FEEDBACK_SPAN,
    RECENCY_HALF_LIFE,
    SAME_MEANING,
    STALE_SHARE,
    boosted,
    discounted,
    feedback,
    meaning_strengths,
    recency,
    word_strengths,
)

NOW = datetime(2026, 11, 20, tzinfo=UTC)
UNIT = st.floats(0, 1)


def test_recency_halves_once_every_half_life() -> None:
    assert recency(NOW, now=NOW) == 1
    assert recency(NOW - RECENCY_HALF_LIFE, now=NOW) == 0.5
    assert recency(NOW - 3 * RECENCY_HALF_LIFE, now=NOW) == 0.125


def test_the_future_counts_as_now() -> None:
    assert recency(NOW + timedelta(days=400), now=NOW) == 1


@pytest.mark.parametrize(
    ("helpful", "used", "score"),
    [(0, 0, 0.5), (1, 1, 2 / 3), (3, 3, 0.8), (0, 3, 0.2), (2, 4, 0.5), (0, 1, 1 / 3), (8, 8, 0.9), (0, 8, 0.1)],
)
def test_feedback_is_the_bayesian_average(helpful: float, used: int, score: float) -> None:
    assert feedback(helpful=helpful, used=used) == pytest.approx(score)


@settings(deadline=None)
@given(relevance=UNIT, score=UNIT)
def test_feedback_moves_relevance_a_little_and_never_out_of_bounds(relevance: float, score: float) -> None:
    moved = boosted(relevance, feedback_score=score)
    assert 0 <= moved <= 1
    assert abs(moved - relevance) <= relevance * FEEDBACK_SPAN / 2 + 1e-12


@settings(deadline=None)
@given(first=UNIT, second=UNIT)
def test_what_may_be_wrong_counts_less_and_never_more_than_what_is_far_better(first: float, second: float) -> None:
    better, worse = max(first, second), min(first, second)
    assert discounted(better, is_stale=False) == better
    assert 0 <= discounted(better, is_stale=True) <= better
    assert discounted(worse, is_stale=True) <= discounted(better, is_stale=True)
    if worse < better * STALE_SHARE:
        assert discounted(better, is_stale=True) > worse


@settings(deadline=None)
@given(better=UNIT, worse=UNIT, votes=st.integers(0, 10**6), others=st.integers(0, 10**6))
def test_no_feedback_puts_a_popular_one_above_an_unused_or_unloved_one_that_is_clearly_better(
    better: float, worse: float, votes: int, others: int
) -> None:
    popular = boosted(worse, feedback_score=feedback(helpful=votes, used=votes))
    clearly = (1 + FEEDBACK_SPAN / 2) / (1 - FEEDBACK_SPAN / 2)
    if worse * clearly < better:
        assert boosted(better, feedback_score=feedback(helpful=0, used=others)) > popular
    if worse * (1 + FEEDBACK_SPAN / 2) < better:
        assert boosted(better, feedback_score=feedback(helpful=0, used=0)) > popular


@settings(deadline=None)
@given(UNIT)
def test_without_feedback_relevance_stays(relevance: float) -> None:
    assert boosted(relevance, feedback_score=0.5) == relevance


def test_words_are_as_strong_as_the_root_of_their_share_of_the_best() -> None:
    assert word_strengths({1: 8.0, 2: 2.0, 3: 0.0}) == {1: 1.0, 2: 0.5, 3: 0.0}
    assert word_strengths({1: 0.0}) == {1: 1.0}
    assert word_strengths({}) == {}


def test_a_cosine_says_by_itself_how_strong_a_meaning_is() -> None:
    cosines = {1: 0.9, 2: SAME_MEANING, 3: SAME_MEANING / 4, 4: 0.0, 5: -0.2}
    assert meaning_strengths(cosines) == {1: 1.0, 2: 1.0, 3: 0.5, 4: 0.0, 5: 0.0}
