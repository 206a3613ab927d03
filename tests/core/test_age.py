"""Lengths of time are typed as hours, days or weeks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tx_graph.core.errors import UsageError
from tx_graph.core.times import parse_age


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("90d", timedelta(days=90)),
        ("12h", timedelta(hours=12)),
        ("2w", timedelta(weeks=2)),
        ("0d", timedelta()),
        (" 7 D ", timedelta(days=7)),
    ],
)
def test_a_number_and_a_unit_are_a_length_of_time(text: str, age: timedelta) -> None:
    assert parse_age(text) == age


@pytest.mark.parametrize("text", ["", "90", "d", "-1d", "1.5d", "90m", "1d2h", "100000d", "٣d", "90 days"])
def test_anything_else_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError):
        parse_age(text)
