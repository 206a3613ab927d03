"""Parsing: what source files import and declare, read with ast-grep; one reader per language family."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree, decoded, first_line, numbered
from tx_graph.domain.imports import NO_SURFACE, Specifier, Surface
from tx_graph.domain.languages import LANGUAGES, language_of, resolver_of
from tx_graph.domain.symbols import Symbol

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["SourceReading", "language_of", "read_source", "read_symbols", "why_unable"]


_IN_PART = ", and was read as far as possible"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReading:
    """What one source file says: its imports and its declarations, both in source order, and its surface.

    `problem` says, as a sentence's end, why it could be read only in part; empty when there is none.
    """

    specifiers: tuple[Specifier, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    surface: Surface = NO_SURFACE
    problem: str = ""


def why_unable() -> str:
    """Return why nothing can be parsed here; empty when ast-grep-py loads. It has no wheel for some platforms."""
    try:
        importlib.import_module("ast_grep_py")
    except ImportError as error:
        return f"ast-grep-py cannot be loaded ({error})"
    return ""


def read_source(path: str, source: bytes) -> SourceReading:
    """Return what a file imports, declares and offers, parsing it once; nothing for a language we do not read."""
    language = language_of(path)
    if language is None:
        return SourceReading()
    reader = reader_of(language)
    tree = reader.parse(decoded(source), language)
    asks = reader.import_word is None or reader.import_word.search(tree.text)
    return SourceReading(
        specifiers=tuple(reader.specifiers(tree)) if asks else (),
        symbols=_symbols(path, tree, reader),
        surface=reader.surface(tree),
        problem=_problem(tree, source, language),
    )


def read_symbols(path: str, source: bytes) -> tuple[Symbol, ...]:
    """Return what a file declares, each name unique within the file (`#2` marks the second of a name)."""
    language = language_of(path)
    if language is None:
        return ()
    reader = reader_of(language)
    return _symbols(path, reader.parse(decoded(source), language), reader)


def _symbols(path: str, tree: Tree, reader: Reader) -> tuple[Symbol, ...]:
    return tuple(numbered(reader.symbols(path, tree)))


def _problem(tree: Tree, source: bytes, language: str) -> str:
    """Return why a file could be read only in part: its encoding, or where the grammar lost its way first.

    Where imports are not read, errors are not looked for: grammars stumble over macros, and symbols suffer little.
    """
    if "\ufffd" in tree.text and "\ufffd".encode() not in source:
        return f"is not UTF-8{_IN_PART}"
    error = _syntax_error(tree) if resolver_of(language) else None
    return f"has a syntax error in line {first_line(error)}{_IN_PART}" if error else ""


def _syntax_error(tree: Tree) -> SgNode | None:
    """Return where the grammar lost its way first, if declarations may have been lost with it.

    That is so at the top of a file, or where brackets do not pair up. An error deep inside is more often a gap of the
    grammar than one of the source, and looking at all nodes takes a fifth of what parsing takes.
    """
    unpaired = any(tree.text.count(opening) != tree.text.count(closing) for opening, closing in ("()", "[]", "{}"))
    if unpaired:
        return tree.root.find(kind="ERROR")
    return next((node for node in tree.root.children() if node.kind() == "ERROR"), None)


@cache
def reader_of(language: str) -> Reader:
    """Return the reader of a language."""
    module, _, name = LANGUAGES[language].reader.partition(":")
    reader: Reader = getattr(importlib.import_module(f"{__name__}.languages.{module}"), name or "READER")
    return reader
