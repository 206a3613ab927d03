"""Names for learnings that never collide between branches: uids, and slugs for people."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base32, in lower case: no i, l, o, u, so that a uid survives being read aloud."""

UID_LENGTH = 12
UID_BYTES = 8
"""Random bytes one uid needs: 12 × 5 bits of the 64."""
MINIMUM_PREFIX = 4
"""Shortest prefix that may stand for a uid."""

_UID = re.compile(rf"[{ALPHABET}]{{{UID_LENGTH}}}")
_SLUG_LENGTH = 40


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
