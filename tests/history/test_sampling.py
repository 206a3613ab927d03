"""Which commits are replayed, what an answer scores, and what a difference is worth."""

from __future__ import annotations

from collections import Counter
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.history.commits import Changeset
from tx_graph.history.sampling import (
    Chance,
    Effect,
    Measure,
    Variant,
    cases_of,
    drawn,
    gain,
    halves,
    mean_interval,
    outcome_of,
    qualifying,
    resamples,
)


def changeset(
    number: int, *files: str, paths: int | None = None, subject: str = "Mend the login", time: int | None = None
) -> Changeset:
    """A commit that changed these files, all of which existed before."""
    return Changeset(
        sha=f"{number:040x}",
        parent=f"{number - 1:040x}",
        time=number if time is None else time,
        subject=subject,
        paths=len(files) if paths is None else paths,
        existing=files,
    )


def by_seed(seed: object) -> Chance:
    return Random(str(seed)).randrange


HISTORY = [changeset(number, "a", "b") for number in range(10)]


def kept(*changesets: Changeset) -> list[Changeset]:
    """Return which of these qualify when they come late enough in history."""
    return [one for one in qualifying([*HISTORY, *changesets]) if one not in HISTORY]


def test_the_first_fifth_of_history_is_only_learned_from() -> None:
    assert qualifying(HISTORY) == HISTORY[2:]


def test_too_short_a_history_has_nothing_to_learn_from_but_is_replayed() -> None:
    assert qualifying(HISTORY[:4]) == HISTORY[:4]
    assert qualifying([]) == []


@pytest.mark.parametrize(("paths", "qualifies"), [(1, False), (2, True), (10, True), (11, False), (500, False)])
def test_two_to_ten_paths_are_a_piece_of_work(paths: int, qualifies: bool) -> None:
    one = changeset(99, "a", "b", paths=paths)
    assert kept(one) == ([one] if qualifies else [])


def test_at_least_two_of_the_files_existed_before() -> None:
    assert kept(changeset(99, "a", paths=5)) == []


@pytest.mark.parametrize("subject", ["", "  "])
def test_a_commit_without_words_asks_nothing(subject: str) -> None:
    assert kept(changeset(99, "a", "b", subject=subject)) == []


def test_a_date_leaves_out_earlier_commits_whatever_their_place() -> None:
    early, late = changeset(50, "a", "b", time=3), changeset(51, "a", "b", time=9)
    assert qualifying([*HISTORY, late, early], since=9) == [HISTORY[9], late]


def test_cases_come_in_the_order_of_history_and_each_commit_once() -> None:
    cases = cases_of(HISTORY, count=6, chance=by_seed(1), chance_of=by_seed)
    numbers = [case.changeset.time for case in cases]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 6


def test_fewer_commits_than_are_wanted_are_all_taken() -> None:
    assert [case.changeset for case in cases_of(HISTORY, count=99, chance=by_seed(1), chance_of=by_seed)] == HISTORY


def test_the_same_seed_gives_the_same_cases_and_another_one_others() -> None:
    many = [changeset(number, *"abcdefgh") for number in range(200)]
    first, again, other = (
        cases_of(many, count=20, chance=by_seed(seed), chance_of=by_seed) for seed in ("one", "one", "two")
    )
    assert first == again
    assert first != other


def test_which_file_is_open_does_not_depend_on_the_other_commits() -> None:
    many = [changeset(number, *"abcdefgh") for number in range(50)]
    few = {case.changeset.sha: case.open_file for case in cases_of(many, count=5, chance=by_seed(1), chance_of=by_seed)}
    all_ = {
        case.changeset.sha: case.open_file for case in cases_of(many, count=50, chance=by_seed(2), chance_of=by_seed)
    }
    assert few.items() <= all_.items()


def test_every_item_is_as_likely_to_be_drawn() -> None:
    chance = by_seed("fair")
    counts = Counter(item for _ in range(2000) for item in drawn("abcd", 2, chance))
    assert all(900 < counts[item] < 1100 for item in "abcd")


def test_the_open_file_is_given_and_so_not_to_be_found() -> None:
    (case,) = cases_of([changeset(7, "a", "b", "c")], count=1, chance=by_seed(0), chance_of=by_seed)
    words, opened = case.questions
    assert (words.variant, words.open_files, words.targets) == (Variant.WORDS, (), ("a", "b", "c"))
    assert opened.variant is Variant.OPEN_FILE
    assert opened.open_files == (case.open_file,)
    assert {*opened.targets, case.open_file} == {"a", "b", "c"}
    assert case.open_file not in opened.targets
    assert words.text == opened.text == "Mend the login"


def test_halves_part_the_past_from_what_came_after() -> None:
    cases = cases_of(HISTORY, count=9, chance=by_seed(0), chance_of=by_seed)
    older, newer = halves(cases)
    assert [*older, *newer] == cases
    assert abs(len(older) - len(newer)) <= 1


# --- what an answer scores -----------------------------------------------------------------------

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


# --- what a difference is worth --------------------------------------------------------------------

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
    assert min(values) - 1e-6 <= found.low
    assert found.high <= max(values) + 1e-6


@given(shares, st.data())
def test_the_loss_one_way_is_the_gain_the_other_way(values: list[float], data: st.DataObject) -> None:
    others = data.draw(st.lists(st.floats(0, 1), min_size=len(values), max_size=len(values)))
    samples = resamples(len(values), chance=by_seed(0), count=40)
    there, back = gain(values, others, samples), gain(others, values, samples)
    assert there.points.value == pytest.approx(-back.points.value)
    assert (there.effect is Effect.HELPS) == (back.effect is Effect.HURTS)
