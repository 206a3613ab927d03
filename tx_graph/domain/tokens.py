"""Tokens: how much of a language model's attention a text takes, by estimators with a name."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import StrEnum

CHARACTERS_PER_TOKEN = 4
"""The rule of thumb for English prose."""
BYTES_PER_TOKEN = 3.75
"""Counts text beyond ASCII for what it costs: three bytes of UTF-8 for each Chinese character, four for an emoji."""

CountTokens = Callable[[str], int]
"""Says how many tokens a text has."""


class TokensBy(StrEnum):
    """Who counts tokens: two rules of thumb, and a model's own tokenizer, which is exact."""

    CHARS = "chars"
    BYTES = "bytes"
    TOKENIZER = "tokenizer"


def by_characters(text: str) -> int:
    """Return the characters of `text` divided by 4, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def by_bytes(text: str) -> int:
    """Return the bytes of `text` in UTF-8 divided by 3.75, rounded up."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / BYTES_PER_TOKEN)
