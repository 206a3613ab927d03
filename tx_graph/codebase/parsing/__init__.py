"""Parsing: what source files import and declare, read with ast-grep; one reader per language family."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tx_graph.codebase.parsing import declarations, javascript, python, vue
from tx_graph.codebase.parsing.languages import language_of
from tx_graph.codebase.parsing.tree import Tree, decoded, numbered, parse
from tx_graph.domain.imports import Specifier
from tx_graph.domain.symbols import Symbol

__all__ = ["SourceReading", "language_of", "read_source", "read_specifiers", "read_symbols", "why_unable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReading:
    """What one source file says: its imports and its declarations, both in source order."""

    specifiers: tuple[Specifier, ...] = ()
    symbols: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    """How a language is read: text and language to tree, tree to imports, path and tree to declarations."""

    import_word: re.Pattern[str]
    specifiers: Callable[[Tree], Iterator[Specifier]]
    symbols: Callable[[str, Tree], Iterator[Symbol]]
    parse: Callable[[str, str], Tree] = parse


_PYTHON = _Reader(import_word=python.IMPORT_WORD, specifiers=python.specifiers, symbols=python.symbols)
_JAVASCRIPT = _Reader(
    import_word=javascript.IMPORT_WORD, specifiers=javascript.specifiers, symbols=declarations.symbols
)
_VUE = _Reader(import_word=vue.IMPORT_WORD, specifiers=vue.specifiers, symbols=declarations.symbols, parse=vue.read)

_READERS = {
    "python": _PYTHON,
    "javascript": _JAVASCRIPT,
    "jsx": _JAVASCRIPT,
    "typescript": _JAVASCRIPT,
    "tsx": _JAVASCRIPT,
    "vue": _VUE,
}


def why_unable() -> str:
    """Return why nothing can be parsed here; empty when ast-grep-py loads. It has no wheel for some platforms."""
    try:
        importlib.import_module("ast_grep_py")
    except ImportError as error:
        return f"ast-grep-py cannot be loaded ({error})"
    return ""


def read_source(path: str, source: bytes) -> SourceReading:
    """Return what a file imports and declares, parsing it once; nothing for a language we do not read."""
    language = language_of(path)
    if language is None:
        return SourceReading()
    reader = _READERS[language]
    tree = reader.parse(decoded(source), language)
    return SourceReading(specifiers=tuple(reader.specifiers(tree)), symbols=tuple(numbered(reader.symbols(path, tree))))


def read_specifiers(path: str, source: bytes) -> tuple[Specifier, ...]:
    """Return what a file imports; a file without a word that imports is not even parsed."""
    language = language_of(path)
    if language is None:
        return ()
    reader, text = _READERS[language], decoded(source)
    if not reader.import_word.search(text):
        return ()
    return tuple(reader.specifiers(reader.parse(text, language)))


def read_symbols(path: str, source: bytes) -> tuple[Symbol, ...]:
    """Return what a file declares, each name unique within the file (`#2` marks the second of a name)."""
    language = language_of(path)
    if language is None:
        return ()
    reader = _READERS[language]
    return tuple(numbered(reader.symbols(path, reader.parse(decoded(source), language))))
