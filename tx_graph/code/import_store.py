"""Imports as rows: what each file asks for, and the files that turned out to be meant."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from tx_graph.code.file_store import AMONG, among, span_below
from tx_graph.code.imports import ImportEdge, ImportType, Specifier, Unresolved
from tx_graph.core.database import Store
from tx_graph.graph.edge_store import DegreeStore
from tx_graph.graph.edges import NodeId


class ImportStore(Store):
    """Keeps specifiers and import edges."""

    def replace_specifiers(self, parsed: Mapping[NodeId, Sequence[Specifier]]) -> None:
        """Make these the only specifiers of their files. Needs a transaction."""
        self._database.write(f"DELETE FROM import_specifiers WHERE file {AMONG}", among(parsed))
        self._database.write_many(
            "INSERT INTO import_specifiers VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
            (
                (node, position, s.module, s.name, s.type.value, s.line, s.scope)
                for node, specifiers in sorted(parsed.items())
                for position, s in enumerate(specifiers)
            ),
        )

    def specifiers(self, files: Collection[NodeId] | None = None) -> dict[str, list[Specifier]]:
        """Return the specifiers of these files (of all, when None) by path, in source order."""
        narrowed = "" if files is None else f"WHERE s.file {AMONG}"
        rows = self._database.rows(
            f"""
            SELECT f.path, s.module, s.name, s.import_type, s.line, s.scope
            FROM import_specifiers s
            JOIN files f ON f.node_id = s.file
            {narrowed}
            ORDER BY s.file, s.position
            """,
            among(files or ()),
        )
        found: dict[str, list[Specifier]] = defaultdict(list)
        for path, *row in rows:
            found[path].append(_specifier(*row))
        return found

    def replace_edges(
        self,
        sources: Collection[NodeId],
        edges: Iterable[ImportEdge],
        unresolved: Iterable[Unresolved],
        *,
        nodes: Mapping[str, NodeId],
    ) -> None:
        """Make these the only import edges that leave `sources`. Needs a transaction."""
        rows = [(nodes[edge.source], nodes[edge.target], edge.type.value) for edge in edges]
        degrees = DegreeStore(self._database)
        concerned = degrees.partners(sources).union(sources, (target for _, target, _ in rows))
        self._database.write(f"DELETE FROM file_imports WHERE source_file {AMONG}", among(sources))
        # In the order of the primary key each row of new files goes to the end of the table.
        self._database.write_many(
            "INSERT INTO file_imports (source_file, target_file, import_type) VALUES (?, ?, ?)", sorted(rows)
        )
        degrees.recount(concerned)
        self._database.write(
            f"UPDATE import_specifiers SET unresolved = NULL WHERE file {AMONG} AND unresolved IS NOT NULL",
            among(sources),
        )
        self._database.write_many(
            "UPDATE import_specifiers SET unresolved = ? WHERE file = ? AND module = ? AND name IS ? AND scope = ?",
            ((u.reason, nodes[u.source], u.specifier.module, u.specifier.name, u.specifier.scope) for u in unresolved),
        )

    def replace_targets(self, targets: Mapping[NodeId, Sequence[str | None]], *, nodes: Mapping[str, NodeId]) -> None:
        """Note the file that each specifier of these files means, in their order. Needs a transaction."""
        self._database.write(
            f"UPDATE import_specifiers SET target = NULL WHERE file {AMONG} AND target IS NOT NULL", among(targets)
        )
        self._database.write_many(
            "UPDATE import_specifiers SET target = ? WHERE file = ? AND position = ?",
            (
                (nodes[target], file, position)
                for file, found in sorted(targets.items())
                for position, target in enumerate(found)
                if target
            ),
        )

    def remember_consulted(self, resolver: str, hashes: Mapping[str, str], *, only: bool) -> None:
        """Note the files whose text a resolver asked for, with its SHA-256; `only` these, if it looked at everything.

        Needs a transaction.
        """
        if only:
            self._database.write("DELETE FROM consulted_files WHERE resolver = ?", (resolver,))
        self._database.write_many(
            "INSERT OR REPLACE INTO consulted_files (path, resolver, content_hash) VALUES (?, ?, ?)",
            ((path, resolver, content_hash) for path, content_hash in sorted(hashes.items())),
        )

    def consulted(self) -> dict[str, dict[str, str]]:
        """Return the resolvers that asked for the text of a file, each with its SHA-256, by path."""
        rows = self._database.rows(
            "SELECT path, json_group_object(resolver, content_hash) FROM consulted_files GROUP BY path"
        )
        return {path: json.loads(hashes) for path, hashes in rows}

    def edges(
        self, *, out_of: str = "", into: str = "", into_file: str = "", out_of_file: str = ""
    ) -> list[ImportEdge]:
        """Return import edges by source and target: all, those of files below a directory, or into it, or a file."""
        rows = self._database.rows(
            """
            SELECT s.path, t.path, i.import_type
            FROM file_imports i
            JOIN files s ON s.node_id = i.source_file
            JOIN files t ON t.node_id = i.target_file
            WHERE s.path BETWEEN ? AND ? AND t.path BETWEEN ? AND ?
            ORDER BY s.path, t.path
            """,
            (
                *((out_of_file, out_of_file) if out_of_file else span_below(out_of)),
                *((into_file, into_file) if into_file else span_below(into)),
            ),
        )
        return [ImportEdge(source=source, target=target, type=ImportType(kind)) for source, target, kind in rows]

    def unresolved(self, *, of: str | None = None, below: str = "") -> list[Unresolved]:
        """Return the specifiers of one file, or of all below a directory, that gave no edge, in source order."""
        low, high = span_below(below) if of is None else (of, of)
        rows = self._database.rows(
            """
            SELECT f.path, s.module, s.name, s.import_type, s.line, s.scope, s.unresolved
            FROM import_specifiers s
            JOIN files f ON f.node_id = s.file
            WHERE s.unresolved IS NOT NULL AND f.path BETWEEN :low AND :high
            ORDER BY f.path, s.line, s.position
            """,
            {"low": low, "high": high},
        )
        return [Unresolved(source=path, specifier=_specifier(*row), reason=reason) for path, *row, reason in rows]

    def count(self) -> int:
        """Return how many import edges there are."""
        return int(self._database.value("SELECT count(*) FROM file_imports"))

    def unresolved_counts(self) -> dict[str, int]:
        """Return how many specifiers gave no edge, by reason."""
        rows = self._database.rows(
            """
            SELECT unresolved, count(*)
            FROM import_specifiers
            WHERE unresolved IS NOT NULL
            GROUP BY unresolved
            ORDER BY unresolved
            """
        )
        return dict(rows)


def _specifier(module: str, name: str | None, kind: str, line: int, scope: str) -> Specifier:
    return Specifier(module=module, name=name, type=ImportType(kind), line=line, scope=scope)
