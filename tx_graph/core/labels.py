"""What holds for every name, text and list: one line, Unicode, and how many results there may be."""

from __future__ import annotations

import unicodedata

from tx_graph.core.errors import UsageError

MOST_LISTED = 10_000
"""Most results one answer gives."""
LABEL_LIMIT = 200
"""Characters of a category, keyword or source reference."""
DEFAULT_TYPE = "concept"
"""What an entity is of which nobody said more."""


def clean_label(text: str, *, what: str) -> str:
    """Return a category, keyword or source reference without white space around it."""
    cleaned = text.strip()
    if not cleaned:
        raise UsageError(f"The {what} is empty.")
    if len(cleaned) > LABEL_LIMIT or not cleaned.isprintable():
        raise UsageError(f"The {what} must be one line of at most {LABEL_LIMIT} printable characters.")
    return cleaned


def checked_limit(limit: int) -> int:
    """Return how many results to give."""
    if not 1 <= limit <= MOST_LISTED:
        raise UsageError(f"The limit must be from 1 to {MOST_LISTED:,}, not {limit}.")
    return limit


def is_unicode(text: str) -> bool:
    """Return whether a text can be written as UTF-8.

    Python keeps bytes that are no UTF-8 as lone surrogates, which no record and no row can hold.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def clean_predicate(text: str) -> str:
    """Return a predicate in snake_case: `Works on` is `works_on`.

    Raises:
        UsageError: It has no letter or digit, or is longer than 200 characters.
    """
    letters = unicodedata.normalize("NFKC", text).lower()
    cleaned = "_".join("".join(one if _is_of_a_word(one) else " " for one in letters).split())
    if not cleaned or len(cleaned) > LABEL_LIMIT:
        raise UsageError(f"The predicate must be a few words of at most {LABEL_LIMIT} characters, such as 'works_on'.")
    return cleaned


def _is_of_a_word(character: str) -> bool:
    """Whether it is a letter or digit, or a mark that belongs to one, as vowels of Indic scripts are."""
    return character.isalnum() or unicodedata.category(character).startswith("M")
