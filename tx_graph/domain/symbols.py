"""Symbols: the named things that source files declare."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A declaration; `name` is qualified inside its file (`AuthService::login`), lines count from 1, both included."""

    path: str
    name: str
    kind: str
    line_start: int
    line_end: int

    @property
    def fqname(self) -> str:
        """The name that is unique in the repository, `src/auth.ts::AuthService::login`."""
        return f"{self.path}::{self.name}"
