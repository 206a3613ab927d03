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
    SAME_MEANING,
    STALE_SHARE,
    boosted,
    discounted,
    feedback,
    meaning_strengths,
    recency,
    reciprocal_rank_fusion,
    supports,
    weighted_rank_fusion,
    word_strengths,
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


def test_words_are_as_strong_as_the_root_of_their_share_of_the_best() -> None:
    assert word_strengths({1: 8.0, 2: 2.0, 3: 0.0}) == {1: 1.0, 2: 0.5, 3: 0.0}
    assert word_strengths({1: 0.0}) == {1: 1.0}
    assert word_strengths({}) == {}


def test_a_cosine_says_by_itself_how_strong_a_meaning_is() -> None:
    cosines = {1: 0.9, 2: SAME_MEANING, 3: SAME_MEANING / 4, 4: 0.0, 5: -0.2}
    assert meaning_strengths(cosines) == {1: 1.0, 2: 1.0, 3: 0.5, 4: 0.0, 5: 0.0}


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


def test_a_weak_match_contributes_its_share_of_its_place() -> None:
    rankings = {"bm25": ["a", "b"], "vector": ["a"]}
    plain = reciprocal_rank_fusion(rankings)
    weighed = reciprocal_rank_fusion(rankings, strengths={"bm25": {"a": 1.0, "b": 0.25}})
    assert weighed == {"a": plain["a"], "b": pytest.approx(plain["b"] / 4)}


def test_weights_say_how_much_each_ranking_counts() -> None:
    fused = weighted_rank_fusion({"vectors": ["a", "b"], "words": ["b", "c"]}, {"vectors": 0.5, "words": 0.5})
    assert [(item, round(fused[item], 6)) for item in sorted(fused, key=fused.__getitem__, reverse=True)] == [
        ("b", 0.016261),
        ("a", 0.008197),
        ("c", 0.008065),
    ]
    assert weighted_rank_fusion({"vectors": ["a"], "words": ["b"]}, {"vectors": 1.0, "words": 0.0}) == {
        "a": pytest.approx(1 / (RRF_K + 1))
    }
    uneven = weighted_rank_fusion({"vectors": ["a", "b"], "words": ["b", "a"]}, {"vectors": 0.7, "words": 0.3})
    assert uneven["a"] > uneven["b"]


FACTORS = (1.0, 0.7, 0.5)


def factor(hop: int) -> float:
    return FACTORS[min(hop, 2)]


@pytest.mark.parametrize(
    ("likeness", "hops", "stands_for", "expected"),
    [
        pytest.param(
            {1: 0.9},
            [[(1, 2, 0.8)], [(2, 3, 0.5)]],
            {},
            {2: 0.9 * 0.8 * 0.7, 3: 0.9 * 0.8 * 0.5 * 0.5},
            id="weight-and-hop",
        ),
        pytest.param(
            {1: 0.9, 2: 0.5},
            [[(1, 3, 0.2), (2, 3, 1.0), (1, 3, 0.4)]],
            {},
            {3: 0.35},
            id="the-best-seed-and-the-best-way",
        ),
        pytest.param({1: 0.9, 2: 0.5}, [[(1, 2, 1.0), (2, 1, 1.0)]], {}, {1: 0.35, 2: 0.63}, id="seeds-for-each-other"),
        pytest.param({1: 0.9}, [[(1, 3, 1.0)], [(3, 1, 1.0)]], {}, {3: 0.63}, id="no-seed-for-itself"),
        pytest.param(
            {1: 0.9, 2: 0.5},
            [[(1, 9, 1.0), (2, 9, 1.0)], [(9, 1, 1.0), (9, 2, 1.0)]],
            {},
            {9: 0.63, 1: 0.25, 2: 0.45},
            id="the-second-best-speaks-for-the-best",
        ),
        pytest.param({1: 0.9}, [[(1, 2, 1.0)]], {2: 5}, {5: 0.63}, id="it-goes-to-what-a-node-stands-for"),
        pytest.param({1: 0.9}, [[(1, 2, 1.0)]], {2: 1}, {}, id="unless-that-gave-it"),
    ],
)
def test_a_seed_hands_on_its_likeness_by_the_weight_and_the_hop(
    likeness: dict[int, float],
    hops: list[list[tuple[int, int, float]]],
    stands_for: dict[int, int],
    expected: dict[int, float],
) -> None:
    assert supports(likeness, hops, factor, stands_for) == pytest.approx(expected)
