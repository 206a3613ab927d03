"""Results that do not repeat each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.graph.diversify import ALTERNATIVE_SHARE, FIRST_PAGE, MOST_OF_A_CATEGORY, Candidate, Similarity, diversify

SEEDED = [Candidate(1, 0.95), Candidate(2, 0.90), Candidate(3, 0.85)]
"""The example of PRD-016: the second says nearly what the first says, the third is on the same subject."""
LIKENESS = {(1, 2): 0.95, (1, 3): 0.6, (2, 3): 0.55}


def by_pair(pairs: Mapping[tuple[int, int], float]) -> Similarity:
    return lambda one, other: pairs.get((min(one, other), max(one, other)), 0.0)


def order(candidates: list[Candidate], *, limit: int = 10, lam: float = 0.7, **pairs: float) -> list[int]:
    likeness = {(int(name[1]), int(name[2])): value for name, value in pairs.items()}
    chosen = diversify(candidates, limit=limit, similarity=by_pair(likeness or LIKENESS), lam=lam)
    return [one.candidate.id for one in chosen]


@pytest.mark.parametrize(("lam", "expected"), [(0.5, [1, 3, 2]), (0.9, [1, 2, 3]), (1.0, [1, 2, 3])])
def test_a_near_duplicate_gives_way_unless_relevance_is_all_that_counts(lam: float, expected: list[int]) -> None:
    assert order(SEEDED, lam=lam) == expected


def test_each_choice_says_where_relevance_alone_puts_it_and_what_above_it_is_most_like_it() -> None:
    first, second, third = diversify(SEEDED, limit=3, similarity=by_pair(LIKENESS), lam=0.5)
    assert (first.rank, first.like, first.similarity) == (1, None, 0.0)
    assert (second.candidate.id, second.rank, second.like, second.similarity) == (3, 3, 1, 0.6)
    assert (third.candidate.id, third.rank, third.like, third.similarity) == (2, 2, 1, 0.95)


def test_ties_go_to_the_more_relevant_one_then_to_the_one_given_first() -> None:
    assert order([Candidate(5, 0.4), Candidate(4, 0.4), Candidate(3, 0.4)], p12=0.0) == [5, 4, 3]
    assert order([Candidate(1, 0.5), Candidate(2, 1.0)], lam=0.0, p12=0.0) == [2, 1]


def test_at_most_two_of_a_category_are_among_the_first_five_when_there_are_others() -> None:
    many = [Candidate(number, 1 - number / 100, "auth") for number in range(1, 7)]
    others = [Candidate(7, 0.5, "db"), Candidate(8, 0.5), Candidate(9, 0.5)]
    assert order([*many, *others], p99=0.0) == [1, 2, 7, 8, 9, 3, 4, 5, 6]


def test_what_has_no_category_is_in_none() -> None:
    assert order([Candidate(number, 0.9) for number in range(1, 6)], p99=0.0) == [1, 2, 3, 4, 5]


def test_a_category_fills_the_first_page_when_there_is_nothing_else_worth_showing() -> None:
    many = [Candidate(number, 0.9, "auth") for number in range(1, 6)]
    assert order(many, p99=0.0) == [1, 2, 3, 4, 5]
    noise = Candidate(6, 0.9 * ALTERNATIVE_SHARE - 0.01, "db")
    assert order([*many, noise], p99=0.0) == [1, 2, 3, 4, 5, 6]


CANDIDATES = st.lists(
    st.builds(Candidate, st.integers(0, 20), st.floats(0, 1), st.sampled_from([None, "a", "b", "c"])),
    max_size=12,
    unique_by=lambda one: one.id,
)


@settings(deadline=None)
@given(candidates=CANDIDATES, limit=st.integers(1, 15), lam=st.floats(0, 1), data=st.data())
def test_whatever_the_scores_each_place_is_the_best_that_was_left(
    candidates: list[Candidate], limit: int, lam: float, data: st.DataObject
) -> None:
    ids = sorted(one.id for one in candidates)
    pairs = {(a, b): data.draw(st.floats(-1, 1.5)) for a in ids for b in ids if a < b}
    chosen = diversify(candidates, limit=limit, similarity=by_pair(pairs), lam=lam)
    assert len(chosen) == min(limit, len(candidates))
    assert len({one.candidate.id for one in chosen}) == len(chosen)
    assert {one.candidate for one in chosen} <= set(candidates)
    assert all(0 <= one.similarity <= 1 for one in chosen)
    if chosen and lam > 0:
        assert chosen[0].candidate.relevance * lam == max(one.relevance for one in candidates) * lam
    page = Counter(one.candidate.category for one in chosen[:FIRST_PAGE])
    del page[None]
    if any(count > MOST_OF_A_CATEGORY for count in page.values()):
        left = [one for one in candidates if one not in {choice.candidate for choice in chosen[:FIRST_PAGE]}]
        shown = max(one.candidate.relevance for one in chosen[:FIRST_PAGE])
        full = {category for category, count in page.items() if count >= MOST_OF_A_CATEGORY}
        assert all(one.category in full or one.relevance < ALTERNATIVE_SHARE * shown for one in left)
