"""Files as rows, with what they declare, and what they offer to imports of others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from tx_graph.code.imports import NO_SURFACE, Offered, Surface
from tx_graph.code.symbols import Symbol
from tx_graph.core.database import Database, Store
from tx_graph.core.dataclass import dataclass, fields
from tx_graph.core.identifiers import stem
from tx_graph.graph.edge_store import DegreeStore
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.graph.word_store import TextSearch

AMONG = "IN (SELECT value FROM json_each(:values))"
"""The condition on a column that `among` binds."""
_LAST = "\U0010ffff"  # sorts after every path
_MOST_TWINS = 6  # files of one stem that are tied to each other by it


def among(values: Collection[str] | Collection[NodeId]) -> dict[str, str]:
    """Return the parameter of a statement that asks for these values."""
    return {"values": json.dumps(list(values))}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """A file as it was last seen. `content_hash` is SHA-256 in hexadecimal, None when it was not read."""

    path: str
    language: str | None
    size: int
    mtime_ns: int
    content_hash: str | None = None
    problem: str | None = None


_FILE = tuple(one.name for one in fields(FileRow))


class FileStore:
    """Keeps what is known of the repository's files."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._nodes = NodeStore(database)
        self._text = TextSearch(database)

    def save(self, files: Iterable[FileRow]) -> dict[str, NodeId]:
        """Insert or update files; return their nodes. Needs a transaction."""
        files = list(files)
        nodes = self._nodes.ensure(NodeKind.FILE, [file.path for file in files])
        known = self.nodes_of([file.path for file in files])
        self._database.write_many(
            """
            INSERT INTO files (node_id, path, language, size, mtime_ns, content_hash, problem, stem)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (node_id) DO UPDATE SET
                language = excluded.language, size = excluded.size, mtime_ns = excluded.mtime_ns,
                content_hash = excluded.content_hash, problem = excluded.problem
            """,
            (
                (nodes[f.path], f.path, f.language, f.size, f.mtime_ns, f.content_hash, f.problem, stem(f.path) or None)
                for f in files
            ),
        )
        appeared = [(node, path) for path, node in nodes.items() if path not in known]
        self._text.index_files(appeared)
        self._database.write_many("DELETE FROM gone_files WHERE node_id = ?", ((node,) for node, _ in appeared))
        return nodes

    def remove(self, paths: Collection[str]) -> None:
        """Forget files, what they ask for and their imports. Needs a transaction.

        Their co-changes stay, out of sight: they come from history, not from the working tree.
        """
        nodes = list(self.nodes_of(paths).values())
        degrees = DegreeStore(self._database)
        concerned = degrees.partners(nodes).union(nodes)
        self._text.forget_files(nodes)
        for column in ("source_file", "target_file"):
            self._database.write(f"DELETE FROM file_imports WHERE {column} {AMONG}", among(nodes))
        degrees.recount(concerned)
        self._database.write(f"DELETE FROM files WHERE node_id {AMONG}", among(nodes))
        self._database.write_many("INSERT OR IGNORE INTO gone_files (node_id) VALUES (?)", ((node,) for node in nodes))

    def note_moves(self, gone: Iterable[FileRow], came: Iterable[FileRow]) -> None:
        """Remember which file that is gone stands elsewhere now, by its content. Needs a transaction.

        A content that several of them have tells nothing, nor does an empty one.
        """
        before, after = (
            {one.content_hash: one.path for one in rows if hashes[one.content_hash] == 1 and one.size}
            for rows in (list(gone), list(came))
            for hashes in (Counter(one.content_hash for one in rows),)
        )
        self._database.write_many(
            "INSERT INTO file_moves (old, new) VALUES (?, ?)",
            [(before[digest], after[digest]) for digest in sorted(filter(None, before.keys() & after.keys()))],
        )

    def nodes_of(self, paths: Collection[str]) -> dict[str, NodeId]:
        """Return the nodes of those paths that are indexed."""
        return dict(self._database.rows(f"SELECT path, node_id FROM files WHERE path {AMONG}", among(paths)))

    def rows_of(self, paths: Collection[str]) -> dict[str, FileRow]:
        """Return what is known of those paths that are indexed."""
        rows = self._database.rows(f"SELECT {', '.join(_FILE)} FROM files WHERE path {AMONG}", among(paths))
        return {row[0]: FileRow(**dict(zip(_FILE, row, strict=True))) for row in rows}

    def stamps(self) -> dict[str, tuple[int, int | None]]:
        """Return size and time of change (ns) of every file by its path.

        The time is None where a file could not be read: permissions and limits leave no trace in it.
        """
        rows = self._database.rows(
            """
            SELECT path, size, CASE WHEN problem IS NULL OR content_hash IS NOT NULL THEN mtime_ns END
            FROM files
            """
        )
        return {path: (size, mtime_ns) for path, size, mtime_ns in rows}

    def paths(self) -> dict[str, NodeId]:
        """Return the node of every indexed file by its path."""
        return dict(self._database.rows("SELECT path, node_id FROM files ORDER BY path"))

    def paths_of(self, nodes: Collection[NodeId]) -> dict[NodeId, str]:
        """Return the path of each of these nodes that is an indexed file."""
        return dict(self._database.rows(f"SELECT node_id, path FROM files WHERE node_id {AMONG}", among(nodes)))

    def twins(self, nodes: Collection[NodeId]) -> list[tuple[NodeId, NodeId]]:
        """Return (file, other) for these files and the few others whose names have the same stem.

        Both are sources, or they lie in one directory: a page of the manual that is called like a source far away
        says nothing. A stem that many files share, such as `index`, ties none of them.
        """
        return self._database.rows(
            f"""
            SELECT a.node_id, b.node_id
            FROM files a
            JOIN files b ON b.stem = a.stem AND b.node_id <> a.node_id
            WHERE a.node_id {AMONG}
              AND (SELECT count(*) FROM (SELECT 1 FROM files WHERE stem = a.stem LIMIT :most + 1)) <= :most
              AND (
                (a.language IS NOT NULL AND b.language IS NOT NULL)
                OR rtrim(a.path, replace(a.path, '/', '')) = rtrim(b.path, replace(b.path, '/', ''))
              )
            ORDER BY a.node_id, b.path
            """,
            {**among([node for node in nodes if node > 0]), "most": _MOST_TWINS},
        )

    def languages(self) -> dict[str, int]:
        """Return how many files there are of each language; those of none are left out."""
        return dict(
            self._database.rows(
                """
                SELECT language, count(*)
                FROM files
                WHERE language IS NOT NULL
                GROUP BY language
                ORDER BY count(*) DESC, language
                """
            )
        )

    def problems(self) -> list[tuple[str, str]]:
        """Return (path, problem) of every file that could not be read or parsed."""
        return self._database.rows("SELECT path, problem FROM files WHERE problem IS NOT NULL ORDER BY path")

    def count(self) -> int:
        """Return how many files are indexed."""
        return int(self._database.value("SELECT count(*) FROM files"))


def span_below(directory: str) -> tuple[str, str]:
    """Return two texts between which the paths of all files below a directory sort; empty: the root, so all paths."""
    return (f"{directory}/", f"{directory}/{_LAST}") if directory else ("", _LAST)


_SYMBOL = ("path", "name", "kind", "line_start", "line_end", "signature", "is_detail")
_PLAIN = "s.position >= 0"
"""What is no detail: the position of a detail is stored as its complement."""


class SymbolStore(Store):
    """Keeps the declarations of source files."""

    def replace(self, symbols: Mapping[NodeId, Sequence[Symbol]]) -> None:
        """Make these the only symbols of their files. Needs a transaction."""
        self._database.write(f"DELETE FROM symbols WHERE file {AMONG}", among(symbols))
        self._database.write_many(
            """
            INSERT INTO symbols (file, position, name, kind, line_start, line_end, signature)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            (
                (
                    node,
                    ~position if one.is_detail else position,
                    one.name,
                    one.kind,
                    one.line_start,
                    one.line_end,
                    one.signature,
                )
                for node, found in sorted(symbols.items())
                for position, one in enumerate(found)
            ),
        )

    def names(self, paths: Collection[str]) -> set[tuple[str, str]]:
        """Return (path, name) of what these files declare."""
        asked = (
            f"SELECT f.path, s.name FROM symbols s JOIN files f ON f.node_id = s.file WHERE f.path {AMONG} AND {_PLAIN}"
        )
        return set(self._database.rows(asked, among(paths)))

    def of_file(self, path: str) -> list[Symbol]:
        """Return the symbols of a file in source order."""
        return self._symbols(f"f.path = ? AND {_PLAIN}", path)

    def with_details(self, path: str) -> list[Symbol]:
        """Return the symbols of a file, then the details, each in source order."""
        return self._symbols("f.path = ?", path)

    def details(self, path: str) -> list[Symbol]:
        """Return the details of a file in source order."""
        return self._symbols("f.path = ? AND s.position < 0", path)

    def details_below(self, directory: str) -> list[Symbol]:
        """Return the details in all files below a directory (empty: the root), by path and in source order."""
        return self._symbols("f.path BETWEEN ? AND ? AND s.position < 0", *span_below(directory))

    def named(self, name: str) -> list[Symbol]:
        """Return the symbols and details whose last name is `name`, in any case, by path and in source order."""
        condition = "(s.simple = ? COLLATE NOCASE OR s.simple LIKE ? ESCAPE '\\')"
        return self._symbols(condition, name, f"{_escaped(name)}#%")

    def below(self, directory: str) -> list[Symbol]:
        """Return the symbols of all files below a directory (empty: the root), by path and in source order."""
        return self._symbols(f"f.path BETWEEN ? AND ? AND {_PLAIN}", *span_below(directory))

    def containing(self, text: str) -> list[Symbol]:
        """Return the symbols whose last name contains `text`, in upper or lower case, by path and in source order."""
        return self._symbols(f"s.simple LIKE ? ESCAPE '\\' AND {_PLAIN}", f"%{_escaped(text)}%")

    def _symbols(self, condition: str, *values: str) -> list[Symbol]:
        rows = self._database.rows(
            f"""
            SELECT f.path, s.name, s.kind, s.line_start, s.line_end, s.signature, s.position < 0
            FROM symbols s
            JOIN files f ON f.node_id = s.file
            WHERE {condition}
            ORDER BY f.path, s.position < 0, abs(s.position)
            """,
            values,
        )
        return [Symbol(**dict(zip(_SYMBOL, (*row[:-1], bool(row[-1])), strict=True))) for row in rows]

    def files_declaring(self, names: Collection[str]) -> list[str]:
        """Return the files that declare symbols with these last names, by path, at most 50."""
        return sorted({path for found in self.by_last_names(names).values() for path, _ in found})[:50]

    def by_last_names(self, names: Collection[str]) -> dict[str, list[tuple[str, str]]]:
        """Return (path, qualified name) of the symbols with each of these last names that has any."""
        rows = self._database.rows(
            f"""
            SELECT s.simple, f.path, s.name
            FROM symbols s
            JOIN files f ON f.node_id = s.file
            WHERE s.simple COLLATE NOCASE {AMONG} AND s.simple {AMONG} AND {_PLAIN} -- as the index has them
            ORDER BY s.simple, f.path, s.position
            """,
            among(names),
        )
        found: dict[str, list[tuple[str, str]]] = {}
        for simple, path, name in rows:
            found.setdefault(simple, []).append((path, name))
        return found

    def kinds(self) -> list[str]:
        """Return every kind of symbol that there is, sorted."""
        return [kind for (kind,) in self._database.rows("SELECT DISTINCT kind FROM symbols ORDER BY kind")]

    def simple_names(self) -> list[str]:
        """Return every last name once, sorted."""
        return [
            name
            for (name,) in self._database.rows(
                "SELECT DISTINCT simple FROM symbols WHERE position >= 0 ORDER BY simple"
            )
        ]

    def count(self) -> int:
        """Return how many symbols there are."""
        return int(self._database.value("SELECT count(*) FROM symbols WHERE position >= 0"))


class SurfaceStore(Store):
    """Keeps what files offer to imports of others; a file that offers and uses nothing has no row."""

    def replace(self, surfaces: Mapping[NodeId, Surface]) -> None:
        """Make these the only surfaces of their files. Needs a transaction."""
        self._database.write(f"DELETE FROM source_surfaces WHERE file {AMONG}", among(surfaces))
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
            WHERE {column} {AMONG}
            ORDER BY f.path
            """,
            among(values),
        )
        return {
            path: Surface(
                package=package, offers=tuple(Offered(*one) for one in json.loads(offers)), uses=tuple(json.loads(uses))
            )
            for path, package, offers, uses in rows
        }


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
