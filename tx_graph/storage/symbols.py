"""Symbols and surfaces as rows: what each source file declares, and what it offers to imports of others."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from tx_graph.domain.edges import NodeId
from tx_graph.domain.imports import NO_SURFACE, Offered, Surface
from tx_graph.domain.symbols import Symbol, SymbolRow
from tx_graph.storage.database import Database
from tx_graph.storage.files import span_below

_AMONG = "IN (SELECT value FROM json_each(:files))"
_COLUMNS = "f.path, s.name, s.kind, s.line_start, s.line_end, s.signature"


class SymbolStore:
    """Keeps the declarations of source files."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, symbols: Mapping[NodeId, Sequence[SymbolRow]]) -> None:
        """Make these the only symbols of their files. Needs a transaction."""
        self._database.write(f"DELETE FROM symbols WHERE file {_AMONG}", {"files": json.dumps(list(symbols))})
        self._database.write_many(
            """
            INSERT INTO symbols (file, position, name, kind, line_start, line_end, signature)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            ((node, position, *row) for node, found in sorted(symbols.items()) for position, row in enumerate(found)),
        )

    def of_file(self, path: str) -> list[Symbol]:
        """Return the symbols of a file in source order."""
        return self._symbols("WHERE f.path = ? ORDER BY s.position", path)

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

    def files_declaring(self, names: Collection[str]) -> list[str]:
        """Return the files that declare symbols with these last names, by path, at most 50."""
        rows = self._database.rows(
            """
            SELECT DISTINCT f.path
            FROM symbols s
            JOIN files f ON f.node_id = s.file
            WHERE s.simple IN (SELECT value FROM json_each(:names))
            ORDER BY f.path
            LIMIT 50
            """,
            {"names": json.dumps(list(names))},
        )
        return [path for (path,) in rows]

    def by_last_names(self, names: Collection[str]) -> dict[str, list[tuple[str, str]]]:
        """Return (path, qualified name) of the symbols with each of these last names that has any."""
        rows = self._database.rows(
            """
            SELECT s.simple, f.path, s.name
            FROM symbols s
            JOIN files f ON f.node_id = s.file
            WHERE s.simple IN (SELECT value FROM json_each(:names))
            ORDER BY s.simple, f.path, s.position
            """,
            {"names": json.dumps(list(names))},
        )
        found: dict[str, list[tuple[str, str]]] = {}
        for simple, path, name in rows:
            found.setdefault(simple, []).append((path, name))
        return found

    def below(self, directory: str) -> list[Symbol]:
        """Return the symbols of all files below a directory (empty: the root), by path and in source order."""
        return self._symbols("WHERE f.path BETWEEN ? AND ? ORDER BY f.path, s.position", *span_below(directory))

    def containing(self, text: str) -> list[Symbol]:
        """Return the symbols whose last name contains `text`, in upper or lower case, by path and in source order."""
        condition = "s.simple LIKE ? ESCAPE '\\'"
        return self._symbols(f"WHERE {condition} ORDER BY f.path, s.position", f"%{_escaped(text)}%")

    def kinds(self) -> list[str]:
        """Return every kind of symbol that there is, sorted."""
        return [kind for (kind,) in self._database.rows("SELECT DISTINCT kind FROM symbols ORDER BY kind")]

    def simple_names(self) -> list[str]:
        """Return every last name once, sorted."""
        return [name for (name,) in self._database.rows("SELECT DISTINCT simple FROM symbols ORDER BY simple")]

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
        """Return the surfaces of all files of these languages by path; files without one are left out."""
        return self._surfaces("f.language", languages)

    def of_files(self, paths: Collection[str]) -> dict[str, Surface]:
        """Return the surface of each of these files, an empty one for a file without."""
        return dict.fromkeys(paths, NO_SURFACE) | self._surfaces("f.path", paths)

    def _surfaces(self, column: str, values: Collection[str]) -> dict[str, Surface]:
        rows = self._database.rows(
            f"""
            SELECT f.path, s.package, s.offers, s.uses
            FROM source_surfaces s
            JOIN files f ON f.node_id = s.file
            WHERE {column} IN (SELECT value FROM json_each(:values))
            ORDER BY f.path
            """,
            {"values": json.dumps(list(values))},
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
