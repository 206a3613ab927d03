"""Scores of single learnings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.graph.fuse import (
    FEEDBACK_SPAN,
    RECENCY_HALF_LIFE,
    RRF_K,
    beside,
    boosted,
    feedback,
    places,
    recency,
    reciprocal_rank_fusion,
    score_sum,
)

NOW = datetime(2026, 11, 20, tzinfo=UTC)
UNIT = st.floats(0, 1)


def test_recency_halves_once_every_half_life_and_the_future_counts_as_now() -> None:
    ages = (timedelta(), RECENCY_HALF_LIFE, 3 * RECENCY_HALF_LIFE, timedelta(days=-400))
    assert [recency(NOW - age, now=NOW) for age in ages] == [1, 0.5, 0.125, 1]


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
    assert boosted(relevance, feedback_score=0.5) == relevance


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


SEQUENCES = places([(1, "a"), (2, "a"), (3, "a"), (4, "b"), (5, "b")])
"""Three items of one source, and two of another."""


@pytest.mark.parametrize(
    ("words", "shares", "others"),
    [
        pytest.param([], {}, {}, id="no-words"),
        pytest.param([{9: 4.0, 1: 1.0}], {9: 1.0, 1: 0.25, 2: 0.175, 3: 0.1225}, {2: 1, 3: 1}, id="fading"),
        pytest.param(
            [{3: 2.0}, {4: 2.0}], {1: 0.245, 2: 0.35, 3: 0.5, 4: 0.5, 5: 0.35}, {1: 3, 2: 3, 5: 4}, id="apart"
        ),
        pytest.param([{1: 2.0}, {2: 2.0}], {1: 0.85, 2: 0.85, 3: 0.595}, {3: 2}, id="different-words-add-up"),
        pytest.param([{1: 2.0, 2: 2.0}], {1: 1.0, 2: 1.0, 3: 0.7}, {3: 2}, id="the-same-word-does-not"),
    ],
)
def test_a_word_counts_for_what_stands_beside_it_in_the_same_source(
    words: list[dict[int, float]], shares: dict[int, float], others: dict[int, int]
) -> None:
    found, givers = beside(words, SEQUENCES)
    assert found == pytest.approx(shares)
    assert givers == others


def test_a_sum_is_the_mean_by_shares_of_what_found_anything() -> None:
    assert score_sum({"words": {1: 1.0, 2: 0.5}, "meaning": {1: 0.5}}, {"words": 0.6, "meaning": 0.2}) == pytest.approx(
        {1: 0.875, 2: 0.375}
    )
    assert score_sum({"words": {1: 1.2}, "meaning": {2: -0.2}}, {"words": 0.5, "meaning": 0.5}) == {1: 0.5, 2: 0.0}
    assert score_sum({"words": {1: 0.4}, "meaning": {}}, {"words": 0.6, "meaning": 0.4}) == pytest.approx({1: 0.4})
    assert score_sum({"words": {1: 0.4}, "meaning": {2: 1.0}}, {"words": 1.0, "meaning": 0.0}) == {1: 0.4}


def test_first_in_every_ranking_is_one() -> None:
    fused = reciprocal_rank_fusion({"words": ["a", "b"], "vectors": ["a", "c"]})
    assert fused["a"] == pytest.approx(1.0)
    assert fused["b"] == fused["c"] == pytest.approx((RRF_K + 1) / (RRF_K + 2) / 2)


def test_only_what_is_ranked_counts_and_two_rankings_count_more_than_one() -> None:
    def fused(words: list[str], vectors: list[str]) -> dict[str, float]:
        return reciprocal_rank_fusion({"words": words, "vectors": vectors})

    assert fused(["a", "b"], []) == reciprocal_rank_fusion({"words": ["a", "b"]})
    assert fused([], []) == {}
    opposite = fused(["a", "b"], ["b", "a"])
    assert opposite["a"] == pytest.approx(opposite["b"])
    shared = fused(["a", "b"], ["c", "b"])
    assert shared["b"] > shared["a"]


_RANKING = st.lists(st.integers(0, 30), unique=True)


@settings(deadline=None)
@given(words=_RANKING, vectors=_RANKING)
def test_fused_scores_lie_above_zero_and_at_most_at_one(words: list[int], vectors: list[int]) -> None:
    fused = reciprocal_rank_fusion({"words": words, "vectors": vectors})
    assert fused.keys() == {*words, *vectors}
    assert all(0 < score <= 1 for score in fused.values())
