"""The code of one symbol, read independently of tx, and how two versions of it differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

OWN_NAME = "\0own name"
"""Stands for a symbol's own name where code is compared but for it."""

LITERAL = '"'
"""Begins a token that is a string or another literal: never a name."""

MARK = "<"
"""Begins a token that tells structure, not text."""


class Difference(StrEnum):
    """How far apart two versions of one symbol are; `DRIFT` is body or signature, `DOUBT` is not for us to say."""

    NONE = "none"
    FORMAT = "format"
    COMMENT = "comment"
    BODY = "body"
    SIGNATURE = "signature"
    DRIFT = "drift"
    DOUBT = "doubt"


COUNTED = frozenset({Difference.BODY, Difference.SIGNATURE, Difference.DRIFT})
"""Differences in what the code does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A symbol's program: `tokens` without comments and white space, of them `head` what precedes the body.

    `head` is None where it cannot be told for sure. `comments` are the words of comments and documentation. Code that
    the reader stumbled over is not `sure`: where such tokens differ, that says nothing. Tokens are `exact` if no
    formatter can change them, as those of a syntax tree.
    """

    tokens: tuple[str, ...]
    head: tuple[str, ...] | None = None
    comments: tuple[str, ...] = ()
    sure: bool = True
    exact: bool = False

    def but_for(self, name: str) -> tuple[str, ...]:
        """Return the tokens with every occurrence of a name replaced."""
        return tuple(OWN_NAME if token == name else token for token in self.tokens)

    @property
    def weight(self) -> int:
        """How many names, literals and operators the body has; all of them where the head is in doubt."""
        return sum(_has_weight(token) for token in self.tokens[len(self.head or ()) :])


def difference(before: Code, after: Code) -> Difference:
    """Return how two versions differ whose lines are not the same."""
    if before.tokens == after.tokens:
        return Difference.FORMAT if before.comments == after.comments else Difference.COMMENT
    if not (before.sure and after.sure) or _may_be_format(before, after):
        return Difference.DOUBT
    if before.head is None or after.head is None:
        return Difference.DRIFT
    return Difference.BODY if before.head == after.head else Difference.SIGNATURE


def comment_words(comment: str) -> list[str]:
    """Return the words of a comment without what marks it as one."""
    return [word for word in (word.strip("/*#-!\"'") for word in comment.split()) if word]


_FORMATTERS_OWN = frozenset(",;()|&")
"""What a formatter may add or drop without changing the program: where only these differ, we do not judge."""


def _may_be_format(before: Code, after: Code) -> bool:
    """Whether a formatter could have made one of the other, though perhaps it did not."""
    return not (before.exact and after.exact) and _bare(before.tokens) == _bare(after.tokens)


def _bare(tokens: Sequence[str]) -> list[str]:
    """Return the tokens without what a formatter may change."""
    bare = (re.sub(r"[\\\"'`]", "", token) for token in tokens if token not in _FORMATTERS_OWN)
    return [token for token in bare if token]


def _has_weight(token: str) -> bool:
    return not token.startswith(MARK) and any(character.isalnum() or character in "+-*/%<>!&|^" for character in token)
