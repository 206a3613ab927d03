"""Looks after the database as a whole: integrity, orphans, rebuilding what is derived."""

from __future__ import annotations

from tx_graph.storage.database import Database
from tx_graph.storage.sqlite import binding, vector_extension

_ORPHANS = (
    (
        "anchors of absent learnings",
        "file_anchors",
        "learning NOT IN (SELECT node_id FROM learnings WHERE present = 1)",
    ),
    (
        "links from absent learnings",
        "learning_edges",
        "edge_type = 'LINKS_TO' AND source NOT IN (SELECT node_id FROM learnings WHERE present = 1)",
    ),
    ("text entries of absent learnings", "learnings_fts", "rowid NOT IN (SELECT id FROM learnings WHERE present = 1)"),
    ("vectors without a learning", "learning_vectors", "learning_id NOT IN (SELECT id FROM learnings)"),
    (
        "imports of files not indexed",
        "file_imports",
        "source_file NOT IN (SELECT node_id FROM files) OR target_file NOT IN (SELECT node_id FROM files)",
    ),
    ("path entries of files not indexed", "files_fts", "rowid NOT IN (SELECT node_id FROM files)"),
)
"""What no row should be: a name for people, its table, and the condition that finds it."""


class Maintenance:
    """Checks and repairs a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def describe_binding(self) -> str:
        """Return which SQLite library is in use."""
        return f"{binding().name}, SQLite {binding().sqlite_version}"

    def describe_vectors(self) -> str:
        """Return how vectors are searched."""
        if self._database.has_vectors:
            return f"sqlite-vec {self._database.value('SELECT vec_version()')}"
        if vector_extension() is None:
            return "exact search in numpy: sqlite-vec is not installed"
        return "exact search in numpy: this SQLite library cannot load extensions"

    def integrity(self) -> list[str]:
        """Return what SQLite finds damaged; empty when nothing is."""
        found = [str(row[0]) for row in self._database.rows("PRAGMA quick_check")]
        broken = [f"{row[0]} refers to a missing {row[2]}" for row in self._database.rows("PRAGMA foreign_key_check")]
        return [problem for problem in found if problem != "ok"] + sorted(set(broken))

    def orphans(self) -> dict[str, int]:
        """Return how many rows there are of each sort that should not exist."""
        counts = {
            name: int(self._database.value(f"SELECT count(*) FROM {table} WHERE {condition}"))
            for name, table, condition in _ORPHANS
        }
        return {name: count for name, count in counts.items() if count}

    def remove_orphans(self) -> None:
        """Delete them. Needs a transaction."""
        for _, table, condition in _ORPHANS:
            self._database.write(f"DELETE FROM {table} WHERE {condition}")

    def forget_records(self) -> None:
        """Forget what the record files looked like, so that all are read again. Needs a transaction."""
        self._database.write("UPDATE records SET content_hash = '', mtime_ns = -1")

    def compact(self) -> None:
        """Return unused space to the disk and refresh the query planner's statistics."""
        from sqlite_utils import Database as Tables

        tables = Tables(self._database.connection)
        tables.vacuum()
        tables.analyze()

    def row_counts(self) -> dict[str, int]:
        """Return how many rows each table has, indexes left out: that of vectors cannot be read without sqlite-vec."""
        from sqlite_utils import Database as Tables

        tables = Tables(self._database.connection)
        return {
            table.name: table.count
            for table in tables.tables
            if not any(
                table.name.startswith(prefix)
                for prefix in ("sqlite_", "learnings_fts_", "files_fts_", "learning_vector_index")
            )
        }
