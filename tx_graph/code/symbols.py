"""Names of symbols as people type them, and how well a symbol answers to one. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar, NamedTuple

from tx_graph.core.dataclass import dataclass, field
from tx_graph.core.shape import Answer


class Extent(NamedTuple):
    """Where a declaration stands in the text it was read from, in characters; its body begins where its head ends."""

    start: int
    head_end: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol(Answer):
    """A declaration; `name` is qualified inside its file (`AuthService::login`), lines count from 1, both included.

    `is_detail`: it is a part of its file or of another symbol that outlines fold, such as a field, a constant that is
    not exported, or a function inside another.

    `signature` is the declaration's head on one line, as it stands in the source without its body; empty for a
    declaration that has no more to say than its name. `extent` is known only right after reading.
    """

    path: str
    name: str
    kind: str
    line_start: int
    line_end: int
    signature: str = ""
    is_detail: bool = False
    extent: Extent | None = field(default=None, compare=False, repr=False)
    JSON: ClassVar = "node=fqname@symbol:line_start ref=fqname path name kind line_start line_end signature~ is_detail~"

    @property
    def fqname(self) -> str:
        """The name that is unique in the repository, `src/auth.ts::AuthService::login`."""
        return fqname(self.path, self.name)

    @property
    def lines(self) -> tuple[int, int]:
        """Its first and last line."""
        return (self.line_start, self.line_end)


Name = tuple[str, ...]
"""A qualified name in its parts, `("AuthService", "login")`."""

_SEPARATORS = re.compile(r"::|\.|#(?!\d)")
_REPEAT = re.compile(r"(?<=.)#\d+$")
_REPEATED_SECTION = re.compile(r"(?<=..)-\d+$")
SECTION = "#"
"""What the name of a document's section begins with where sections stand beside symbols: `#setup`."""


def is_section(name: str) -> bool:
    """Whether a name inside a file is that of a section."""
    return name.startswith(SECTION)


def fqname(path: str, name: str) -> str:
    """Return the name that is unique in the repository: `src/auth.ts::login`, `docs/auth.md#setup`."""
    return f"{path}{name}" if is_section(name) else f"{path}::{name}"


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
    """Return how a symbol (`AuthService::login#2`) answers to a name, whose first parts may be missing; None: not.

    A name without a number means all that have it.
    """
    bare = symbol if _REPEAT.search(name[-1]) else _REPEAT.sub("", symbol)
    parts = bare.split("::")[-len(name) :]
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
    return (_REPEATED_SECTION if is_section(symbol) else _REPEAT).sub("", symbol)
