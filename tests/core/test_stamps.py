"""Ages in words, and time stamps that may be trusted."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

from tx_graph.core.times import ago
from tx_graph.core.working_tree import UNTRUSTED, trusted_mtime


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(seconds=60), "1 minute ago"),
        (timedelta(minutes=9, seconds=9), "9 minutes ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (timedelta(days=8, hours=3), "8 days ago"),
        (timedelta(days=364), "364 days ago"),
        (timedelta(days=1119), "3 years ago"),
        (timedelta(seconds=-5), "just now"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(age: timedelta, words: str) -> None:
    assert ago(age) == words


def test_a_file_changed_this_very_moment_proves_nothing_by_its_time() -> None:
    assert trusted_mtime(time.time_ns()) == UNTRUSTED


def test_a_file_of_yesterday_is_known_by_its_time() -> None:
    yesterday = time.time_ns() - 86_400 * 10**9 + 1
    assert trusted_mtime(yesterday) == yesterday
