"""The numbers of a ranking have a range, tell what they weigh, and can be tried one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tx_graph.core.errors import UsageError
from tx_graph.core.settings import MOST_WEIGHT, Weights

NAMES = Weights().as_dict().keys()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [0.0, 0.25, MOST_WEIGHT])
def test_each_number_may_be_set_within_its_range(name: str, value: float) -> None:
    assert Weights(**{name: value}).as_dict() == Weights().as_dict() | {name: value}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [-0.01, MOST_WEIGHT + 1, float("inf"), float("-inf"), float("nan")])
def test_a_number_out_of_range_is_an_error_that_names_it(name: str, value: float) -> None:
    with pytest.raises(UsageError, match=f"'{name}' must be from 0 to 100, not "):
        Weights(**{name: value})


def test_each_number_is_described_with_its_default() -> None:
    described = list(Weights.described())
    assert {name: default for name, default, _ in described} == Weights().as_dict()
    assert all(about for _, _, about in described)


def test_candidates_differ_in_one_number_each() -> None:
    start = Weights(history=2.0)
    candidates = list(start.candidates())
    assert len(candidates) == len(set(candidates)) == 3 * len(NAMES)
    assert {one.history for one in candidates} == {0.0, 1.0, 2.0, 4.0}
    for one in candidates:
        changed = {name for name, value in one.as_dict().items() if value != start.as_dict()[name]}
        assert len(changed) == 1


def test_what_counts_nothing_is_not_tried_again() -> None:
    assert {one.history for one in replace(Weights(), history=0.0).candidates()} == {0.0}


def test_no_candidate_is_out_of_range() -> None:
    most = Weights(messages=MOST_WEIGHT)
    assert {one.messages for one in most.candidates()} == {0.0, MOST_WEIGHT / 2, MOST_WEIGHT}
