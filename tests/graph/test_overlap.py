"""Sets that overlap."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.graph.diversify import overlap, overlapping


@pytest.mark.parametrize(
    ("one", "other", "index"), [("abc", "abc", 1.0), ("abc", "abd", 0.5), ("ab", "cd", 0.0), ("", "", 0.0)]
)
def test_the_index_is_what_is_shared_of_all(one: str, other: str, index: float) -> None:
    assert overlap(frozenset(one), frozenset(other)) == index


@settings(deadline=None)
@given(
    sets=st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=6), max_size=12),
    threshold=st.floats(0.05, 1),
    data=st.data(),
)
def test_no_pair_is_missed_and_none_is_made_up(
    sets: list[frozenset[str]], threshold: float, data: st.DataObject
) -> None:
    numbered = dict(enumerate(sets))
    among = data.draw(st.none() | st.sets(st.sampled_from(range(12))))
    every = {
        (one, other, overlap(numbered[one], numbered[other]))
        for one, other in combinations(numbered, 2)
        if overlap(numbered[one], numbered[other]) >= threshold and (among is None or {one, other} & among)
    }
    found = list(overlapping(numbered, threshold=threshold, among=among))
    assert set(found) == every
    assert len(found) == len(every)
