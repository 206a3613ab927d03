from __future__ import annotations

from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.history.histories import by_seed
from tx_graph.history.sampling import Effect, gain, mean_interval, resamples

shares = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_resamples_are_as_long_as_the_sample_and_depend_on_the_seed_alone() -> None:
    first, again, other = (resamples(9, chance=by_seed(seed), count=50) for seed in (1, 1, 2))
    assert first == again != other
    assert {len(places) for places in first} == {9}
    assert {place for places in first for place in places} == set(range(9))


def test_the_interval_of_a_mean_agrees_with_the_normal_approximation() -> None:
    chance = by_seed("normal")
    values = [chance(1000) / 1000 for _ in range(400)]
    found = mean_interval(values, resamples(400, chance=chance))
    margin = 1.96 * stdev(values) / 400**0.5
    assert found.value == pytest.approx(fmean(values))
    assert found.low == pytest.approx(fmean(values) - margin, abs=margin / 5)
    assert found.high == pytest.approx(fmean(values) + margin, abs=margin / 5)


def test_equal_values_leave_nothing_open() -> None:
    found = mean_interval([0.5] * 8, resamples(8, chance=by_seed(0)))
    assert (found.low, found.value, found.high) == (0.5, 0.5, 0.5)


def test_a_small_gain_on_every_commit_is_clear_however_much_commits_differ() -> None:
    """Unpaired, the commits' own differences would drown it."""
    base = [0.0, 0.9] * 20
    samples = resamples(40, chance=by_seed(0))
    found = gain([value + 0.02 for value in base], base, samples)
    assert found.effect is Effect.HELPS
    assert found.points.low == pytest.approx(0.02)
    assert mean_interval(base, samples).low + 0.02 < mean_interval(base, samples).value


def test_what_goes_both_ways_is_no_clear_difference() -> None:
    base = [0.5] * 20
    found = gain([0.4, 0.6] * 10, base, resamples(20, chance=by_seed(0)))
    assert found.effect is Effect.UNCLEAR
    assert found.points.low < 0 < found.points.high


def test_a_loss_hurts_and_the_same_makes_no_difference() -> None:
    samples = resamples(10, chance=by_seed(0))
    assert gain([0.1] * 10, [0.2] * 10, samples).effect is Effect.HURTS
    assert gain([0.2] * 10, [0.2] * 10, samples).effect is Effect.UNCLEAR


def test_a_gain_is_told_relative_to_what_was_there() -> None:
    found = gain([0.3] * 4, [0.2] * 4, resamples(4, chance=by_seed(0)))
    assert found.points.value == pytest.approx(0.1)
    assert found.relative is not None
    assert found.relative.value == pytest.approx(0.5)


def test_where_there_was_nothing_a_gain_is_in_points_alone() -> None:
    found = gain([0.3] * 4, [0.0] * 4, resamples(4, chance=by_seed(0)))
    assert found.relative is None
    assert found.effect is Effect.HELPS


@given(shares)
def test_an_interval_holds_its_value_and_stays_in_range(values: list[float]) -> None:
    found = mean_interval(values, resamples(len(values), chance=by_seed(0), count=40))
    assert found.low <= found.value <= found.high
    assert min(values) - 1e-9 <= found.low
    assert found.high <= max(values) + 1e-9


@given(shares, st.data())
def test_the_loss_one_way_is_the_gain_the_other_way(values: list[float], data: st.DataObject) -> None:
    others = data.draw(st.lists(st.floats(0, 1), min_size=len(values), max_size=len(values)))
    samples = resamples(len(values), chance=by_seed(0), count=40)
    there, back = gain(values, others, samples), gain(others, values, samples)
    assert there.points.value == pytest.approx(-back.points.value)
    assert (there.effect is Effect.HELPS) == (back.effect is Effect.HURTS)
