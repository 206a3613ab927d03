"""Cuts the text of long sections into pieces that can be read, embedded and found on their own. Pure."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.core.text import QUARTERS, by_script, fits, quarters
from tx_graph.documents.document import Block, BlockKind


class Strategy(StrEnum):
    """How a section is cut.

    `recursive` sees plain text: paragraphs, else sentences, else words, with some text repeated. `markdown` also
    leaves code, tables and list items whole. `parent-child` does the same and cuts each piece into small ones:
    those are searched, their piece is returned. `semantic` cuts where neighbouring sentences have least in common.
    """

    RECURSIVE = "recursive"
    MARKDOWN = "markdown"
    PARENT_CHILD = "parent-child"
    SEMANTIC = "semantic"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkOptions:
    """How long sections are cut; sizes are in tokens.

    `size` is the most of a piece, of `parent-child` `parent_size`, and `child_size` of what that is searched by.
    `overlap` is how much of the piece before `recursive` repeats, never more than half a piece. `semantic` cuts where
    sentences are as little alike as this `percentile` of all neighbours, in percent.
    """

    strategy: Strategy = Strategy.PARENT_CHILD
    size: int = 512
    overlap: int = 50
    parent_size: int = 1024
    child_size: int = 256
    percentile: float = 25

    def __post_init__(self) -> None:
        for name in ("size", "parent_size", "child_size"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1 token, not {getattr(self, name)}.")
        if self.overlap < 0:
            raise UsageError(f"overlap must be 0 tokens or more, not {self.overlap}.")
        if self.child_size > self.parent_size:
            raise UsageError(f"child_size ({self.child_size}) must not exceed parent_size ({self.parent_size}).")
        if not 0 <= self.percentile <= 100:  # noqa: PLR2004 - percent
            raise UsageError(f"percentile must be between 0 and 100, not {self.percentile}.")


class Span(NamedTuple):
    """Characters of a text from `start` up to, but not including, `end`."""

    start: int
    end: int


class Piece(NamedTuple):
    """What is returned as one result, and what search looks at to find it: `children` lie within it and cover it."""

    span: Span
    children: tuple[Span, ...]


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
_LONGEST_WORD = 16  # characters in which an abbreviation or the number of a list item shows; longer words are neither
_INLINE_CODE = re.compile(r"`(?<!``)(`*+).{1,200}?(?<!`)`\1(?!`)", re.DOTALL)
"""So long at most: a backtick that is never closed should not hide the rest of a text."""


def sentence_ends(text: str) -> list[int]:
    """Return the places at which one sentence ends and another follows, in order.

    An end stands behind its punctuation and the quotes and brackets that close with it. Not an end: the dot of an
    abbreviation, initial, number, version, file name or numbered item, what a lower-case letter follows, and
    anything in inline code. A time linear in the text, whatever it holds.
    """
    found = []
    for match in _END.finditer(text):
        mark, at = match.span()
        following = _NEXT.match(text, at)
        if following and text[mark] in _LATIN_MARKS:
            is_lone_dot = text[mark] == "." and at - mark == 1
            if following[1].islower() or (is_lone_dot and _abbreviates(text, mark, following[1])):
                continue
        if following:
            found.append(at)
    return list(outside(found, (match.span() for match in _INLINE_CODE.finditer(text))))


def _abbreviates(text: str, dot: int, following: str) -> bool:
    found = _WORD_BEFORE.search(text, max(0, dot - _LONGEST_WORD), dot)
    if not found:
        return dot == 0 or text[dot - 1].isspace()  # stands alone
    word = found[0].lower()
    if word.isdecimal():  # counts a list where nothing but blanks stands before it in its line
        first = max(0, found.start() - _LONGEST_WORD)
        return not text[text.rfind("\n", first, found.start()) + 1 or first : found.start()].strip()
    initial = len(word) == 1
    return initial or "." in word or word in _ALWAYS or (word in _BEFORE_NUMBERS and following.isdecimal())


def outside(places: Iterable[int], spans: Iterable[tuple[int, int]]) -> Iterator[int]:
    """Yield those places that lie within none of the spans; both are in order."""
    remaining = iter(spans)
    start, end = next(remaining, (0, -1))
    for place in places:
        while 0 <= end <= place:
            start, end = next(remaining, (0, -1))
        if not start < place < end:
            yield place


_LINED = frozenset({BlockKind.CODE, BlockKind.TABLE, BlockKind.HTML})  # blocks that are made of lines
_NO_PROSE = _LINED | {BlockKind.HEADING}  # blocks in which a full stop ends no sentence
_WHOLE = _NO_PROSE | {BlockKind.ITEM}  # blocks that are torn only if they are too large by themselves

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

    Without `blocks` it is plain text, whose paragraphs are told by empty lines. `between` are the ends of paragraphs
    and of what stands between them. `lesser` places lie within what belongs together: between the items of a list,
    behind a line that leads in to the next block, and at the empty lines of code that is too large to stay whole.
    `headings` are the ends of headings, which should stay with what follows.
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
                is_kept = fits(text[block.start : block.end], size)
                (self._kept if is_kept else self._torn).append(block)
        for block, following in pairwise(blocks):
            if text[block.end : following.start].strip():
                self.between.append(block.end)
            are_items = block.kind is following.kind is BlockKind.ITEM
            leads_in = text[max(block.start, block.end - 3) : block.end].rstrip().endswith((":", "\uff1a"))
            is_heading = block.kind is BlockKind.HEADING
            ends = self.headings if is_heading else self.lesser if are_items or leads_in else self.between
            ends.append(following.start)
        self.lesser += [match.start() for block in self._torn for match in _EMPTY_LINES.finditer(text, *block[1:])]
        self.lesser.sort()

    @cached_property
    def sentences(self) -> list[int]:
        """The ends of sentences in prose, and of the lines of code and tables that are too large to stay whole."""
        closed = (block[1:] for block in self._blocks if block.kind in _NO_PROSE)
        lined = (block for block in self._torn if block.kind in _LINED)
        lines = (match.start() for block in lined for match in _LINE_END.finditer(self.text, *block[1:]))
        return sorted([*outside(sentence_ends(self.text), closed), *lines])

    def best(self, start: int, reach: int, *, after: int) -> int:
        """Return where the piece from `start`, which could go up to `reach`, should end; always behind `after`.

        A piece should be half full, lest a short paragraph stand alone because the next one is long; of the places
        that allow it, paragraphs go before items and items before sentences. Then come earlier ones of the same
        kinds, then the place behind a heading, then lines, words, characters.
        """
        last = bisect_left(self._kept, reach, key=lambda block: block.start) - 1
        if last >= 0 and self._kept[last].start > after and self._kept[last].end > reach:
            reach = self._kept[last].start  # the block around it is to stay whole
        half = max(after, start + (reach - start) // 2)
        found = (
            _last(self.between, half, reach)
            or _last(self.lesser, half, reach)
            or _last(self.sentences, half, reach)
            or max(_last(ends, after, half) for ends in (self.between, self.lesser, self.sentences))
            or _last(self.headings, after, reach)
            or self._last_line_or_word(half, reach)
            or self._last_line_or_word(after, reach)
        )
        # Else behind the last character that is not made of several.
        characters = range(reach, max(after, reach - _LONGEST_CHARACTER), -1)
        whole = (at for at in characters if not _JOINED.match(self.text, at) and self.text[at - 1] != "\u200d")
        return found or next(whole, reach)

    def _last_line_or_word(self, after: int, reach: int) -> int:
        """Return the last place behind a line, else behind a word, in (after, reach]; 0 where there is none."""
        if self.text[reach].isspace():
            return reach
        line = self.text.rfind("\n", after, reach) + 1
        word = None if line else _LAST_WORD.match(self.text, after, reach)
        return line or (word.end() if word else 0)


def _last(places: Sequence[int], after: int, reach: int) -> int:
    """Return the last of the places in (after, reach], 0 where there is none."""
    at = bisect_right(places, reach) - 1
    return places[at] if at >= 0 and places[at] > after else 0


_MOST_CHARACTERS = 4  # of a token, where they are letters
_BLANKS = re.compile(r"\s*")
_DEEPEST = 64  # blanks that may indent the first line of a piece; more are a gap
_WORD_START = re.compile(rf"(?<!\S)\S|(?<=[{UNSPACED}])")


def cut(places: Places, span: Span, *, overlap: int = 0) -> Iterator[Span]:
    """Yield the pieces of `span` in order; each but the first repeats up to `overlap` tokens, at most half of it."""
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
    """Return how far a piece from `start` can go, by one character at least, by interpolation: to count costs time."""
    low, high = start, min(end, start + size * _MOST_CHARACTERS)
    left, ahead = size * QUARTERS, quarters(text[low:high])
    if ahead <= left:
        return high
    while left and high - low > 1:
        at = low + max(1, (high - low) * left // ahead)
        taken = quarters(text[low:at])
        if taken <= left:
            low, left, ahead = at, left - taken, ahead - taken
        else:
            high, ahead = at, taken
    return max(start + 1, low)


def _repeated_from(places: Places, piece: Span, fresh: int, *, overlap: int) -> int:
    """Return where the next piece begins, so that it repeats at most `overlap` tokens of `piece`."""
    text = places.text
    starts = range(max(piece.start + 1, fresh - overlap * _MOST_CHARACTERS), fresh)
    if not overlap or not starts:
        return fresh
    low = starts[0] + bisect_left(starts, -overlap, key=lambda at: -by_script(text[at:fresh]))
    several = (places.between, places.sentences)
    firsts = [ends[at] for ends in several if (at := bisect_left(ends, low)) < len(ends)]
    sentence = _behind_blanks(text, min([*firsts, fresh]))
    if sentence < fresh:
        return sentence
    word = _WORD_START.search(text, low, fresh)
    return word.start() if word else fresh


Alike = Callable[[Sequence[str]], Sequence[float]]
"""Says how alike each sentence is to the next one, by cosine: one value less than there are sentences."""

FEWEST = 3
"""Sentences below which no place stands out among the others."""


def sentences_of(places: Places) -> list[Span]:
    """Return the sentences of a text in order, headings with what follows; code, tables and the like are one each."""
    text = places.text
    ends = sorted({0, *places.between, *places.lesser, *places.sentences, len(text)})
    words = ((start, end, text[start:end]) for start, end in pairwise(ends))
    spans = (Span(end - len(said.lstrip()), start + len(said.rstrip())) for start, end, said in words)
    return [span for span in spans if span.end > span.start]


def cut_by_meaning(places: Places, sentences: Sequence[Span], alike: Alike, *, percentile: float) -> Iterator[Span]:
    """Yield the pieces between neighbours least alike, up to the percentile; too large ones are cut further."""
    text = places.text
    likeness = alike([text[span.start : span.end] for span in sentences])
    least, highest = percentile_of(likeness, percentile), max(likeness)
    start = sentences[0].start
    for (span, following), value in zip(pairwise(sentences), likeness, strict=True):
        if value <= least and value < highest:
            yield from cut(places, Span(start, span.end))
            start = following.start
    yield from cut(places, Span(start, sentences[-1].end))


def percentile_of(values: Sequence[float], percentile: float) -> float:
    """Return the value below which so many percent of the others lie, between two of them in proportion."""
    ordered = sorted(values)
    place = percentile / 100 * (len(ordered) - 1)
    lower, upper = ordered[math.floor(place)], ordered[math.ceil(place)]
    return min(upper, lower + (upper - lower) * (place - math.floor(place)))


def pieces_of(text: str, blocks: Sequence[Block], options: ChunkOptions, *, alike: Alike | None = None) -> list[Piece]:
    """Return the pieces of a section in order; a text that fits is one piece, a blank one none.

    They hold every character that is no blank, and only `recursive` repeats some. No piece is larger than the
    options say, and all but `semantic` cut from the start: an edit moves no piece that ends well before it.

    Without `blocks`, in order and none within another, it is plain text. `semantic` asks how `alike` neighbouring
    sentences are; without it, it does as `recursive`.
    """
    if not text or text.isspace():
        return []
    whole = Span(0, len(text))
    if options.strategy is not Strategy.PARENT_CHILD:
        if fits(text, options.size):
            spans: Iterable[Span] = [whole]
        elif options.strategy is Strategy.MARKDOWN:
            spans = cut(Places(text, blocks, size=options.size), whole)
        else:
            spans = cut(Places(text, size=options.size), whole, overlap=options.overlap)
            if options.strategy is Strategy.SEMANTIC and alike:
                places = Places(text, blocks, size=options.size)
                if len(sentences := sentences_of(places)) >= FEWEST:
                    spans = cut_by_meaning(places, sentences, alike, percentile=options.percentile)
        return [Piece(span=span, children=(span,)) for span in spans]
    if fits(text, options.child_size):
        return [Piece(span=whole, children=(whole,))]
    small = Places(text, blocks, size=options.child_size)
    one = fits(text, options.parent_size)
    parents = [whole] if one else cut(Places(text, blocks, size=options.parent_size), whole)
    return [Piece(span=span, children=tuple(cut(small, span))) for span in parents]
