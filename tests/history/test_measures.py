from __future__ import annotations

import pytest

from tx_graph.history.sampling import Measure, outcome_of

RANKING = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]


@pytest.mark.parametrize(
    ("targets", "at_5", "at_10", "mrr"),
    [
        (["a"], 1.0, 1.0, 1.0),
        (["b", "z"], 0.5, 0.5, 1 / 2),
        (["e", "f"], 0.5, 1.0, 1 / 5),
        (["j", "k"], 0.0, 0.5, 1 / 10),
        (["k"], 0.0, 0.0, 1 / 11),
        (["y", "z"], 0.0, 0.0, 0.0),
        (["c", "a", "z", "y"], 0.5, 0.5, 1.0),
    ],
)
def test_measures_by_hand(targets: list[str], at_5: float, at_10: float, mrr: float) -> None:
    outcome = outcome_of(RANKING, targets=targets)
    assert Measure.RECALL_AT_5.of(outcome) == pytest.approx(at_5)
    assert Measure.RECALL_AT_10.of(outcome) == pytest.approx(at_10)
    assert Measure.MRR.of(outcome) == pytest.approx(mrr)


def test_a_file_that_was_given_takes_no_place() -> None:
    assert outcome_of(["a", "b", "c"], targets=["c"], given=["a"]).places == (2,)


def test_a_file_that_is_ranked_twice_counts_once() -> None:
    assert outcome_of(["a", "a", "b", "a"], targets=["a", "b"]).places == (1, 2)


def test_an_empty_ranking_finds_nothing() -> None:
    assert [measure.of(outcome_of([], targets=["a"])) for measure in Measure] == [0.0, 0.0, 0.0]
