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


@pytest.mark.parametrize(
    ("budget", "parts", "chosen"),
    [
        pytest.param(25, [([10, 10, 10], 1.0)], ((0, 1),), id="better-items-first"),
        pytest.param(25, [([10, 20, 15], 1.0)], ((0, 2),), id="a-smaller-one-after-a-bigger-one-that-did-not-fit"),
        pytest.param(25, [([1000, 10], 1.0)], ((1,),), id="none-larger-than-the-whole-budget"),
        pytest.param(40, [([10] * 9, 0.5), ([10] * 9, 0.5)], ((0, 1), (0, 1)), id="each-section-keeps-to-its-share"),
        pytest.param(
            40, [([10], 0.5), ([10] * 9, 0.5)], ((0,), (0, 1, 2)), id="what-one-leaves-goes-to-those-after-it"
        ),
        pytest.param(40, [([25, 10], 0.5), ([10] * 9, 0.5)], ((0,), (0,)), id="the-best-though-bigger-than-the-share"),
        pytest.param(40, [([35], 0.5), ([10] * 4, 0.5)], ((), (0, 1, 2, 3)), id="but-it-does-not-crowd-out-all-else"),
        pytest.param(40, [([10] * 9, 0.5), ([10], 0.5)], ((0, 1, 2), (0,)), id="what-is-left-goes-to-the-first-again"),
        pytest.param(40, [([20, 10, 10], 0.25), ([], 0.75)], ((0, 1, 2), ()), id="items-keep-their-order"),
    ],
)
def test_items_get_in_by_worth_and_share(budget: int, parts: list[tuple[Sequence[int], float]], chosen: Chosen) -> None:
    assert pack(FRAME + budget, *parts) == chosen


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
