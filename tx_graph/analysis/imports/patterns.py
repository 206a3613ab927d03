"""Patterns with one `*`, as `paths` of a tsconfig and `exports` of a package use them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A pattern that fits, and the text its `*` stands for (empty without a `*`)."""

    pattern: str
    star: str

    def fill(self, target: str) -> str:
        """Return the target with its `*` replaced."""
        return target.replace("*", self.star)


def best_match(text: str, patterns: Iterable[str]) -> Match | None:
    """Return the fitting pattern: the text itself, else the one with the longest part before the `*`."""
    likely = (pattern for pattern in patterns if pattern[:1] in ("*", text[:1]))
    found = [match for pattern in likely if (match := _match(text, pattern))]
    return max(found, key=lambda match: _rank(match, text), default=None)


def _match(text: str, pattern: str) -> Match | None:
    if pattern == text:
        return Match(pattern=pattern, star="")
    before, star, after = pattern.partition("*")
    if not star or len(text) < len(before) + len(after):
        return None
    if not (text.startswith(before) and text.endswith(after)):
        return None
    return Match(pattern=pattern, star=text[len(before) : len(text) - len(after)])


def _rank(match: Match, text: str) -> tuple[bool, int, int]:
    return (match.pattern == text, len(match.pattern.partition("*")[0]), len(match.pattern))
