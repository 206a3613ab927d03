"""Looks after the database as a whole: integrity, orphans, rebuilding what is derived."""

from __future__ import annotations

from tx_graph.core.database import Store
from tx_graph.core.sqlite import binding, vector_extension
from tx_graph.vectors.models import has_runtime

_ORPHANS = (
    (
        "anchors of absent learnings",
        "file_anchors",
        "learning NOT IN (SELECT node_id FROM learnings WHERE present = 1)",
    ),
    (
        "links from absent learnings",
        "learning_edges",
        """
        edge_type = 'LINKS_TO' AND invalidated_at IS NULL
        AND source NOT IN (SELECT node_id FROM learnings WHERE present = 1)
        """,
    ),
    ("text entries of absent learnings", "learnings_fts", "rowid NOT IN (SELECT id FROM learnings WHERE present = 1)"),
    ("vectors without a learning", "learning_vectors", "learning_id NOT IN (SELECT id FROM learnings)"),
    (
        "imports of files not indexed",
        "file_imports",
        "source_file NOT IN (SELECT node_id FROM files) OR target_file NOT IN (SELECT node_id FROM files)",
    ),
    ("text entries of absent chunks", "chunks_fts", "rowid NOT IN (SELECT id FROM chunks)"),
    ("vectors without a chunk", "chunk_vectors", "chunk_id NOT IN (SELECT id FROM chunks)"),
    ("vectors without an entity", "entity_vectors", "entity_id NOT IN (SELECT node_id FROM entities)"),
    (
        "edges of absent sections",
        "section_edges",
        "source NOT IN (SELECT node_id FROM sections) OR target NOT IN (SELECT id FROM nodes)",
    ),
    ("path entries of files not indexed", "files_fts", "rowid NOT IN (SELECT node_id FROM files)"),
)
"""What no row should be: a name for people, its table, and the condition that finds it."""


class Maintenance(Store):
    """Checks and repairs a database."""

    def describe_binding(self) -> str:
        """Return which SQLite library is in use."""
        return f"{binding().name}, SQLite {binding().sqlite_version}"

    def describe_vectors(self) -> str:
        """Return how vectors are searched."""
        if self._database.has_vectors:
            return f"sqlite-vec {self._database.value('SELECT vec_version()')}"
        if not has_runtime():
            return "not searched: what computes them is not installed"
        if vector_extension() is None:
            return "exact search in numpy: sqlite-vec is not installed"
        return "exact search in numpy: this SQLite library cannot load extensions"

    def integrity(self) -> list[str]:
        """Return what SQLite finds damaged or inconsistent; empty when nothing is."""
        damaged = self.corruption()
        broken = [f"{row[0]} refers to a missing {row[2]}" for row in self._database.rows("PRAGMA foreign_key_check")]
        return damaged + sorted(set(broken))

    def corruption(self) -> list[str]:
        """Return what SQLite finds damaged in the file itself, which no statement can mend."""
        return [str(problem) for (problem,) in self._database.rows("PRAGMA quick_check") if problem != "ok"]

    def lacking_text(self) -> int:
        """Return how many present learnings full-text search does not know."""
        return int(
            self._database.value(
                "SELECT count(*) FROM learnings WHERE present = 1 AND id NOT IN (SELECT rowid FROM learnings_fts)"
            )
        )

    def dangling_links(self) -> list[tuple[int, str]]:
        """Return (number, uid of the target) of every valid link whose target is no present learning."""
        return self._database.rows(
            """
            SELECT s.id, t.key
            FROM learning_edges e
            JOIN learnings s ON s.node_id = e.source AND s.present = 1
            JOIN nodes t ON t.id = e.target
            WHERE e.edge_type = 'LINKS_TO' AND e.invalidated_at IS NULL
              AND e.target NOT IN (SELECT node_id FROM learnings WHERE present = 1)
            ORDER BY s.id, t.key
            """
        )

    def orphans(self) -> dict[str, int]:
        """Return how many rows there are of each sort that should not exist."""
        counts = {
            name: int(self._database.value(f"SELECT count(*) FROM {table} WHERE {condition}"))
            for name, table, condition in _ORPHANS
        }
        return {name: count for name, count in counts.items() if count}

    def remove_orphans(self) -> dict[str, int]:
        """Delete them, and what refers to missing rows; return the number of the latter by table.

        Needs a transaction.
        """
        from tx_graph.core.rescue import remove_dangling

        for _, table, condition in _ORPHANS:
            self._database.write(f"DELETE FROM {table} WHERE {condition}")
        return remove_dangling(self._database.connection)

    def losses(self) -> list[tuple[str, str]]:
        """Return (file where it is kept, sentence) of what this database could not take over from another."""
        return self._database.rows("SELECT kept, what FROM losses ORDER BY id")

    def forget_records(self) -> None:
        """Forget what the record files looked like, so that all are read again. Needs a transaction."""
        self._database.write("UPDATE records SET content_hash = '', mtime_ns = -1")

    def compact(self) -> None:
        """Return unused space to the disk and refresh the query planner's statistics."""
        from sqlite_utils import Database as Tables

        tables = Tables(self._database.connection)
        tables.vacuum()
        tables.analyze()
