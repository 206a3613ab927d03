"""Sections that did not change stay themselves."""

from __future__ import annotations

import pytest

from tx_graph.documents.drafting import Known, matched

ONE, TWO = Known(1, "a.md#one", "x"), Known(2, "a.md#two", "y")
SAME = [Known(1, "a.md#x", "same"), Known(2, "a.md#x-1", "same"), Known(3, "a.md#x-2", "same")]
LOST = Known(7, "", "x", is_loose=True)


@pytest.mark.parametrize(
    ("wanted", "known", "nodes"),
    [
        pytest.param([("a.md#one", "x"), ("a.md#two", "y")], [ONE, TWO], [1, 2], id="unchanged"),
        pytest.param([("a.md#one", "new")], [ONE], [1], id="an edited one is known by its name"),
        pytest.param([("a.md#setup-1", "x")], [ONE], [1], id="a renamed one is known by its text"),
        pytest.param([("a.md#one", "y"), ("a.md#two", "x")], [ONE, TWO], [2, 1], id="names that are swapped"),
        pytest.param([("a.md#one", "x"), ("a.md#two", "x")], [ONE], [1, None], id="none becomes two"),
        pytest.param([("a.md#y", "same"), ("a.md#y-1", "same")], SAME, [1, 2], id="equal texts keep their order"),
        pytest.param([("b.md#one", "x")], [LOST], [7], id="what a lost document said lives on elsewhere"),
        pytest.param([("b.md#new", "x")], [LOST, Known(8, "b.md#old", "x")], [8], id="its own before lost ones"),
    ],
)
def test_a_section_is_the_one_it_was(wanted: list[tuple[str, str]], known: list[Known], nodes: list[int]) -> None:
    assert [one.node if one else None for one in matched(wanted, known)] == nodes
