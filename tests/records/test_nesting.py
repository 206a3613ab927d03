"""YAML that would end the process is told before it is loaded."""

from __future__ import annotations

import pytest

from tx_graph.records.front_matter import MOST_LEVELS, nests_too_deep


@pytest.mark.parametrize(
    "text", ["", "a: [1, 2]", "a: '" + "[" * 50_000 + "'", "a: [" + "[], " * 50_000 + "]", "[" * 900]
)
def test_many_brackets_are_not_deep(text: str) -> None:
    assert not nests_too_deep(text)


@pytest.mark.parametrize("text", ["a: " + "[" * 50_000, "- " * 50_000 + "x", "a: " + "{b: " * (MOST_LEVELS + 1)])
def test_lists_in_lists_in_lists_are(text: str) -> None:
    assert nests_too_deep(text)
