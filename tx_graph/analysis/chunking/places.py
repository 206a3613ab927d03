"""Where a text may be cut, from the places one would choose to those of last resort."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from tx_graph.analysis.chunking.sentences import outside, sentence_ends
from tx_graph.domain.document import Block, BlockKind
from tx_graph.domain.tokens import fits

_LINED = frozenset({BlockKind.CODE, BlockKind.TABLE, BlockKind.HTML})
"""Blocks that are made of lines."""
_NO_PROSE = _LINED | {BlockKind.HEADING}
"""Blocks in which a full stop ends no sentence."""
_WHOLE = _NO_PROSE | {BlockKind.ITEM}
"""Blocks that are torn only if they are too large by themselves."""

_EMPTY_LINES = re.compile(r"\n\s*\n")
_LINE_END = re.compile(r"\n")
UNSPACED = r"\u3001-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff0c-\uff1b"
"""Ideographs, kana and the marks between them, which need no blanks."""
_LAST_WORD = re.compile(rf".*[\s{UNSPACED}]", re.DOTALL)
_JOINED = re.compile("[\u0300-\u036f\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")
"""Accents, joiners and skin tones, which belong to the character before them."""
_LONGEST_CHARACTER = 16


class Places:
    """The places where one text may be cut into pieces of at most `size` tokens.

    Without `blocks` it is plain text, whose paragraphs are told by empty lines.

    Attributes:
        text: What is to be cut.
        size: Most tokens of a piece.
        between: The ends of paragraphs and of what stands between them.
        lesser: Places within what belongs together: between the items of a list, behind a line that leads in to
            the next block, and at the empty lines of code that is too large to stay whole.
        headings: The ends of headings, which should stay with what follows.
    """

    def __init__(self, text: str, blocks: Sequence[Block] = (), *, size: int) -> None:
        self.text = text
        self.size = size
        self.between = [] if blocks else [match.start() for match in _EMPTY_LINES.finditer(text)]
        self.lesser: list[int] = []
        self.headings: list[int] = []
        self._blocks = blocks
        self._kept: list[Block] = []
        self._torn: list[Block] = []
        for block in blocks:
            if block.kind in _WHOLE:
                (self._kept if self._fits(block) else self._torn).append(block)
        self._sort_ends()

    @cached_property
    def sentences(self) -> list[int]:
        """The ends of sentences in prose, and of the lines of code and tables that are too large to stay whole."""
        closed = (_span(block) for block in self._blocks if block.kind in _NO_PROSE)
        return sorted([*outside(sentence_ends(self.text), closed), *self._lines()])

    def best(self, start: int, reach: int, *, after: int) -> int:
        """Return where the piece from `start`, which could go up to `reach`, should end; always behind `after`.

        A piece should be half full, lest a short paragraph stand alone because the next one is long; of the places
        that allow it, paragraphs go before items and items before sentences. Then come earlier ones of the same
        kinds, then the place behind a heading, then lines, words, characters.
        """
        reach = self._before_kept(reach, after=after)
        half = max(after, start + (reach - start) // 2)
        return (
            _last(self.between, half, reach)
            or _last(self.lesser, half, reach)
            or _last(self.sentences, half, reach)
            or max(_last(ends, after, half) for ends in (self.between, self.lesser, self.sentences))
            or _last(self.headings, after, reach)
            or self._last_line_or_word(half, reach)
            or self._last_line_or_word(after, reach)
            or self._last_character(after, reach)
        )

    def _fits(self, block: Block) -> bool:
        return fits(self.text[block.start : block.end], self.size)

    def _sort_ends(self) -> None:
        for block, following in pairwise(self._blocks):
            if self.text[block.end : following.start].strip():
                self.between.append(block.end)
            self._ends_like(block, following).append(following.start)
        gaps = [match.start() for block in self._torn for match in _EMPTY_LINES.finditer(self.text, *_span(block))]
        self.lesser = sorted([*self.lesser, *gaps])

    def _ends_like(self, block: Block, following: Block) -> list[int]:
        """Return the list that the place between two blocks belongs to."""
        if block.kind is BlockKind.HEADING:
            return self.headings
        items = block.kind is following.kind is BlockKind.ITEM
        leads_in = self.text[max(block.start, block.end - 3) : block.end].rstrip().endswith((":", "\uff1a"))
        return self.lesser if items or leads_in else self.between

    def _lines(self) -> Iterator[int]:
        for block in self._torn:
            if block.kind in _LINED:
                yield from (match.start() for match in _LINE_END.finditer(self.text, *_span(block)))

    def _before_kept(self, reach: int, *, after: int) -> int:
        """Return `reach`, or the start of the block around it that is to stay whole."""
        last = bisect_left(self._kept, reach, key=_start) - 1
        if last >= 0 and self._kept[last].start > after and self._kept[last].end > reach:
            return self._kept[last].start
        return reach

    def _last_line_or_word(self, after: int, reach: int) -> int:
        """Return the last place behind a line, else behind a word, in (after, reach]; 0 where there is none."""
        if self.text[reach].isspace():
            return reach
        line = self.text.rfind("\n", after, reach) + 1
        word = None if line else _LAST_WORD.match(self.text, after, reach)
        return line or (word.end() if word else 0)

    def _last_character(self, after: int, reach: int) -> int:
        """Return the last place up to `reach` that is not within a character made of several."""
        for at in range(reach, max(after, reach - _LONGEST_CHARACTER), -1):
            if not _JOINED.match(self.text, at) and self.text[at - 1] != "\u200d":
                return at
        return reach


def _last(places: Sequence[int], after: int, reach: int) -> int:
    """Return the last of the places in (after, reach], 0 where there is none."""
    at = bisect_right(places, reach) - 1
    return places[at] if at >= 0 and places[at] > after else 0


def _span(block: Block) -> tuple[int, int]:
    return block.start, block.end


def _start(block: Block) -> int:
    return block.start
