"""The chunks of sections, which are found by their words and by their vectors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from heapq import nlargest
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.core.database import Database, Store
from tx_graph.documents.store import AMONG, listed
from tx_graph.graph.edges import NodeId
from tx_graph.graph.fuse import beside, near, places, strongest
from tx_graph.graph.search import Index, Question, Ranked, Source
from tx_graph.graph.word_store import telling_rows, telling_terms, word_rows
from tx_graph.vectors.models import require_runtime

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tx_graph.vectors.embedding import Asked


class ChunkRow(NamedTuple):
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


class SectionMatrix(NamedTuple):
    """Vectors of one dimension as rows, `(n, dimension) float32`, L2-normalised; rows of one section stand together.

    `sections` and `documents` have the nodes of each row.
    """

    sections: Sequence[NodeId]
    documents: Sequence[NodeId]
    vectors: npt.NDArray[np.float32]


_COMMON = 5_000
"""Chunks that may share a word of the question: to score more takes tens of ms, and such a word tells none apart."""
_CHUNKS_EACH = 4  # chunks to look at for each section that is wanted: several chunks of one section count once
_HEADINGS_SHARE = 1.0  # what a word in the headings above a chunk counts beside one in its text


class ChunkStore(Store):
    """Keeps the chunks of sections."""

    def of_sections(self, sections: Collection[NodeId]) -> list[tuple[int, NodeId, str]]:
        """Return (chunk, section, content hash) of every chunk of these sections, by number."""
        return self._database.rows(
            f"SELECT id, section, content_hash FROM chunks WHERE section {AMONG} ORDER BY id", listed(sections)
        )

    def of_documents(self, paths: Collection[str]) -> list[int]:
        """Return the chunks of these documents."""
        rows = self._database.rows(
            f"""
            SELECT c.id
            FROM documents d
            JOIN sections s ON s.document = d.node_id
            JOIN chunks c ON c.section = s.node_id
            WHERE d.path {AMONG}
            ORDER BY c.id
            """,
            listed(paths),
        )
        return [chunk for (chunk,) in rows]

    def sections(self, chunks: Collection[int]) -> dict[int, NodeId]:
        """Return the section or part that each of these chunks is of."""
        return dict(self._database.rows(f"SELECT id, section FROM chunks WHERE id {AMONG}", listed(chunks)))

    def texts(self, chunks: Collection[int]) -> dict[int, str]:
        """Return what these chunks say."""
        return dict(self._database.rows(f"SELECT id, text FROM chunks WHERE id {AMONG}", listed(chunks)))

    def best(self, query: str, *, allowed: Collection[int] | None, limit: int) -> list[tuple[int, float, int | None]]:
        """Return (chunk, share of the query, beside which) of the chunks with a telling word of it, best first.

        A word counts for the chunks of a document that stand beside it too (see `beside`).
        """
        weights = (_HEADINGS_SHARE, 1.0)
        words = [
            word_rows(self._database, "chunks_fts", term, weights, allowed=allowed)
            for term in telling_terms(self._database, "chunks_fts", query, most=_COMMON, takes_common=True)
        ]
        strong = strongest(words)
        totals, givers = beside(words, near(self._places(strong), strong))
        found = totals if allowed is None else totals.keys() & set(allowed)
        best = nlargest(limit, found, key=lambda one: (totals[one], -one))
        return [
            (chunk, score, givers.get(chunk)) for chunk, score in telling_rows([(one, totals[one]) for one in best])
        ]

    def unknown(self, words: Iterable[Sequence[str]]) -> int:
        """Return how many of these words, each in its spellings, no chunk has."""
        found = "SELECT 1 FROM chunks_fts WHERE chunks_fts MATCH ? LIMIT 1"
        asked = (" OR ".join(f'"{one}"' for one in spellings) for spellings in words)
        return sum(not self._database.rows(found, (match,)) for match in asked)

    def _places(self, chunks: Collection[int]) -> dict[int, int]:
        """Return the places of the chunks of the documents that have any of these, in the order of the texts."""
        rows = self._database.rows(
            f"""
            SELECT c.id, s.document
            FROM sections s
            JOIN chunks c ON c.section = s.node_id
            WHERE s.document IN (
                SELECT o.document FROM chunks h JOIN sections o ON o.node_id = h.section WHERE h.id {AMONG}
            )
            ORDER BY s.document, s.position, c.position
            """,
            listed(chunks),
        )
        return places(rows)

    def matrices(self, *, model: str) -> list[SectionMatrix]:
        """Return the vectors of all sections in the order of documents, one matrix for each dimension."""
        require_runtime()
        import numpy as np

        rows = self._database.rows(
            """
            SELECT v.dimension, c.section, s.document, v.vector
            FROM chunk_vectors v
            JOIN chunks c ON c.id = v.chunk_id
            JOIN sections s ON s.node_id = c.section
            JOIN documents d ON d.node_id = s.document
            WHERE v.model = :model
            ORDER BY v.dimension, d.path, s.position, c.position
            """,
            {"model": model},
        )
        found = []
        for dimension, group in groupby(rows, key=itemgetter(0)):
            _, sections, documents, blobs = zip(*group, strict=True)
            vectors = np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(sections), dimension)
            found.append(SectionMatrix(sections=sections, documents=documents, vectors=vectors))
        return found

    def add(self, chunks: Iterable[ChunkRow]) -> None:
        """Insert chunks and make them findable by their words. Needs a transaction."""
        first = int(self._database.value("SELECT ifnull(max(id), 0) + 1 FROM chunks"))
        numbered = list(enumerate(chunks, start=first))
        self._database.write_many(
            "INSERT INTO chunks (id, section, position, content_hash, headings, text) VALUES (?, ?, ?, ?, ?, ?)",
            ((number, *chunk[:5]) for number, chunk in numbered),
        )
        self._database.write_many(
            "INSERT INTO chunks_fts (rowid, headings, text) VALUES (?, ?, ?)",
            ((number, chunk.headings_words, chunk.words) for number, chunk in numbered),
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

    def remove(self, chunks: Collection[int]) -> None:
        """Forget chunks and their words; their vectors must be forgotten first. Needs a transaction."""
        gone = [(chunk,) for chunk in chunks]
        self._database.write_many("DELETE FROM chunks_fts WHERE rowid = ?", gone)
        self._database.write_many("DELETE FROM chunks WHERE id = ?", gone)


def sections(database: Database, asked: Asked | None, *, keyword_weight: float) -> Source:
    """Return sections as a search has them, found by their chunks; `asked` is the question as a vector, if any."""
    chunks = ChunkStore(database)

    def by_words(question: Question, allowed: Collection[int] | None, limit: int) -> Ranked:
        return chunks.best(question.text, allowed=allowed, limit=limit)

    def by_meaning(_: Question, allowed: Collection[int] | None, limit: int) -> Ranked | None:
        return asked.nearest(allowed, limit) if asked else None

    indexes = {
        "words": Index(rows=by_words, share=keyword_weight, each=_CHUNKS_EACH),
        "vectors": Index(rows=by_meaning, share=1 - keyword_weight, each=_CHUNKS_EACH, is_endless=True),
    }
    return Source(indexes, things=chunks.sections)
