"""Where sentences end, by punctuation and what stands around it, in any script and among code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_ALWAYS = frozenset("mr mrs ms dr prof sr jr st vs viz al cf inc ltd co corp dept bzw resp".split())
"""Abbreviations that do not end a sentence, whatever follows; `etc.` before a capital may."""
_BEFORE_NUMBERS = frozenset(
    """approx art ca ch chap est eq fig figs no nos nr p par pp sec sect ver vol jan feb mar apr jun jul aug sep sept
    oct nov dec""".split()
)
"""Those that are mostly words of their own, unless a number follows: `No. 5`, but `The answer is no.`"""

_LATIN = r".!?\u2026"
_OTHER = r"\u3002\uff01\uff1f\uff61\uff0e\u0964\u0965\u06d4\u061f\u0589\u1362\u104b\u17d4"
"""Full stops and their like of East Asia, of Devanagari, Urdu, Arabic, Armenian, Ethiopic, Burmese and Khmer."""
_CLOSERS = r"[\"'\u201d\u2019\u00bb)\]}*_\u300d\u300f\uff09\u300b\u3011\u3009]*+(?:\[\^?\w{1,12}\])*+"
"""Quotes, brackets, emphasis and footnotes that belong to the sentence they follow."""
_END = re.compile(
    rf"""
    [{_LATIN}{_OTHER}]                                     # one set first: the search skips ahead to it in C
    (?:
        (?<=[{_LATIN}])(?<![{_LATIN}]{{2}})[{_LATIN}]*+
        {_CLOSERS}(?=\s)                                   # a blank: 3.14 and a.py have none
      | (?<=[{_OTHER}])(?:(?<!\uff0e)|(?!\d))[{_OTHER}]*+  # means nothing else, but for the dot of a wide number
        {_CLOSERS}
    )
    """,
    re.VERBOSE,
)
_NEXT = re.compile(r"\s*+[\"'\u201c\u2018\u00ab(\[{*_`]*+(.)", re.DOTALL)
"""The first letter of what follows, behind quotes, brackets and emphasis."""
_LATIN_MARKS = ".!?\u2026"
_WORD_BEFORE = re.compile(r"(?<![^\W_])(?:[^\W\d_]\.)*[^\W_]+$")
_LONGEST_WORD = 16
"""Characters in which an abbreviation or the number of a list item shows; longer words are neither."""
_INLINE_CODE = re.compile(r"`(?<!``)(`*+).{1,200}?(?<!`)`\1(?!`)", re.DOTALL)
"""So long at most: a backtick that is never closed should not hide the rest of a text."""


def sentence_ends(text: str) -> list[int]:
    """Return the places at which one sentence ends and another follows, in order.

    An end stands behind its punctuation and the quotes and brackets that close with it. Not an end: the dot of an
    abbreviation, initial, number, version, file name or numbered item, what a lower-case letter follows, and
    anything in inline code. A time linear in the text, whatever it holds.
    """
    return list(outside(_ends(text), (match.span() for match in _INLINE_CODE.finditer(text))))


def _ends(text: str) -> Iterator[int]:
    for match in _END.finditer(text):
        mark, at = match.span()
        following = _NEXT.match(text, at)
        if following and (text[mark] not in _LATIN_MARKS or _new_sentence(text, mark, at, following[1])):
            yield at


def _new_sentence(text: str, mark: int, at: int, following: str) -> bool:
    """Return whether the Latin punctuation at `mark` that closes at `at` ends a sentence, by what follows."""
    if following.islower():
        return False
    return text[mark] != "." or at - mark > 1 or not _abbreviates(text, mark, following)


def _abbreviates(text: str, dot: int, following: str) -> bool:
    found = _WORD_BEFORE.search(text, max(0, dot - _LONGEST_WORD), dot)
    if not found:
        return dot == 0 or text[dot - 1].isspace()  # stands alone
    word = found[0].lower()
    if word.isdecimal():
        return _begins_line(text, found.start())
    initial = len(word) == 1
    return initial or "." in word or word in _ALWAYS or (word in _BEFORE_NUMBERS and following.isdecimal())


def _begins_line(text: str, at: int) -> bool:
    """Return whether nothing but blanks stands before `at` in its line: a number there counts a list."""
    line = text.rfind("\n", max(0, at - _LONGEST_WORD), at) + 1
    return not text[line or max(0, at - _LONGEST_WORD) : at].strip()


def outside(places: Iterable[int], spans: Iterable[tuple[int, int]]) -> Iterator[int]:
    """Yield those places that lie within none of the spans; both are in order."""
    remaining = iter(spans)
    start, end = next(remaining, (0, -1))
    for place in places:
        while 0 <= end <= place:
            start, end = next(remaining, (0, -1))
        if not start < place < end:
            yield place
