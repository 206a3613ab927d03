from __future__ import annotations

from collections import Counter

import pytest

from tests.history.histories import by_seed, changeset
from tx_graph.history.commits import Changeset
from tx_graph.history.sampling import Variant, cases_of, drawn, halves, qualifying

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
