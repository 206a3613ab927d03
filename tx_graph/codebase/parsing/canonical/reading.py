"""Readings of a text in canonical form: by its grammar where there is one, else by its family's words and signs."""

from __future__ import annotations

import re
from functools import cached_property

from tx_graph.codebase.parsing import reader_of
from tx_graph.codebase.parsing.canonical.grammars import family_of, rules_of, words_of
from tx_graph.codebase.parsing.canonical.lexing import lexed
from tx_graph.codebase.parsing.canonical.parts import Part, Source, flat, grown
from tx_graph.codebase.parsing.canonical.stream import Stream
from tx_graph.codebase.parsing.canonical.trees import tree_of
from tx_graph.codebase.parsing.tree import Tree, numbered
from tx_graph.domain.languages import language_of
from tx_graph.domain.symbols import Symbol

_SURROGATE = re.compile("[\ud800-\udfff]")
"""What stands for bytes that are no text; the parser takes none."""
_PRIVATE_USE = 0xE000 - 0xD800


class Reading:
    """One text under its path; it is parsed when that is needed first, and once."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = _SURROGATE.sub(_stand_in, text)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """What the text declares."""
        if not self._language or not self._tree:
            return ()
        return tuple(numbered(reader_of(self._language).symbols(self._path, self._tree)))

    @cached_property
    def stream(self) -> Stream:
        """The tokens and comments of the text."""
        source = Source(text=self._text)
        if self._tree:
            return flat(grown(self._tree.root, source, rules_of(self._path)), source)
        end = len(self._text)
        parts = (words_of(self._path) or self._lexed)(source, 0, end)
        return flat(Part("text", 0, end, parts=parts), source)

    def _lexed(self, source: Source, start: int, end: int) -> list[Part]:
        return lexed(source, start, end, family_of(self._path))

    @cached_property
    def _tree(self) -> Tree | None:
        return tree_of(self._path, self._text)

    @cached_property
    def _language(self) -> str | None:
        return language_of(self._path)


def _stand_in(found: re.Match[str]) -> str:
    """Return a character of private use, another one for each byte: other bytes must stay other text."""
    return chr(ord(found[0]) + _PRIVATE_USE)
