"""Cuts a text from its start, each piece as long as it may be: what is added at the end moves nothing before it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from tx_graph.analysis.chunking.places import UNSPACED, Places
from tx_graph.analysis.chunking.spans import Span
from tx_graph.domain.tokens import QUARTERS, by_script, quarters

_MOST_CHARACTERS = 4
"""Of a token, where they are letters."""
_BLANKS = re.compile(r"\s*")
_DEEPEST = 64
"""Blanks that may indent the first line of a piece; more are a gap."""
_WORD_START = re.compile(rf"(?<!\S)\S|(?<=[{UNSPACED}])")


def cut(places: Places, span: Span, *, overlap: int = 0) -> Iterator[Span]:
    """Yield the pieces of `span` in order, none larger than the places allow and none blank.

    Each but the first begins with up to `overlap` tokens of the one before it, whole sentences or words of it, and
    at most half of its own.
    """
    text = places.text
    end = span.start + len(text[span.start : span.end].rstrip())
    start = fresh = _behind_blanks(text, span.start)
    while fresh < end:
        reach = _furthest(text, start, end, size=places.size)
        if reach <= fresh:
            start = fresh  # nothing new would fit behind what is repeated
            continue
        at = end if reach == end else places.best(start, reach, after=fresh)
        piece = Span(start, start + len(text[start:at].rstrip()))
        if piece.end > fresh:  # more than blanks behind what is repeated
            yield piece
        fresh = _behind_blanks(text, at)
        start = _repeated_from(places, piece, fresh, overlap=min(overlap, places.size // 2))


def _behind_blanks(text: str, at: int) -> int:
    """Return where the next piece begins: behind the blanks at `at`, but with the indentation of its line."""
    blanks = _BLANKS.match(text, at)
    end = blanks.end() if blanks else at
    return text.rfind("\n", max(at, end - _DEEPEST), end) + 1 or end


def _furthest(text: str, start: int, end: int, *, size: int) -> int:
    """Return how far a piece from `start` can go: by one character at least."""
    most = min(end, start + size * _MOST_CHARACTERS)
    left, ahead = size * QUARTERS, quarters(text[start:most])
    return most if ahead <= left else max(start + 1, _spent(text, Span(start, most), left, ahead))


def _spent(text: str, span: Span, left: int, ahead: int) -> int:
    """Return where the `left` quarters are spent of the `ahead` that `span` takes.

    A search by interpolation: a text takes nearly as much here as there, and counting is what costs time.
    """
    low, high = span
    while left and high - low > 1:
        at = low + max(1, (high - low) * left // ahead)
        taken = quarters(text[low:at])
        if taken <= left:
            low, left, ahead = at, left - taken, ahead - taken
        else:
            high, ahead = at, taken
    return low


def _repeated_from(places: Places, piece: Span, fresh: int, *, overlap: int) -> int:
    """Return where the next piece begins, so that it repeats at most `overlap` tokens of `piece`."""
    text = places.text
    starts = range(max(piece.start + 1, fresh - overlap * _MOST_CHARACTERS), fresh)
    if not overlap or not starts:
        return fresh
    low = starts[0] + bisect_left(starts, -overlap, key=lambda at: -by_script(text[at:fresh]))
    sentence = min(_behind_blanks(text, _first(ends, low, fresh)) for ends in (places.between, places.sentences))
    if sentence < fresh:
        return sentence
    word = _WORD_START.search(text, low, fresh)
    return word.start() if word else fresh


def _first(places: Sequence[int], low: int, otherwise: int) -> int:
    """Return the first of the places from `low` on."""
    at = bisect_left(places, low)
    return min(places[at], otherwise) if at < len(places) else otherwise
