"""Weights: their range, and how better ones are found: one change at a time, then together, by many commits."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.context.replay.past import FakeStates
from tx_graph.context.ranking_evidence import Method
from tx_graph.context.replay import Way, changes, sure_gain, tuned
from tx_graph.core.errors import UsageError
from tx_graph.core.settings import MOST_WEIGHT, Weights
from tx_graph.history.commits import Changeset
from tx_graph.history.sampling import Case, Question

CURRENT = Weights(words=0.5, names=0.2)


class TwoFaults:
    """Misses one file while the words count too little, and the other while names count at all."""

    def rank(self, question: Question, way: Way, *, limit: int) -> Sequence[str]:
        weights = way.weights or CURRENT
        return ["a.py"] * (weights.words >= 1) + ["b.py"] * (weights.names == 0)


def cases(count: int) -> list[Case]:
    return [
        Case(
            changeset=Changeset(
                sha=f"c{number}",
                parent=f"p{number}",
                time=number,
                subject="Mend it",
                paths=2,
                existing=("a.py", "b.py"),
            ),
            open_file="a.py",
        )
        for number in range(count)
    ]


def test_changes_that_help_apart_are_tried_together() -> None:
    states, all_cases = FakeStates(TwoFaults()), cases(6)
    found = tuned(CURRENT, states, (all_cases[:3], all_cases[3:]), [], tick=lambda: None)
    assert changes(CURRENT, found.best) == {"words": 1.0, "names": 0.0}
    assert states.visited == ["p0", "p1", "p2", "p0", "p1", "p2", "p3", "p4", "p5"]
    assert found.tried == 1 + len({*CURRENT.candidates()}) + 1


def test_only_the_weights_in_force_and_the_best_meet_the_newer_half() -> None:
    all_cases = cases(4)
    ways = [Way(method=Method.FUSION)]
    found = tuned(CURRENT, FakeStates(TwoFaults()), (all_cases[:2], all_cases[2:]), ways, tick=lambda: None)
    walk = [Way(method=Method.RANKING, weights=weights) for weights in (CURRENT, found.best)]
    assert list(found.newer) == [*ways, *walk]
    assert list(found.answers) == ways
    assert all(len(outcomes) == 4 for outcomes in found.answers[ways[0]].values())


def test_what_helps_many_commits_a_little_goes_before_what_helps_one_much() -> None:
    base = [0.5] * 10
    assert sure_gain([0.55] * 10, base) > sure_gain([1.0, *base[1:]], base)
    assert sure_gain(base, base) == 0
    assert sure_gain([0.9, 0.3, 0.8, 0.1], [0.5] * 4) < 0, "what only seems to help is no gain"
    assert [sure_gain([0.6] * count, [0.5] * count) for count in (1, 2)] == pytest.approx([0.1, 0.1])


NAMES = Weights().as_dict().keys()


@pytest.mark.parametrize("name", NAMES)
def test_each_number_may_be_set_within_its_range(name: str) -> None:
    for value in (0.0, 0.25, MOST_WEIGHT):
        assert Weights(**{name: value}).as_dict() == Weights().as_dict() | {name: value}
    for value in (-0.01, MOST_WEIGHT + 1, float("inf"), float("-inf"), float("nan")):
        with pytest.raises(UsageError, match=f"'{name}' must be from 0 to 100, not "):
            Weights(**{name: value})


def test_each_number_is_described_with_its_default() -> None:
    described = list(Weights.described())
    assert {name: default for name, default, _ in described} == Weights().as_dict()
    assert all(about for _, _, about in described)


def test_candidates_differ_in_one_number_each_and_stay_in_range() -> None:
    start = Weights(history=2.0)
    candidates = list(start.candidates())
    assert len(candidates) == len(set(candidates)) == 3 * len(NAMES)
    assert {one.history for one in candidates} == {0.0, 1.0, 2.0, 4.0}
    for one in candidates:
        assert sum(value != start.as_dict()[name] for name, value in one.as_dict().items()) == 1
    assert {one.history for one in Weights(history=0.0).candidates()} == {0.0}, "what counts nothing is tried once"
    assert {one.messages for one in Weights(messages=MOST_WEIGHT).candidates()} == {0.0, MOST_WEIGHT / 2, MOST_WEIGHT}
