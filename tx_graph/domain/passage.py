"""Passages: pieces of source as fingerprints see them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A symbol, some lines or a whole file, taken apart.

    `text` is exact (Unix line ends, no line end at its end). `tokens` is its code in canonical form: equal for two
    passages exactly when they differ in nothing but white space, comments and what a formatter may change. `head`
    is the part of them before a declaration's body, empty where there is no declaration. `comments` are the words of
    comments and documentation strings, in order.
    """

    text: str
    tokens: tuple[str, ...]
    head: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
