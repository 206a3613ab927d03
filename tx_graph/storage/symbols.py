"""Symbols and surfaces as rows: what each source file declares, and what it offers to imports of others."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from tx_graph.domain.edges import NodeId
from tx_graph.domain.imports import NO_SURFACE, Offered, Surface
from tx_graph.domain.symbols import Symbol
from tx_graph.storage.database import Database

_AMONG = "IN (SELECT value FROM json_each(:files))"
_COLUMNS = "f.path, s.name, s.kind, s.line_start, s.line_end, s.signature"


class SymbolStore:
    """Keeps the declarations of source files."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, symbols: Mapping[NodeId, Sequence[Symbol]]) -> None:
        """Make these the only symbols of their files. Needs a transaction."""
        self._database.write(f"DELETE FROM symbols WHERE file {_AMONG}", {"files": json.dumps(list(symbols))})
        self._database.write_many(
            """
            INSERT INTO symbols (file, position, name, kind, line_start, line_end, signature)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            (
                (node, position, s.name, s.kind, s.line_start, s.line_end, s.signature)
                for node, found in sorted(symbols.items())
                for position, s in enumerate(found)
            ),
        )

    def of_file(self, path: str) -> list[Symbol]:
        """Return the symbols of a file in source order."""
        return self._symbols("WHERE f.path = ? ORDER BY s.position", path)

    def all(self) -> list[Symbol]:
        """Return every symbol, by path and in source order."""
        return self._symbols("ORDER BY f.path, s.position")

    def named(self, name: str) -> list[Symbol]:
        """Return the symbols whose last name is `name`, upper and lower case alike, by path and in source order."""
        return self._symbols(
            """
            WHERE (s.simple = ? COLLATE NOCASE OR s.simple LIKE ? ESCAPE '\\')
            ORDER BY f.path, s.position
            """,
            name,
            f"{_escaped(name)}#%",
        )

    def count(self) -> int:
        """Return how many symbols there are."""
        return int(self._database.value("SELECT count(*) FROM symbols"))

    def _symbols(self, rest: str, *values: str) -> list[Symbol]:
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM symbols s JOIN files f ON f.node_id = s.file {rest}", values
        )
        return [
            Symbol(path=path, name=name, kind=kind, line_start=first, line_end=last, signature=signature)
            for path, name, kind, first, last, signature in rows
        ]


class SurfaceStore:
    """Keeps what files offer to imports of others; a file that offers and uses nothing has no row."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, surfaces: Mapping[NodeId, Surface]) -> None:
        """Make these the only surfaces of their files. Needs a transaction."""
        self._database.write(f"DELETE FROM source_surfaces WHERE file {_AMONG}", {"files": json.dumps(list(surfaces))})
        self._database.write_many(
            "INSERT INTO source_surfaces (file, package, offers, uses) VALUES (?, ?, ?, ?)",
            (
                (node, surface.package, json.dumps(surface.offers), json.dumps(surface.uses))
                for node, surface in sorted(surfaces.items())
                if surface != NO_SURFACE
            ),
        )

    def of_languages(self, languages: Sequence[str]) -> dict[str, Surface]:
        """Return the surfaces of all files of these languages by path."""
        rows = self._database.rows(
            """
            SELECT f.path, s.package, s.offers, s.uses
            FROM source_surfaces s
            JOIN files f ON f.node_id = s.file
            WHERE f.language IN (SELECT value FROM json_each(?))
            ORDER BY f.path
            """,
            (json.dumps(list(languages)),),
        )
        return {
            path: Surface(
                package=package,
                offers=tuple(Offered(*one) for one in json.loads(offers)),
                uses=tuple(json.loads(uses)),
            )
            for path, package, offers, uses in rows
        }


def _escaped(text: str) -> str:
    """Return text for LIKE that stands for itself."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
