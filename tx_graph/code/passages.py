"""Passages: pieces of a source file, taken apart for fingerprints."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from tx_graph.code.canonical import between_of, rules_of, tree_of
from tx_graph.code.canonical.shapes import Part, Source, Stream, flat, grown
from tx_graph.code.parsing import symbols_in
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Tree

_SURROGATE = re.compile("[\ud800-\udfff]")
"""What stands for bytes that are no text; the parser takes none."""
_PRIVATE_USE = 0xE000 - 0xD800
"""From there to characters of private use, another one for each byte: other bytes must stay other text."""


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
        self._parsable = _SURROGATE.sub(lambda found: chr(ord(found[0]) + _PRIVATE_USE), text)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """What the file declares, each name unique in it; nothing in a language that is not read."""
        return symbols_in(self._path, self._tree)

    @cached_property
    def _stream(self) -> Stream:
        """The tokens and comments of the text."""
        source = Source(text=self._parsable)
        if self._tree:
            return flat(grown(self._tree.root, source, rules_of(self._path)), source)
        end = len(self._parsable)
        return flat(Part("text", 0, end, parts=between_of(self._path)(source, 0, end)), source)

    @cached_property
    def _tree(self) -> Tree | None:
        return tree_of(self._path, self._parsable)

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
        return replace(self._passage(lines, lines), tokens=tuple(self._stream.between(*lines, in_pieces=True)))

    def whole(self) -> Passage:
        """Return the whole file as one passage."""
        whole = (0, len(self._text))
        return self._passage(whole, whole)

    def line_tokens(self) -> list[list[str]]:
        """Return the code tokens, without structure, that start on each line."""
        lines: list[list[str]] = [[] for _ in self._line_starts]
        for token, start in self._stream.leaves():
            lines[bisect_right(self._line_starts, start) - 1].append(token)
        return lines

    def _passage(self, lines: tuple[int, int], code: tuple[int, int], head_end: int | None = None) -> Passage:
        return Passage(
            text=self._text[slice(*lines)].removesuffix("\n"),
            tokens=tuple(self._stream.between(*code)),
            head=tuple(self._stream.between(code[0], head_end)) if head_end is not None else (),
            comments=tuple(self._stream.comments(*code)),
        )

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
