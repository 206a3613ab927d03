"""Embeddings as rows, and the nearest of them: by sqlite-vec where it loads, else exactly in numpy."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from tx_graph.storage.database import Database
from tx_graph.storage.visibility import SHOWN, WITHHELD_COUNT

_LARGEST_K = 4096
"""Most neighbours vec0 returns for one question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorStatus:
    """How many vectors are stored for a model and dimension."""

    model: str
    dimension: int
    count: int


def content_hash(content: str) -> str:
    """Return the SHA-256 of a learning's content, in hexadecimal: what says that its vector still fits."""
    import hashlib

    return hashlib.sha256(content.encode()).hexdigest()


class VectorStore:
    """Keeps one vector per learning and finds the nearest; vectors of different models are never compared."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, vectors: Iterable[tuple[int, str, bytes]], *, model: str, dimension: int) -> None:
        """Store (number, content, vector) rows, replacing older vectors. Needs a transaction."""
        rows = [(number, model, dimension, content_hash(content), vector) for number, content, vector in vectors]
        self._database.write_many(
            """
            INSERT OR REPLACE INTO learning_vectors (learning_id, model, dimension, content_hash, vector)
            VALUES (?, ?, ?, ?, ?)
            """,
            rows,
        )
        if not self._database.has_vectors:
            self._database.write("UPDATE vector_index_state SET stale = 1")
        elif self._index_serves(model, dimension):
            self._database.write_many(
                "DELETE FROM learning_vector_index WHERE learning_id = ?", ((r[0],) for r in rows)
            )
            self._database.write_many(_INDEX_ONE, ((row[0], row[4]) for row in rows))
        else:
            self._rebuild_index(model, dimension)

    def forget_changed(self, number: int, content: str) -> None:
        """Drop the vector of a learning whose content is no longer the one embedded. Needs a transaction."""
        changed = self._database.write(
            "DELETE FROM learning_vectors WHERE learning_id = ? AND content_hash <> ?", (number, content_hash(content))
        )
        if not changed:
            return
        if self._database.has_vectors and self._state() is not None:
            self._database.write("DELETE FROM learning_vector_index WHERE learning_id = ?", (number,))
        else:
            self._database.write("UPDATE vector_index_state SET stale = 1")

    def nearest(
        self, vector: bytes, *, model: str, dimension: int, allowed: Collection[int] | None, limit: int
    ) -> list[tuple[int, float]]:
        """Return (number, cosine similarity in [-1, 1]) of the learnings nearest to `vector`, best first."""
        if not self._database.has_vectors:
            return self._nearest_in_numpy(vector, model=model, dimension=dimension, allowed=allowed, limit=limit)
        withheld = int(self._database.value(f"SELECT {WITHHELD_COUNT}")) if allowed is None else 0
        if self._index_serves(model, dimension) and limit + withheld <= _LARGEST_K:
            return self._nearest_by_index(vector, allowed=allowed, limit=limit, extra=withheld)
        return self._nearest_by_scan(vector, model=model, dimension=dimension, allowed=allowed, limit=limit)

    def _nearest_by_index(
        self, vector: bytes, *, allowed: Collection[int] | None, limit: int, extra: int
    ) -> list[tuple[int, float]]:
        narrowed = "" if allowed is None else "AND learning_id IN (SELECT value FROM json_each(:allowed))"
        shown = SHOWN if allowed is None else "1"
        return self._database.rows(
            f"""
            SELECT l.id, 1 - n.distance
            FROM (
                SELECT learning_id, distance
                FROM learning_vector_index
                WHERE embedding MATCH :vector AND k = :k {narrowed}
            ) n
            JOIN learnings l ON l.id = n.learning_id
            WHERE {shown}
            ORDER BY n.distance, l.id
            LIMIT :limit
            """,
            {"vector": vector, "k": limit + extra, "allowed": json.dumps(list(allowed or ())), "limit": limit},
        )

    def _nearest_by_scan(
        self, vector: bytes, *, model: str, dimension: int, allowed: Collection[int] | None, limit: int
    ) -> list[tuple[int, float]]:
        return self._database.rows(
            f"""
            SELECT l.id, 1 - vec_distance_cosine(v.vector, :vector) AS similarity
            FROM learning_vectors v
            JOIN learnings l ON l.id = v.learning_id
            WHERE v.model = :model AND v.dimension = :dimension AND {_narrowed(allowed)}
            ORDER BY similarity DESC, l.id
            LIMIT :limit
            """,
            {
                "vector": vector,
                "model": model,
                "dimension": dimension,
                "allowed": json.dumps(list(allowed or ())),
                "limit": limit,
            },
        )

    def _nearest_in_numpy(
        self, vector: bytes, *, model: str, dimension: int, allowed: Collection[int] | None, limit: int
    ) -> list[tuple[int, float]]:
        import numpy as np

        rows = self._database.rows(
            f"""
            SELECT l.id, v.vector
            FROM learning_vectors v
            JOIN learnings l ON l.id = v.learning_id
            WHERE v.model = :model AND v.dimension = :dimension AND {_narrowed(allowed)}
            ORDER BY l.id
            """,
            {"model": model, "dimension": dimension, "allowed": json.dumps(list(allowed or ()))},
        )
        if not rows:
            return []
        matrix = np.frombuffer(b"".join(blob for _, blob in rows), dtype="<f4").reshape(len(rows), dimension)
        similarities = matrix @ np.frombuffer(vector, dtype="<f4")
        best = np.argsort(-similarities, kind="stable")[:limit]
        return [(rows[place][0], float(similarities[place])) for place in best]

    def lacking(self, model: str) -> list[tuple[int, str]]:
        """Return (number, content) of the present learnings that have no vector of this model."""
        return self._database.rows(
            """
            SELECT l.id, l.content
            FROM learnings l
            LEFT JOIN learning_vectors v ON v.learning_id = l.id AND v.model = :model
            WHERE l.present = 1 AND v.learning_id IS NULL
            ORDER BY l.id
            """,
            {"model": model},
        )

    def lacking_count(self, model: str) -> int:
        """Return how many present learnings have no vector of this model.

        Every search says so: only indexes are counted, since to ask each of 10,000 learnings takes 2 ms.
        """
        return int(
            self._database.value(
                """
                SELECT (SELECT count(*) FROM learnings)
                     - (SELECT count(*) FROM learnings WHERE present = 0)
                     - (SELECT count(*) FROM learning_vectors WHERE model = :model)
                     + (SELECT count(*)
                        FROM learning_vectors
                        WHERE model = :model AND learning_id IN (SELECT id FROM learnings WHERE present = 0))
                """,
                {"model": model},
            )
        )

    def all_contents(self) -> list[tuple[int, str]]:
        """Return (number, content) of every present learning."""
        return self._database.rows("SELECT id, content FROM learnings WHERE present = 1 ORDER BY id")

    def status(self) -> list[VectorStatus]:
        """Return what is stored for present learnings, by model."""
        return [
            VectorStatus(model=model, dimension=dimension, count=count)
            for model, dimension, count in self._database.rows(
                """
                SELECT v.model, v.dimension, count(*)
                FROM learning_vectors v
                JOIN learnings l ON l.id = v.learning_id AND l.present = 1
                GROUP BY v.model, v.dimension
                ORDER BY v.model, v.dimension
                """
            )
        ]

    def any_of(self, model: str) -> bool:
        """Whether there is any vector of this model: without one, loading the model would be in vain."""
        return self._database.value("SELECT 1 FROM learning_vectors WHERE model = ? LIMIT 1", (model,)) is not None

    def _state(self) -> tuple[str, int, int] | None:
        return self._database.row("SELECT model, dimension, stale FROM vector_index_state")

    def _index_serves(self, model: str, dimension: int) -> bool:
        return self._state() == (model, dimension, 0)

    def _rebuild_index(self, model: str, dimension: int) -> None:
        self._database.write("DROP TABLE IF EXISTS learning_vector_index")
        self._database.write(
            f"""
            CREATE VIRTUAL TABLE learning_vector_index
            USING vec0 (learning_id INTEGER PRIMARY KEY, embedding float[{dimension:d}] distance_metric=cosine)
            """
        )
        self._database.write(
            """
            INSERT INTO learning_vector_index (learning_id, embedding)
            SELECT learning_id, vector FROM learning_vectors WHERE model = ? AND dimension = ?
            """,
            (model, dimension),
        )
        self._database.write(
            "INSERT OR REPLACE INTO vector_index_state (id, model, dimension, stale) VALUES (1, ?, ?, 0)",
            (model, dimension),
        )


_INDEX_ONE = "INSERT INTO learning_vector_index (learning_id, embedding) VALUES (?, ?)"


def _narrowed(allowed: Collection[int] | None) -> str:
    return SHOWN if allowed is None else "l.id IN (SELECT value FROM json_each(:allowed))"
