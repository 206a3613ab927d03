"""Statements: what documents say of themselves in so many words, before it is known what that means."""

from __future__ import annotations

from typing import NamedTuple


class Statement(NamedTuple):
    """That something has a value: `status`, `Accepted`.

    `section` is the place of the section that says so among those of its document. `confidence` lies in (0, 1].
    A tuple, as links are.
    """

    section: int
    predicate: str
    value: str
    confidence: float
