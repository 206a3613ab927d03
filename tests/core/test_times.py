"""Lengths of time are typed as hours, days or weeks, and told in words."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tx_graph.core.errors import UsageError
from tx_graph.core.times import ago, parse_age


@pytest.mark.parametrize(("text", "age"), [
    ("90d", timedelta(days=90)), ("12h", timedelta(hours=12)), ("2w", timedelta(weeks=2)), ("0d", timedelta()),
    (" 7 D ", timedelta(days=7)),
])  # fmt: skip
def test_a_number_and_a_unit_are_a_length_of_time(text: str, age: timedelta) -> None:
    assert parse_age(text) == age


@pytest.mark.parametrize("text", ["", "90", "d", "-1d", "1.5d", "90m", "1d2h", "100000d", "٣d", "90 days"])
def test_anything_else_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="no length of time"):
        parse_age(text)


@pytest.mark.parametrize(("age", "words"), [
    (timedelta(), "just now"), (timedelta(seconds=59), "just now"), (timedelta(seconds=60), "1 minute ago"),
    (timedelta(minutes=9, seconds=9), "9 minutes ago"), (timedelta(hours=23, minutes=59), "23 hours ago"),
    (timedelta(days=8, hours=3), "8 days ago"), (timedelta(days=364), "364 days ago"),
    (timedelta(days=1119), "3 years ago"), (timedelta(seconds=-5), "just now"),
])  # fmt: skip
def test_an_age_is_told_in_its_largest_unit(age: timedelta, words: str) -> None:
    assert ago(age) == words
