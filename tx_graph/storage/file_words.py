"""Words of files as a full-text index: which files speak of what a question asks."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.storage.database import Database
from tx_graph.storage.shared_words import shared_words, telling_match

_COMMON = 2_000
"""Files that may share a word of the question: to score more takes tens of ms, and such a word tells none apart."""


class UnreadFile(NamedTuple):
    """A file whose words are not those in the index, and its stamp."""

    node: NodeId
    path: str
    size: int
    mtime_ns: int


class FileWordStore:
    """Keeps the words of files, and which version of a file they are from."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def unread(self) -> list[UnreadFile]:
        """Return the indexed files that changed since their words were taken."""
        rows = self._database.rows(
            """
            SELECT f.node_id, f.path, f.size, f.mtime_ns
            FROM files f
            LEFT JOIN worded_files w ON w.node_id = f.node_id
            WHERE w.node_id IS NULL OR w.size <> f.size OR w.mtime_ns <> f.mtime_ns OR f.mtime_ns <= 0
            ORDER BY f.path
            """
        )
        return list(map(UnreadFile._make, rows))

    def replace(self, read: Iterable[tuple[UnreadFile, str]]) -> None:
        """Make these the words of the files, none for an empty text. Needs a transaction."""
        read = list(read)
        self._database.write_many("DELETE FROM file_words WHERE rowid = ?", ((file.node,) for file, _ in read))
        self._database.write_many(
            "INSERT INTO file_words (rowid, words) VALUES (?, ?)", ((file.node, words) for file, words in read if words)
        )
        self._database.write_many(
            "INSERT OR REPLACE INTO worded_files (node_id, size, mtime_ns) VALUES (?, ?, ?)",
            ((file.node, file.size, file.mtime_ns) for file, _ in read),
        )

    def forget_gone(self) -> None:
        """Drop the words of files that are indexed no more. Needs a transaction."""
        gone = self._database.rows("SELECT node_id FROM worded_files WHERE node_id NOT IN (SELECT node_id FROM files)")
        for table, column in (("file_words", "rowid"), ("worded_files", "node_id")):
            self._database.write_many(f"DELETE FROM {table} WHERE {column} = ?", gone)

    def search(self, text: str, *, limit: int) -> list[tuple[NodeId, float]]:
        """Return (file, BM25 score > 0) of the files that have telling words of the text, best first."""
        match = telling_match(self._database, "file_words", text, most=_COMMON)
        if not match:
            return []
        return self._database.rows(
            """
            SELECT rowid, -bm25(file_words) AS score
            FROM file_words
            WHERE file_words MATCH :match
            ORDER BY score DESC, rowid
            LIMIT :limit
            """,
            {"match": match, "limit": limit},
        )

    def shared(self, text: str, files: Collection[NodeId]) -> dict[NodeId, list[str]]:
        """Return the words of the text that these files have, for each that has any; the most telling come first."""
        return shared_words(self._database, "file_words", text, files)
