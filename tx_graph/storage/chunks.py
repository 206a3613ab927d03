"""Chunks as rows: the pieces of sections that search looks at."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from tx_graph.domain.edges import NodeId
from tx_graph.storage.database import Database

_KEYS = "INSERT INTO chunks (id, section, position, content_hash, headings, text) VALUES (?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkRow:
    """A chunk. `content_hash` is that of its text with the headings above it, so that it tells whether a vector fits.

    `headings_words` and `words` are what full-text search sees of it; they are written, never read.
    """

    section: NodeId
    position: int
    content_hash: str
    headings: str
    text: str
    headings_words: str
    words: str


class ChunkStore:
    """Keeps the chunks of sections."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_sections(self, sections: Collection[NodeId]) -> list[tuple[int, NodeId, str]]:
        """Return (chunk, section, content hash) of every chunk of these sections, by number."""
        return self._database.rows(
            """
            SELECT id, section, content_hash
            FROM chunks
            WHERE section IN (SELECT value FROM json_each(:sections))
            ORDER BY id
            """,
            {"sections": json.dumps(list(sections))},
        )

    def move(self, chunks: Iterable[tuple[int, NodeId, int]]) -> None:
        """Give chunks that say what they said their (chunk, section, position) of now. Needs a transaction."""
        self._database.write_many(
            "UPDATE chunks SET section = ?, position = ? WHERE id = ?",
            ((section, position, chunk) for chunk, section, position in chunks),
        )

    def reword(self, chunks: Iterable[tuple[int, ChunkRow]]) -> None:
        """Make chunks findable by the words of where they are now. Needs a transaction."""
        self._database.write_many(
            "UPDATE chunks_fts SET headings = ?, text = ? WHERE rowid = ?",
            ((chunk.headings_words, chunk.words, number) for number, chunk in chunks),
        )

    def add(self, chunks: Iterable[ChunkRow]) -> None:
        """Insert chunks and make them findable by their words. Needs a transaction."""
        first = int(self._database.value("SELECT ifnull(max(id), 0) + 1 FROM chunks"))
        numbered = list(enumerate(chunks, start=first))
        self._database.write_many(
            _KEYS, ((number, c.section, c.position, c.content_hash, c.headings, c.text) for number, c in numbered)
        )
        self._database.write_many(
            "INSERT INTO chunks_fts (rowid, headings, text) VALUES (?, ?, ?)",
            ((number, chunk.headings_words, chunk.words) for number, chunk in numbered),
        )

    def remove(self, chunks: Collection[int]) -> None:
        """Forget chunks and their words; their vectors must be forgotten first. Needs a transaction."""
        gone = [(chunk,) for chunk in chunks]
        self._database.write_many("DELETE FROM chunks_fts WHERE rowid = ?", gone)
        self._database.write_many("DELETE FROM chunks WHERE id = ?", gone)

    def count(self) -> int:
        """Return how many chunks there are."""
        return int(self._database.value("SELECT count(*) FROM chunks"))
