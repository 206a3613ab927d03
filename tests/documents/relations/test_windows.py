"""Which sections a model sees together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.core.errors import UsageError
from tx_graph.documents.relations import packed, windows


@pytest.mark.parametrize(
    ("count", "size", "overlap", "expected"),
    [
        (9, 4, 1, [(0, 1, 2, 3), (3, 4, 5, 6), (6, 7, 8)]),
        (10, 5, 0, [(0, 1, 2, 3, 4), (5, 6, 7, 8, 9)]),
        (6, 5, 0, [(0, 1, 2, 3, 4), (4, 5)]),
        (3, 2, 0, [(0, 1), (1, 2)]),
        (3, 2, 1, [(0, 1), (1, 2)]),
        (2, 5, 4, [(0, 1)]),
        (1, 5, 0, []),
        (0, 5, 0, []),
    ],
)
def test_windows_slide_by_what_they_do_not_share(
    count: int, size: int, overlap: int, expected: list[tuple[int, ...]]
) -> None:
    assert windows(range(count), size=size, overlap=overlap) == expected


@pytest.mark.parametrize(("size", "overlap"), [(4, 4), (4, 5), (4, -1), (1, 0), (0, 0)])
def test_windows_that_never_move_on_or_hold_no_pair_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(UsageError):
        windows(range(9), size=size, overlap=overlap)


@given(count=st.integers(2, 60), size=st.integers(2, 12), data=st.data())
def test_every_section_is_in_a_window_and_every_window_holds_a_pair(count: int, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    found = windows(range(count), size=size, overlap=overlap)
    assert {item for window in found for item in window} == set(range(count))
    assert all(2 <= len(window) <= size for window in found)
    assert all(list(window) == list(range(window[0], window[-1] + 1)) for window in found)
    assert not any(set(one) <= set(other) for one, other in zip(found[1:], found, strict=False))


PAIRS = st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15)).filter(lambda pair: pair[0] != pair[1]))


@given(pairs=PAIRS, size=st.integers(2, 7))
def test_both_ends_of_every_pair_stand_in_one_batch(pairs: list[tuple[int, int]], size: int) -> None:
    batches = packed(pairs, size=size)
    assert all(len(set(batch)) == len(batch) <= size for batch in batches)
    assert all(any({*pair} <= {*batch} for batch in batches) for pair in pairs)


def test_pairs_of_one_section_share_a_batch_while_there_is_room() -> None:
    assert packed([(1, 2), (1, 3), (1, 4), (5, 6), (5, 1)], size=5) == [(1, 2, 3, 4), (5, 6, 1)]
