"""Readers: how a language is read; each language family's module has one as `READER`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tx_graph.codebase.parsing.tree import Tree, parse
from tx_graph.domain.imports import NO_SURFACE, Specifier, Surface
from tx_graph.domain.symbols import Symbol


def no_specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield nothing: the language's imports are not read."""
    del tree
    return iter(())


def no_surface(tree: Tree) -> Surface:
    """Return nothing: the language's imports are resolved by paths alone."""
    del tree
    return NO_SURFACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How a language is read: text and language to tree, path and tree to declarations, tree to imports.

    A text without `import_word` imports nothing, so nobody looks; None: every text may.
    """

    symbols: Callable[[str, Tree], Iterator[Symbol]]
    specifiers: Callable[[Tree], Iterator[Specifier]] = no_specifiers
    surface: Callable[[Tree], Surface] = no_surface
    import_word: re.Pattern[str] | None = None
    parse: Callable[[str, str], Tree] = parse
