"""Comments as they stand in source files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A block of comment: its words without the signs of comments, and its first and last line, counted from 1.

    `symbol` is the declaration it stands in or right above, None outside all of them; `code` the lines to look at when
    there is none: the comment and the code that follows it.
    """

    path: str
    text: str
    lines: tuple[int, int]
    symbol: str | None = None
    code: tuple[int, int] = (1, 1)
