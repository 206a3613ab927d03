"""What holds for every name, text and list; and uids, names of records that never collide between branches."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

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
    # Whether it is a letter or digit, or a mark that belongs to one, as vowels of Indic scripts are.
    cleaned = "_".join(
        "".join(one if (one.isalnum() or unicodedata.category(one).startswith("M")) else " " for one in letters).split()
    )
    if not cleaned or len(cleaned) > LABEL_LIMIT:
        raise UsageError(f"The predicate must be a few words of at most {LABEL_LIMIT} characters, such as 'works_on'.")
    return cleaned


ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base32, in lower case: no i, l, o, u, so that a uid survives being read aloud."""

UID_LENGTH = 12
UID_BYTES = 8
"""Random bytes one uid needs: 12 × 5 bits of the 64."""
MINIMUM_PREFIX = 4
"""Shortest prefix that may stand for a uid."""

_UID = re.compile(rf"[{ALPHABET}]{{{UID_LENGTH}}}")
_SLUG_LENGTH = 40
_EXCERPT = 60
_LOOKED_AT = 1000  # the newest are looked at, where it is not numbers that are compared
DIGITS_OF_A_ROWID = 18
"""A longer number fits no 64-bit row id."""


def uid_from(randomness: bytes) -> str:
    """Return the uid that `randomness` (UID_BYTES bytes) spells; never all digits, so never a local number."""
    number = int.from_bytes(randomness, "big")
    digits = [ALPHABET[(number >> 5 * place) & 31] for place in range(UID_LENGTH)]
    if all(digit.isdigit() for digit in digits):
        digits[0] = "x"
    return "".join(digits)


def fresh_uid(randomness: Callable[[int], bytes], *, is_taken: Callable[[str], object]) -> str:
    """Return a uid that nothing has yet; `randomness` gives as many random bytes as it is asked for."""
    while True:
        uid = uid_from(randomness(UID_BYTES))
        if not is_taken(uid):
            return uid


def is_uid(text: str) -> bool:
    """Whether `text` is a whole uid."""
    return _UID.fullmatch(text) is not None and not text.isdigit()


def slug(text: str, *, otherwise: str = "learning") -> str:
    """Return the first words of `text` as a file name's readable half: ASCII, at most 40 characters.

    Text without any such word is named `otherwise`.
    """
    plain = unicodedata.normalize("NFKD", text[:400]).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower())
    kept = ""
    for word in words:
        if len(kept) + len(word) + 1 > _SLUG_LENGTH:
            break
        kept = f"{kept}-{word}" if kept else word
    return kept or otherwise


def excerpt(text: str) -> str:
    """Return the first line of a text, at most 60 characters of it."""
    line = text.split("\n", 1)[0]
    return line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…"


def nearest(labels: Sequence[tuple[int, str, str]], text: str, *, most: int = 3) -> list[tuple[int, str, str]]:
    """Return the labels (number, uid, words), given newest first, that are nearest to a number or a uid."""
    from difflib import SequenceMatcher

    if text.isascii() and text.isdigit() and len(text) <= DIGITS_OF_A_ROWID:
        return sorted(labels, key=lambda label: abs(label[0] - int(text)))[:most]
    return sorted(labels[:_LOOKED_AT], key=lambda label: -SequenceMatcher(None, text, label[1]).ratio())[:most]
