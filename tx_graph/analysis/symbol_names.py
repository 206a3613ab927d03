"""Names of symbols as people type them, and how well a symbol answers to one. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

Name = tuple[str, ...]
"""A qualified name in its parts, `("AuthService", "login")`."""

_SEPARATORS = re.compile(r"::|\.|#(?!\d)")
_REPEAT = re.compile(r"#\d+$")


class Match(StrEnum):
    """How a symbol answers to a name; declared best first."""

    EXACT = "exact"
    CASE = "case"
    BEGINNING = "beginning"
    PART = "part"


def readings_of(typed: str) -> list[Name]:
    """Return what a typed name may mean: `AuthService.login()`, `AuthService::login`, `AuthService#login`, `login`.

    A dot may also be part of a name, as in Elixir's `MyApp.Accounts`; that reading comes first.
    """
    bare = typed.strip().removesuffix("()")
    readings = (bare.split("::"), _SEPARATORS.split(bare))
    named = [tuple(part for part in parts if part) for parts in readings]
    return [name for name in dict.fromkeys(named) if name]


def match_of(symbol: str, name: Sequence[str]) -> Match | None:
    """Return how a symbol (`AuthService::login#2`) answers to a name, whose first parts may be missing; None: not."""
    parts = _REPEAT.sub("", symbol).split("::")[-len(name) :]
    if parts == list(name):
        return Match.EXACT
    own, asked = [part.casefold() for part in parts], [part.casefold() for part in name]
    if own == asked:
        return Match.CASE
    if own[:-1] != asked[:-1] or asked[-1] not in own[-1]:
        return None
    return Match.BEGINNING if own[-1].startswith(asked[-1]) else Match.PART


def simple_name(symbol: str) -> str:
    """Return the last part of a symbol's name, `login` of `AuthService::login#2`."""
    return _REPEAT.sub("", symbol).rpartition("::")[2]


def unnumbered(symbol: str) -> str:
    """Return a symbol's name without the number that tells it from others of the same name."""
    return _REPEAT.sub("", symbol)
