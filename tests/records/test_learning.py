"""What a learning may hold."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.core.errors import UsageError
from tx_graph.core.labels import LABEL_LIMIT, clean_label
from tx_graph.records.learning import CONTENT_LIMIT, clean_content, unit_interval


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one", "one"),
        ("one\r\ntwo\rthree\n", "one\ntwo\nthree"),
        ("\n\none\n\n", "one"),
        ("\n  \n\t\n    indented code\n  \n", "    indented code"),
        ("a\n\nb", "a\n\nb"),
    ],
)
def test_content_has_unix_line_ends_and_no_blank_lines_around_it(text: str, expected: str) -> None:
    assert clean_content(text) == expected


@pytest.mark.parametrize(
    "text", ["", " \n\t\r\n", "a\0b", "caf\udce9", "x" * (CONTENT_LIMIT + 1), "é" * (CONTENT_LIMIT // 2 + 1)]
)
def test_empty_binary_invalid_and_oversized_content_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        clean_content(text)


def test_a_megabyte_is_taken() -> None:
    assert len(clean_content("x" * CONTENT_LIMIT)) == CONTENT_LIMIT


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")).filter(str.strip))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    once = clean_content(text)
    assert clean_content(once) == once
    assert once.split() == text.split()


def test_a_label_loses_the_white_space_around_it() -> None:
    assert clean_label("  security ", what="category") == "security"


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "a\tb", "a\0b", "\udce9", "x" * (LABEL_LIMIT + 1)])
def test_a_label_is_one_short_printable_line(text: str) -> None:
    with pytest.raises(UsageError):
        clean_label(text, what="category")


@pytest.mark.parametrize("value", [0, 0.0, 0.5, 1, 1.0])
def test_numbers_from_zero_to_one_are_taken(value: float) -> None:
    assert unit_interval(value, what="weight") == value


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, math.inf, -math.inf, 10**300])
def test_other_numbers_are_refused(value: float) -> None:
    with pytest.raises(UsageError):
        unit_interval(value, what="weight")
