"""What is offered instead of a number or uid that names nothing: the nearest ones, each with its first words."""

from __future__ import annotations

from collections.abc import Sequence

_EXCERPT = 60
_LOOKED_AT = 1000
"""The newest are looked at, where it is not numbers that are compared."""
_DIGITS = 18
"""A longer number fits no 64-bit row id."""


def excerpt(text: str) -> str:
    """Return the first line of a text, at most 60 characters of it."""
    line = text.split("\n", 1)[0]
    return line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…"


def nearest(labels: Sequence[tuple[int, str, str]], text: str, *, most: int = 3) -> list[tuple[int, str, str]]:
    """Return the labels (number, uid, words), given newest first, that are nearest to a number or a uid."""
    from difflib import SequenceMatcher

    if text.isascii() and text.isdigit() and len(text) <= _DIGITS:
        return sorted(labels, key=lambda label: abs(label[0] - int(text)))[:most]
    return sorted(labels[:_LOOKED_AT], key=lambda label: -SequenceMatcher(None, text, label[1]).ratio())[:most]
