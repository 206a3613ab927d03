"""Texts of the same words that say different things."""

from __future__ import annotations

import pytest

from tx_graph.proposals.prose import may_be_same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs, not blanks", "Use blanks, not tabs"),
        ("Always push to main", "Never push to main"),
        ("To run the tests: `make test`", "To run the tests: `make check`"),
        ("use pnpm instead of npm", "use npm instead of pnpm"),
    ],
)
def test_what_is_turned_round_is_not_the_same(one: str, other: str) -> None:
    assert not may_be_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never push to main", "do not push to main, ever"),
        ("Use tabs", "Tabs are used"),
        ("Run `make test` first", "First run `make test` and `make lint`"),
        ("We don't mock the database", "The database is never mocked: don't mock the database"),
    ],
)
def test_what_is_put_otherwise_may_be(one: str, other: str) -> None:
    assert may_be_same(one, other)
