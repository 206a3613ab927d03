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


class Patterns:
    """A set of patterns, sorted once, so that finding the best one takes few comparisons."""

    def __init__(self, patterns: Iterable[str]) -> None:
        known = list(patterns)
        self._known = frozenset(known)
        parted = [(*pattern.partition("*")[::2], pattern) for pattern in known if "*" in pattern]
        self._parted = sorted(parted, key=lambda parts: (-len(parts[0]), -len(parts[2])))

    def best(self, text: str) -> Match | None:
        """Return the fitting pattern: the text itself, else the one with the longest part before the `*`."""
        if text in self._known:
            return Match(pattern=text, star="")
        for before, after, pattern in self._parted:
            if text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after):
                return Match(pattern=pattern, star=text[len(before) : len(text) - len(after)])
        return None
