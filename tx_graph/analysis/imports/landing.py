"""Landings: where one specifier leads, or why it leads nowhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """The tracked source files that a specifier names; when there are none, the reason."""

    paths: tuple[str, ...] = ()
    reason: str = ""


STDLIB = Landing(reason="stdlib")
"""A module that ships with the language or its runtime."""

EXTERNAL = Landing(reason="external")
"""A package that somebody else publishes."""

MISSING = Landing(reason="missing")
"""Meant to lie in the repository, but no tracked file answers to it."""

NOT_CODE = Landing(reason="not code")
"""A tracked file, but no source file of a language we read: JSON, a style sheet, an image."""


def at(path: str) -> Landing:
    """Return the landing on one file."""
    return Landing(paths=(path,))
