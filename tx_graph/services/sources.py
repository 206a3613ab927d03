"""The working tree's files as text and symbols, each read and parsed once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.languages import language_of
from tx_graph.errors import NotFound, UsageError

if TYPE_CHECKING:
    from tx_graph.domain.symbols import Symbol


class Sources:
    """Reads files as they are now."""

    def __init__(self, tree: WorkingTree) -> None:
        self._tree = tree
        self._texts: dict[str, str | None] = {}
        self._symbols: dict[str, tuple[Symbol, ...]] = {}

    def text(self, path: str) -> str | None:
        """Return a file's text with Unix line ends, None when it cannot be read."""
        if path not in self._texts:
            data = self._tree.read(path)
            # Lossless, so that a change of bytes that are no text shows too.
            text = None if data is None else data.decode("utf-8-sig", "surrogateescape")
            self._texts[path] = None if text is None else text.replace("\r\n", "\n")
        return self._texts[path]

    def symbols(self, path: str) -> tuple[Symbol, ...]:
        """Return the symbols of a file, in its order."""
        if path not in self._symbols:
            from tx_graph.codebase.parsing import read_symbols

            self._symbols[path] = read_symbols(path, (self.text(path) or "").encode("utf-8", "surrogateescape"))
        return self._symbols[path]

    def symbol(self, path: str, name: str) -> Symbol:
        """Return the symbol of a file that has this name, or the only one that ends in it.

        Raises:
            NotFound: There is none, or several end like it; the nearest are named.
            UsageError: The file is of no language whose symbols tx reads.
        """
        symbols = self.symbols(path)
        exact = [symbol for symbol in symbols if symbol.name == name]
        found = exact or [symbol for symbol in symbols if symbol.name.endswith(f"::{name}")]
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFound(f"'{name}' names several symbols of {path}.", candidates=[s.fqname for s in found])
        if language_of(path) is None:
            raise UsageError(f"tx reads no symbols in '{path}'.", hint="Anchor to lines instead: PATH:L10-L20.")
        names = [symbol.name for symbol in symbols]
        from difflib import get_close_matches

        near = get_close_matches(name, names, cutoff=0.4) or names[:5]
        raise NotFound(f"There is no symbol '{name}' in {path}.", candidates=[f"{path}::{one}" for one in near])
