"""Names of symbols are understood however a language writes them."""

from __future__ import annotations

import pytest

from tx_graph.code.symbols import Match, match_of, readings_of

QUALIFIED = ("AuthService", "login")


@pytest.mark.parametrize(
    "typed", ["AuthService::login", "AuthService.login", "AuthService#login", "AuthService.login()"]
)
def test_a_qualified_name_is_understood_in_every_spelling(typed: str) -> None:
    assert QUALIFIED in readings_of(typed)


def test_a_dot_may_belong_to_a_name() -> None:
    assert readings_of("MyApp.Accounts") == [("MyApp.Accounts",), ("MyApp", "Accounts")]


@pytest.mark.parametrize("typed", ["", " ", "::", "()"])
def test_nothing_means_nothing(typed: str) -> None:
    assert readings_of(typed) == []


@pytest.mark.parametrize(
    ("symbol", "typed", "match"),
    [
        ("AuthService::login", "login", Match.EXACT),
        ("AuthService::login#2", "login", Match.EXACT),
        ("AuthService::login#2", "login#2", Match.EXACT),
        ("AuthService::login", "login#2", None),
        ("app::AuthService::login", "AuthService::login", Match.EXACT),
        ("AuthService::login", "LOGIN", Match.CASE),
        ("AuthService::login", "authservice::Login", Match.CASE),
        ("AuthService::login", "log", Match.BEGINNING),
        ("AuthService::login", "AuthService::log", Match.BEGINNING),
        ("AuthService::login", "gin", Match.PART),
        ("AuthService::login", "Service::login", None),
        ("login", "AuthService::login", None),
        ("AuthService::login", "AuthService", None),
    ],
)
def test_the_last_part_decides_and_the_parts_before_it_are_whole(symbol: str, typed: str, match: Match | None) -> None:
    assert match_of(symbol, typed.split("::")) == match
