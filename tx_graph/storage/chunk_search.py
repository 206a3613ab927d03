"""Full-text search (FTS5, BM25) over the chunks of documents, and which section each of them belongs to."""

from __future__ import annotations

import json
from collections.abc import Collection

from tx_graph.domain.edges import NodeId
from tx_graph.storage.database import Database
from tx_graph.storage.shared_words import telling_match

_COMMON = 5_000
"""Chunks that may share a word of the question: to score more takes tens of ms, and such a word tells none apart."""
_ANY_NUMBER = 2**40
_LEAST_SHARE = 0.1
"""Share of the best score that a match needs: what matches by a word that every second chunk has is none."""
_HEADINGS_SHARE = 1.0
"""What a word in the headings above a chunk counts beside one in its text."""
_AMONG = "IN (SELECT value FROM json_each(:among))"


class ChunkSearch:
    """Finds chunks by their words."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def best(self, query: str, *, allowed: Collection[int] | None, limit: int) -> list[tuple[int, float]]:
        """Return (chunk, BM25 score ≥ 0) of the chunks that match any telling word of the query, best first."""
        match = telling_match(self._database, "chunks_fts", query, most=_COMMON)
        match = match or telling_match(self._database, "chunks_fts", query, most=_ANY_NUMBER)
        if not match:
            return []
        narrowed = "" if allowed is None else f"AND +rowid {_AMONG}"
        rows = self._database.rows(
            f"""
            SELECT rowid, -bm25(chunks_fts, {_HEADINGS_SHARE}, 1.0) AS score
            FROM chunks_fts
            WHERE chunks_fts MATCH :match {narrowed}
            ORDER BY score DESC, rowid
            LIMIT :limit
            """,
            {"match": match, "among": json.dumps(list(allowed or ())), "limit": limit},
        )
        least = _LEAST_SHARE * rows[0][1] if rows else 0.0
        return [(chunk, score) for chunk, score in rows if score >= least]

    def of_documents(self, paths: Collection[str]) -> list[int]:
        """Return the chunks of these documents."""
        rows = self._database.rows(
            f"""
            SELECT c.id
            FROM documents d
            JOIN sections s ON s.document = d.node_id
            JOIN chunks c ON c.section = s.node_id
            WHERE d.path {_AMONG}
            ORDER BY c.id
            """,
            {"among": json.dumps(list(paths))},
        )
        return [chunk for (chunk,) in rows]

    def sections(self, chunks: Collection[int]) -> dict[int, NodeId]:
        """Return the section or part that each of these chunks is of."""
        asked = {"among": json.dumps(list(chunks))}
        return dict(self._database.rows(f"SELECT id, section FROM chunks WHERE id {_AMONG}", asked))

    def of_sections(self, sections: Collection[NodeId]) -> dict[int, NodeId]:
        """Return the chunks of these sections or parts, in the order of the source, each with what it is of."""
        asked = {"among": json.dumps(list(sections))}
        return dict(
            self._database.rows(
                f"SELECT id, section FROM chunks WHERE section {_AMONG} ORDER BY section, position", asked
            )
        )

    def texts(self, chunks: Collection[int]) -> dict[int, str]:
        """Return what these chunks say."""
        asked = {"among": json.dumps(list(chunks))}
        return dict(self._database.rows(f"SELECT id, text FROM chunks WHERE id {_AMONG}", asked))
