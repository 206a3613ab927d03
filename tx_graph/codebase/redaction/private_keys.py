"""Private keys of which only a part is there: the beginning, the end, or a listing with line numbers."""

from __future__ import annotations

import re
from typing import NamedTuple

_MARK = "PRIVATE KEY"
_BEGIN = re.compile(r"-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_LONGEST = 64_000
"""Characters between the two marks of a key: RSA with 16,384 bits takes 13,000."""
_BESIDE = r"^[\s0-9>|:→+-]*"
"""What a listing puts before a line."""
_RUN = re.compile(rf"[A-Za-z0-9+/=]{{20,}}|^[A-Z][A-Za-z-]+: |{_BESIDE}$")
"""What a line of a key has: much Base64, or a header such as `Proc-Type:`, or nothing."""
_EMPTY = re.compile(rf"{_BESIDE}$")
_LAST = re.compile(rf"{_BESIDE}[A-Za-z0-9+/=]{{1,76}}\s*$")
"""What the last line before the end mark has, which may be short."""
_BODY = re.compile(r"[A-Za-z0-9+/=]{20,}")
"""What makes it a key, and no talk of one."""


class Span(NamedTuple):
    """A part of a text, from `start` up to but not including `end`."""

    start: int
    end: int


def private_keys(text: str) -> list[Span]:
    """Return where `text` has private keys in PEM, in order, or parts of them beside one of their two marks."""
    if _MARK not in text:
        return []
    found = [_from_beginning(text, begin) for begin in _BEGIN.finditer(text)]
    found += [_to_end(text, end) for end in _END.finditer(text)]
    return sorted(span for span in found if _BODY.search(text, *span))


def _from_beginning(text: str, begin: re.Match[str]) -> Span:
    end = _END.search(text, begin.end(), begin.end() + _LONGEST)
    return Span(begin.start(), end.end() if end else _body_end(text, begin.end()))


def _to_end(text: str, end: re.Match[str]) -> Span:
    """Return the lines of a key above its last one, and that; where it is all one line, what that has of it."""
    start, is_key = text.rfind("\n", 0, end.start()) + 1, _LAST
    if begin := _BEGIN.search(text, start, end.start()):
        return Span(begin.start(), end.end())
    is_alone = _EMPTY.search(text[start : end.start()])
    while is_alone and start > 0 and end.start() - start < _LONGEST:
        above = text.rfind("\n", 0, start - 1) + 1
        if not (is_key.search(text[above : start - 1]) or _RUN.search(text[above : start - 1])):
            break
        start, is_key = above, _RUN
    return Span(start, end.end())


def _body_end(text: str, start: int) -> int:
    """Return where the lines of a key end that begins at `start` and has no last line."""
    place = start
    while place < len(text):
        stop = text.find("\n", place)
        stop = len(text) if stop < 0 else stop
        if not _RUN.search(text[place:stop]):
            break
        place = stop + 1
    return min(place, len(text))
