"""Passages: pieces of a source file, taken apart for fingerprints."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

from tx_graph.code.canonical import between_of, rules_of, tree_of
from tx_graph.code.canonical.shapes import MARK, Entry, Part, Source, flat, grown
from tx_graph.code.parsing import details_in, symbols_in
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Tree
from tx_graph.core.dataclass import dataclass, replace

_SURROGATE = re.compile("[\ud800-\udfff]")  # what stands for bytes that are no text; the parser takes none
_PRIVATE_USE = 0xE000 - 0xD800
"""From there to characters of private use, another one for each byte: other bytes must stay other text."""

_MARKERS = re.compile(
    r"/\*+!?|(?:(?<!\*)\*+|\*)/|<!--|-->|^[ \t]*(?:\*+(?![\w/])|//[/!]*|#+!?|--\[=*\[|--+|;+|%+)", re.MULTILINE
)
_QUOTES = re.compile(r"""^\w*("{3}|'{3}|["'])(.*)\1$""", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A symbol, some lines or a whole file, taken apart.

    `text` is exact (Unix line ends, no line end at its end). `tokens` is its code in canonical form: equal for two
    passages exactly when they differ in nothing but white space, comments and what a formatter may change. `head`
    is the part of them before a declaration's body, empty where there is no declaration. `comments` are the words of
    comments and documentation strings, in order.
    """

    text: str
    tokens: tuple[str, ...]
    head: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()


class Passages:
    """The passages of one source file; it is parsed once, when the first of them is asked for."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = text
        self._source = Source(text=_SURROGATE.sub(lambda found: chr(ord(found[0]) + _PRIVATE_USE), text))

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """What the file declares, each name unique in it; nothing in a language that is not read."""
        return symbols_in(self._path, self._tree)

    @cached_property
    def details(self) -> tuple[Symbol, ...]:
        """What it declares beside them: fields, constants, functions inside others."""
        return details_in(self._path, self._tree, self.symbols)

    @cached_property
    def _tree(self) -> Tree | None:
        return tree_of(self._path, self._source.text)

    @cached_property
    def _entries(self) -> list[Entry]:
        """The canonical tokens of the text, in order; its comments are the source's remarks."""
        source, end = self._source, len(self._text)
        if self._tree and not self._tree.is_bare:
            top = grown(self._tree.root, source, rules_of(self._path))
        else:
            top = Part("text", 0, end, parts=between_of(self._path)(source, 0, end))
        source.remarks.sort()
        return flat(top)

    @cached_property
    def _bounds(self) -> tuple[list[int], list[int]]:
        """Of each entry the highest start up to it and the lowest from it on: rules may put things in another order."""
        starts = [entry[1] for entry in self._entries]
        return [*accumulate(starts, max)], [*accumulate(reversed(starts), min)][::-1]

    def of_symbol(self, symbol: Symbol) -> Passage:
        """Return the passage of one of the file's symbols."""
        lines = self._span(symbol.line_start, symbol.line_end)
        extent = symbol.extent
        if extent is None:
            return self._passage(lines, lines)
        return self._passage(lines, (extent.start, min(extent.end, lines[1])), extent.head_end)

    def of_lines(self, first: int, last: int) -> Passage:
        """Return the passage of some lines; they count from 1, both included."""
        lines = self._span(first, last)
        return replace(self._passage(lines, lines), tokens=tuple(self._tokens(*lines, in_pieces=True)))

    def whole(self) -> Passage:
        """Return the whole file as one passage."""
        whole = (0, len(self._text))
        return self._passage(whole, whole)

    def line_tokens(self) -> list[list[str]]:
        """Return the code tokens, without structure, that start on each line."""
        lines: list[list[str]] = [[] for _ in self._line_starts]
        for entry in self._entries:
            if entry[3]:  # a leaf that was made of several counts as its pieces
                for token, start, _, _ in self._source.seams.get((entry[1], entry[2])) or (entry,):
                    lines[bisect_right(self._line_starts, start) - 1].append(token)
        return lines

    def _passage(self, lines: tuple[int, int], code: tuple[int, int], head_end: int | None = None) -> Passage:
        return Passage(
            text=self._text[slice(*lines)].removesuffix("\n"),
            tokens=tuple(self._tokens(*code)),
            head=tuple(self._tokens(code[0], head_end)) if head_end is not None else (),
            comments=tuple(self._comments(*code)),
        )

    def _tokens(self, start: int, end: int, *, in_pieces: bool = False) -> Iterator[str]:
        """Yield the tokens from one offset to another; of a leaf that is cut, such as a long string, the part.

        With `in_pieces`, leaves that were made of several come as what they were made of.
        """
        highest, lowest = self._bounds
        first, last = bisect_left(highest, start), bisect_right(lowest, end)
        cut = next((self._entries[i] for i in range(first - 1, -1, -1) if self._entries[i][3]), None)
        if cut and cut[2] > start:
            yield from self._rest(cut, start, end)
        for entry in self._entries[first:last]:
            token, begins, ends, is_leaf = entry
            is_made = in_pieces and is_leaf and (begins, ends) in self._source.seams
            if begins >= start and ends <= end and not is_made:
                yield token
            elif is_leaf and begins < end and ends > start:
                yield from self._rest(entry, start, end)

    def _rest(self, entry: Entry, start: int, end: int) -> Iterator[str]:
        if entry[0].startswith(MARK):  # it says how lines hang together, and is no text
            return
        if pieces := self._source.seams.get((entry[1], entry[2])):
            for piece in pieces:
                is_whole = start <= piece[1] and piece[2] <= end
                yield from (piece[0],) if is_whole else self._rest(piece, start, end)
        elif part := self._source.text[max(entry[1], start) : min(entry[2], end)].strip():
            yield part

    def _comments(self, start: int, end: int) -> Iterator[str]:
        """Yield the words of the comments from one offset to another, without the signs that make them comments."""
        remarks = self._source.remarks
        for begins, ends in remarks[max(bisect_left(remarks, (start, 0)) - 1, 0) :]:
            if begins >= end:
                break
            if ends > start:
                comment = self._source.text[max(begins, start) : min(ends, end)]
                quoted = _QUOTES.match(comment)
                yield from (quoted[2] if quoted else _MARKERS.sub(" ", comment)).split()

    def _span(self, first: int, last: int) -> tuple[int, int]:
        """Return the offsets at which lines begin and end; of lines that there are not, nothing."""
        starts = self._line_starts
        count = len(starts) - 1
        return starts[min(max(first - 1, 0), count)], starts[min(max(last, 0), count)]

    @cached_property
    def _line_starts(self) -> list[int]:
        """Where each line begins, and at last where the text ends."""
        return [0, *accumulate(len(line) + 1 for line in self._text.split("\n"))]


def read_passages(path: str, text: str) -> Passages:
    """Return the passages of a file; its text is decoded and has Unix line ends."""
    return Passages(path, text)
