"""Passages: pieces of a source file, taken apart for fingerprints."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from tx_graph.code.canonical.grammars import Reading
from tx_graph.code.symbols import Symbol


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

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """What the file declares, each name unique in it; nothing in a language that is not read."""
        return self._reading.symbols

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
        return replace(self._passage(lines, lines), tokens=self._reading.stream.pieces(*lines))

    def whole(self) -> Passage:
        """Return the whole file as one passage."""
        whole = (0, len(self._text))
        return self._passage(whole, whole)

    def line_tokens(self) -> list[list[str]]:
        """Return the code tokens, without structure, that start on each line."""
        lines: list[list[str]] = [[] for _ in self._line_starts]
        for token, start in self._reading.stream.leaves():
            lines[bisect_right(self._line_starts, start) - 1].append(token)
        return lines

    def _passage(self, lines: tuple[int, int], code: tuple[int, int], head_end: int | None = None) -> Passage:
        stream = self._reading.stream
        return Passage(
            text=self._text[slice(*lines)].removesuffix("\n"),
            tokens=stream.between(*code),
            head=stream.between(code[0], head_end) if head_end is not None else (),
            comments=stream.comments(*code),
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

    @cached_property
    def _reading(self) -> Reading:
        return Reading(self._path, self._text)


def read_passages(path: str, text: str) -> Passages:
    """Return the passages of a file; its text is decoded and has Unix line ends."""
    return Passages(path, text)
