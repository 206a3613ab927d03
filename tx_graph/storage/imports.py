"""Imports as rows: what each file asks for, and the files that turned out to be meant."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from tx_graph.domain.edges import NodeId
from tx_graph.domain.imports import ImportEdge, ImportType, Specifier, Unresolved
from tx_graph.storage.database import Database


class ImportStore:
    """Keeps specifiers and import edges."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace_specifiers(self, parsed: Mapping[NodeId, Sequence[Specifier]]) -> None:
        """Make these the only specifiers of their files. Needs a transaction."""
        self._database.write(f"DELETE FROM import_specifiers WHERE file {_AMONG}", _among(parsed))
        self._database.write_many(
            "INSERT INTO import_specifiers VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
            (
                (node, position, s.module, s.name, s.type.value, s.line, s.scope)
                for node, specifiers in sorted(parsed.items())
                for position, s in enumerate(specifiers)
            ),
        )

    def specifiers(self, files: Collection[NodeId] | None = None) -> dict[str, list[Specifier]]:
        """Return the specifiers of these files (of all, when None) by path, in source order."""
        narrowed = "" if files is None else f"WHERE s.file {_AMONG}"
        found: dict[str, list[Specifier]] = defaultdict(list)
        rows = self._database.rows(
            f"""
            SELECT f.path, s.module, s.name, s.import_type, s.line, s.scope
            FROM import_specifiers s
            JOIN files f ON f.node_id = s.file
            {narrowed}
            ORDER BY s.file, s.position
            """,
            _among(files or ()),
        )
        for path, module, name, kind, line, scope in rows:
            found[path].append(Specifier(module=module, name=name, type=ImportType(kind), line=line, scope=scope))
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
        self._database.write(f"DELETE FROM file_imports WHERE source_file {_AMONG}", _among(sources))
        # In the order of the primary key each row of new files goes to the end of the table.
        self._database.write_many(
            "INSERT INTO file_imports (source_file, target_file, import_type) VALUES (?, ?, ?)", sorted(rows)
        )
        self._database.write(
            f"UPDATE import_specifiers SET unresolved = NULL WHERE file {_AMONG} AND unresolved IS NOT NULL",
            _among(sources),
        )
        self._database.write_many(
            "UPDATE import_specifiers SET unresolved = ? WHERE file = ? AND module = ? AND name IS ? AND scope = ?",
            ((u.reason, nodes[u.source], u.specifier.module, u.specifier.name, u.specifier.scope) for u in unresolved),
        )

    def count(self) -> int:
        """Return how many import edges there are."""
        return int(self._database.value("SELECT count(*) FROM file_imports"))

    def unresolved_counts(self) -> dict[str, int]:
        """Return how many specifiers gave no edge, by reason."""
        return dict(
            self._database.rows(
                """
                SELECT unresolved, count(*)
                FROM import_specifiers
                WHERE unresolved IS NOT NULL
                GROUP BY unresolved
                ORDER BY unresolved
                """
            )
        )


_AMONG = "IN (SELECT value FROM json_each(:files))"


def _among(files: Collection[NodeId]) -> dict[str, str]:
    return {"files": json.dumps(list(files))}
