"""Files as rows: what the repository held at the last index."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from tx_graph.analysis.twins import stem
from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.storage.database import Database
from tx_graph.storage.degrees import DegreeStore
from tx_graph.storage.nodes import NodeStore
from tx_graph.storage.text_search import TextSearch

_LAST = "\U0010ffff"
"""Sorts after every path."""
_MOST_TWINS = 6
"""Files of one stem that are tied to each other by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """A file as it was last seen. `content_hash` is SHA-256 in hexadecimal, None when it was not read."""

    path: str
    language: str | None
    size: int
    mtime_ns: int
    content_hash: str | None = None
    problem: str | None = None


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
        gone = {"nodes": json.dumps(nodes)}
        degrees = DegreeStore(self._database)
        concerned = degrees.partners(nodes).union(nodes)
        self._text.forget_files(nodes)
        among = "IN (SELECT value FROM json_each(:nodes))"
        self._database.write(f"DELETE FROM file_imports WHERE source_file {among}", gone)
        self._database.write(f"DELETE FROM file_imports WHERE target_file {among}", gone)
        degrees.recount(concerned)
        self._database.write(f"DELETE FROM files WHERE node_id {among}", gone)
        self._database.write("INSERT OR IGNORE INTO gone_files (node_id) SELECT value FROM json_each(:nodes)", gone)

    def nodes_of(self, paths: Collection[str]) -> dict[str, NodeId]:
        """Return the nodes of those paths that are indexed."""
        return dict(
            self._database.rows(
                "SELECT path, node_id FROM files WHERE path IN (SELECT value FROM json_each(:paths))",
                {"paths": json.dumps(list(paths))},
            )
        )

    def rows_of(self, paths: Collection[str]) -> dict[str, FileRow]:
        """Return what is known of those paths that are indexed."""
        rows = self._database.rows(
            """
            SELECT path, language, size, mtime_ns, content_hash, problem
            FROM files
            WHERE path IN (SELECT value FROM json_each(:paths))
            """,
            {"paths": json.dumps(list(paths))},
        )
        return {
            row[0]: FileRow(
                path=row[0], language=row[1], size=row[2], mtime_ns=row[3], content_hash=row[4], problem=row[5]
            )
            for row in rows
        }

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

    def twins(self, nodes: Collection[NodeId]) -> list[tuple[NodeId, NodeId]]:
        """Return (file, other) for these files and the few others whose names have the same stem.

        Both are sources, or they lie in one directory: a page of the manual that is called like a source far away
        says nothing. A stem that many files share, such as `index`, ties none of them.
        """
        rows = self._database.rows(
            """
            SELECT a.node_id, b.node_id
            FROM files a
            JOIN files b ON b.stem = a.stem AND b.node_id <> a.node_id
            WHERE a.node_id IN (SELECT value FROM json_each(:nodes))
              AND (SELECT count(*) FROM (SELECT 1 FROM files WHERE stem = a.stem LIMIT :most + 1)) <= :most
              AND (
                (a.language IS NOT NULL AND b.language IS NOT NULL)
                OR rtrim(a.path, replace(a.path, '/', '')) = rtrim(b.path, replace(b.path, '/', ''))
              )
            ORDER BY a.node_id, b.path
            """,
            {"nodes": json.dumps([node for node in nodes if node > 0]), "most": _MOST_TWINS},
        )
        return list(rows)

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
