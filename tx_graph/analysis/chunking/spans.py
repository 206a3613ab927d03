"""Stretches of a section's text, and the pieces made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """Characters of a text from `start` up to, but not including, `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What is returned as one result, and what search looks at to find it: `children` lie within it and cover it."""

    span: Span
    children: tuple[Span, ...]
