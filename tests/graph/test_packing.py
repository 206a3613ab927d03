"""Which items of a document fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.core.errors import UsageError
from tx_graph.graph.pack import Chosen, Cost, Section, packed

FRAME = 10


def cost_of(*sizes: Sequence[int]) -> Cost:
    """A document of ten tokens and its items, each of a size."""

    def cost(chosen: Chosen) -> int:
        return FRAME + sum(part[item] for part, at in zip(sizes, chosen, strict=True) for item in at)

    return cost


def pack(budget: int, *parts: tuple[Sequence[int], float]) -> Chosen:
    """Pack items of these sizes, each section with its share."""
    sections = [Section(items=len(sizes), share=share) for sizes, share in parts]
    return packed(sections, budget=budget, cost=cost_of(*(sizes for sizes, _ in parts)))


def test_better_items_go_in_first() -> None:
    assert pack(FRAME + 25, ([10, 10, 10], 1.0)) == ((0, 1),)


def test_a_smaller_item_may_get_in_after_a_bigger_one_did_not() -> None:
    assert pack(FRAME + 25, ([10, 20, 15], 1.0)) == ((0, 2),)


def test_an_item_larger_than_the_whole_budget_is_left_out() -> None:
    assert pack(FRAME + 25, ([1000, 10], 1.0)) == ((1,),)


def test_a_section_keeps_to_its_share_while_others_have_items() -> None:
    assert pack(FRAME + 40, ([10] * 9, 0.5), ([10] * 9, 0.5)) == ((0, 1), (0, 1))


def test_what_a_section_leaves_goes_to_those_after_it() -> None:
    assert pack(FRAME + 40, ([10], 0.5), ([10] * 9, 0.5)) == ((0,), (0, 1, 2))


def test_the_best_of_a_section_goes_in_though_it_is_bigger_than_the_share() -> None:
    assert pack(FRAME + 40, ([25, 10], 0.5), ([10] * 9, 0.5)) == ((0,), (0,))


def test_it_does_not_crowd_out_everything_else() -> None:
    assert pack(FRAME + 40, ([35], 0.5), ([10] * 4, 0.5)) == ((), (0, 1, 2, 3))


def test_what_is_left_in_the_end_goes_to_the_first_again() -> None:
    assert pack(FRAME + 40, ([10] * 9, 0.5), ([10], 0.5)) == ((0, 1, 2), (0,))


def test_items_keep_their_order_whenever_they_got_in() -> None:
    assert pack(FRAME + 40, ([20, 10, 10], 0.25), ([], 0.75)) == ((0, 1, 2), ())


def test_a_budget_below_the_frame_is_refused_with_what_it_takes() -> None:
    with pytest.raises(UsageError, match="too small: the page takes 10") as refused:
        pack(FRAME - 1, ([1], 1.0))
    assert "at least 10" in refused.value.hint


@given(
    parts=st.lists(st.tuples(st.lists(st.integers(0, 60), max_size=12), st.floats(0, 1)), max_size=6),
    budget=st.integers(FRAME, 300),
)
def test_the_budget_holds_and_no_item_that_fits_is_left_out(parts: list[tuple[list[int], float]], budget: int) -> None:
    chosen = pack(budget, *parts)
    cost = cost_of(*(sizes for sizes, _ in parts))
    assert cost(chosen) <= budget
    for (sizes, _), at in zip(parts, chosen, strict=True):
        assert list(at) == sorted(set(at))
        assert all(cost(chosen) + size > budget for item, size in enumerate(sizes) if item not in at)
