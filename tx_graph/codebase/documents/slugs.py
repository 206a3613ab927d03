"""Slugs: the names that GitHub gives to headings, so that links which work there work here.

The rule is GitHub's own, as the package github-slugger holds it: lower case; letters, marks, digits, `_` and `-` stay;
a blank becomes a hyphen; all else goes. A name that was given before gets a number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

_KEPT = frozenset("Lu Ll Lt Lm Lo Nl Nd Mn Mc Me Pc".split())
"""General categories of what is a letter, mark, digit or connector."""
_CIRCLED = (range(0x24B6, 0x24EA), range(0x1F130, 0x1F14A), range(0x1F150, 0x1F16A), range(0x1F170, 0x1F18A))
"""Symbols that Unicode calls alphabetic."""
_ASCII = {code: None for code in range(128) if not chr(code).isalnum() and chr(code) not in "_-"} | {ord(" "): "-"}


def slug_of(heading: str) -> str:
    """Return the slug of a heading's plain text, as if it were the only heading; it may be empty."""
    low = heading.lower()
    return low.translate(_ASCII) if low.isascii() else "".join(_kept(low))


def _kept(text: str) -> Iterator[str]:
    for char in text:
        if char == " ":
            yield "-"
        elif char == "-" or unicodedata.category(char) in _KEPT or any(ord(char) in circled for circled in _CIRCLED):
            yield char


class Slugs:
    """Gives the headings of one document their slugs, in the order of the source, each once."""

    def __init__(self) -> None:
        # What has no letters is called by its number alone; the empty name is the document's own.
        self._numbers = {"": 0}

    def give(self, heading: str) -> str:
        """Return the slug of the next heading, with a number if it was given before."""
        first = slug = slug_of(heading)
        while slug in self._numbers:
            self._numbers[first] += 1
            slug = f"{first}-{self._numbers[first]}"
        self._numbers[slug] = 0
        return slug
