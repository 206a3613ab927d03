"""What a user of tx gets to know of a repository: everything here is read from its index."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.opened import open_workspace
from tx_graph.code.import_graph import ImportGraph
from tx_graph.code.import_store import ImportStore
from tx_graph.code.imports import ImportType, Specifier
from tx_graph.code.languages import language_of
from tx_graph.code.symbol_index import SymbolIndex
from tx_graph.code.symbols import Symbol
from tx_graph.core.database import Database
from tx_graph.core.place import DATABASE, DIRECTORY
from tx_graph.core.repository import GitRepository

_READ_IN_PART = "read as far as possible"
_NUMBER = re.compile(r"#\d+$")

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """A repository as tx knows it. `sources` are the source files it read, in part at least, by path."""

    root: Path
    files: tuple[str, ...]
    sources: frozenset[str]
    edges: Mapping[Pair, ImportType]
    symbols: Mapping[str, Sequence[Symbol]]
    specifiers: Mapping[str, Sequence[Specifier]]

    def of_languages(self, *languages: str) -> list[str]:
        """Return the source files in these languages, sorted."""
        return sorted(path for path in self.sources if language_of(path) in languages)


def indexed(root: Path) -> Indexed:
    """Index a workspace; return what the index says."""
    with open_workspace(root) as workspace:
        report = workspace.indexing.run()
        edges = {(edge.source, edge.target): edge.type for edge in workspace.kernel.one(ImportGraph).all_imports()}
        symbols: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in workspace.kernel.one(SymbolIndex).symbols().symbols:
            symbols[symbol.path].append(symbol)
    with Database.open(root / DIRECTORY / DATABASE) as database:
        specifiers = ImportStore(database).specifiers()
    unread = {path for path, reason in report.skipped if not reason.endswith(_READ_IN_PART)}
    files = tuple(file.path for file in GitRepository(root).list_files())
    return Indexed(
        root=root,
        files=files,
        sources=frozenset(path for path in files if language_of(path) and path not in unread),
        edges=edges,
        symbols=symbols,
        specifiers=specifiers,
    )


def unnumbered(name: str) -> str:
    """Return a symbol's name without the mark (`#2`) that tells it from others of its name."""
    return _NUMBER.sub("", name)
