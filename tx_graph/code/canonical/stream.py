"""Streams: the canonical tokens of a whole text with their places, of which any stretch can be taken."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

Entry = tuple[str, int, int, bool]
"""A token, the offsets it begins and ends at in the text, and whether it stands there itself or marks a group."""

_MARKERS = re.compile(r"/\*+!?|\*+/|<!--|-->|^[ \t]*(?:\*+(?![\w/])|//[/!]*|#+!?|--\[=*\[|--+|;+|%+)", re.MULTILINE)
_QUOTES = re.compile(r"""^\w*("{3}|'{3}|["'])(.*)\1$""", re.DOTALL)


class Remark(NamedTuple):
    """Where a comment or a documentation string stands."""

    start: int
    end: int

    def moved(self, by: int) -> Remark:
        """Return the same place in a text with more before it."""
        return Remark(self.start + by, self.end + by)


class Stream:
    """The canonical tokens of a text, in order."""

    def __init__(
        self, text: str, entries: list[Entry], remarks: Sequence[Remark], seams: Mapping[tuple[int, int], list[Entry]]
    ) -> None:
        self._text = text
        self._seams = seams
        self._entries = entries
        self._remarks = remarks
        # Rules may put things in another order, so that starts alone do not rise.
        self._highest = [*accumulate((entry[1] for entry in entries), max)]
        self._lowest = [*accumulate((entry[1] for entry in reversed(entries)), min)][::-1]

    def between(self, start: int, end: int) -> tuple[str, ...]:
        """Return the tokens from one offset to another; of a leaf that is cut, such as a long string, the part."""
        return tuple(self._between(start, end))

    def pieces(self, start: int, end: int) -> tuple[str, ...]:
        """Return the same with the pieces, as `leaves` has them, of leaves that were made of several."""
        return tuple(self._between(start, end, in_pieces=True))

    def _between(self, start: int, end: int, *, in_pieces: bool = False) -> Iterator[str]:
        first = bisect_left(self._highest, start)
        last = bisect_right(self._lowest, end)
        if (cut := self._leaf_before(first)) and cut[2] > start:
            yield from self._rest(cut, start, end)
        for entry in self._entries[first:last]:
            token, begins, ends, is_leaf = entry
            if begins >= start and ends <= end and not (in_pieces and is_leaf and (begins, ends) in self._seams):
                yield token
            elif is_leaf and begins < end and ends > start:
                yield from self._rest(entry, start, end)

    def _leaf_before(self, index: int) -> Entry | None:
        return next((self._entries[i] for i in range(index - 1, -1, -1) if self._entries[i][3]), None)

    def _rest(self, entry: Entry, start: int, end: int) -> Iterator[str]:
        if pieces := self._seams.get((entry[1], entry[2])):
            for piece in pieces:
                is_whole = start <= piece[1] and piece[2] <= end
                yield from (piece[0],) if is_whole else self._rest(piece, start, end)
        elif part := self._text[max(entry[1], start) : min(entry[2], end)].strip():
            yield part

    def leaves(self) -> Iterator[tuple[str, int]]:
        """Yield the tokens that stand in the text themselves, each with the offset where it begins."""
        for entry in self._entries:
            if entry[3]:
                pieces = self._seams.get((entry[1], entry[2])) or (entry,)
                yield from ((token, start) for token, start, _, _ in pieces)

    def comments(self, start: int, end: int) -> tuple[str, ...]:
        """Return the words of the comments from one offset to another."""
        first = max(bisect_left(self._remarks, (start, 0)) - 1, 0)
        words: list[str] = []
        for remark in self._remarks[first:]:
            if remark.start >= end:
                break
            if remark.end > start:
                words += _words(self._text[max(remark.start, start) : min(remark.end, end)])
        return tuple(words)


def _words(comment: str) -> list[str]:
    """Return what a comment says, without what makes it one."""
    quoted = _QUOTES.match(comment)
    return quoted[2].split() if quoted else _MARKERS.sub(" ", comment).split()
