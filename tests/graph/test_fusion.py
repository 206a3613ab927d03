"""Several rankings become one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.graph.fuse import RRF_K, reciprocal_rank_fusion, weighted_rank_fusion


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
