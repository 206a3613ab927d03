"""Symbols: the named things that source files declare."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

SymbolRow = tuple[str, str, int, int, str]
"""A symbol without its path: name, kind, first line, last line, signature."""


class Extent(NamedTuple):
    """Where a declaration stands in the text it was read from, in characters; its body begins where its head ends."""

    start: int
    head_end: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A declaration; `name` is qualified inside its file (`AuthService::login`), lines count from 1, both included.

    `signature` is the declaration's head on one line, as it stands in the source without its body; empty for a
    declaration that has no more to say than its name. `extent` is known only right after reading.
    """

    path: str
    name: str
    kind: str
    line_start: int
    line_end: int
    signature: str = ""
    extent: Extent | None = field(default=None, compare=False, repr=False)

    @property
    def fqname(self) -> str:
        """The name that is unique in the repository, `src/auth.ts::AuthService::login`."""
        return f"{self.path}::{self.name}"

    @property
    def lines(self) -> tuple[int, int]:
        """Its first and last line."""
        return (self.line_start, self.line_end)
