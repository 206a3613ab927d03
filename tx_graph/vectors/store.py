"""Embeddings as rows, and the nearest of them: by sqlite-vec where it loads, else exactly in numpy."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from tx_graph.core.database import Database
from tx_graph.core.dataclass import dataclass
from tx_graph.core.labels import DEFAULT_TYPE
from tx_graph.graph.edge_statements import SHOWN, WITHHELD_COUNT


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorTable:
    """One table of vectors and the sqlite-vec index over it, as parts of statements.

    `subject` is its row of `vector_index_state`, `key` the column that says what each vector is of: the id of a row
    `l` of `things`. `text` is what of such a row is embedded, `shown` the condition for those that answers show,
    `withheld` how many others there are, and `absent` the condition for those that count nowhere.
    `unchanged` is the condition under which a vector made of text with the SHA-256 `:hash` is still that of `:id`.
    """

    subject: str
    vectors: str
    index: str
    key: str
    things: str
    text: str
    shown: str = "1"
    withheld: str = "0"
    absent: str = "0"
    unchanged: str = "1"


LEARNINGS = VectorTable(
    subject="learnings",
    vectors="learning_vectors",
    index="learning_vector_index",
    key="learning_id",
    things="learnings",
    text="l.content",
    shown=SHOWN,
    withheld=WITHHELD_COUNT,
    absent="present = 0",
)
CHUNKS = VectorTable(
    subject="chunks",
    vectors="chunk_vectors",
    index="chunk_vector_index",
    key="chunk_id",
    things="chunks",
    text="l.headings || char(10) || l.text",
    # Numbers of chunks are given out again, and another process may ingest while this one embeds.
    unchanged="EXISTS (SELECT 1 FROM chunks WHERE id = :id AND content_hash = :hash)",
)
_NAMED = "SELECT alias FROM entity_aliases WHERE entity = l.id ORDER BY key"
_ALIASES = f"(SELECT group_concat(alias, ', ') FROM ({_NAMED}))"
ENTITIES = VectorTable(
    subject="entities",
    vectors="entity_vectors",
    index="entity_vector_index",
    key="entity_id",
    things="(SELECT node_id AS id, name, type, description FROM entities)",
    text=(
        f"l.name || iif(l.type = '{DEFAULT_TYPE}', '', ' (' || l.type || ')') "
        f"|| coalesce(', ' || {_ALIASES}, '') "
        "|| iif(l.description = '', '', ': ' || l.description)"
    ),
    # One that was removed, or merged into another, while it was embedded.
    unchanged="EXISTS (SELECT 1 FROM entities WHERE node_id = :id)",
)
CARDS = VectorTable(
    subject="cards",
    vectors="card_vectors",
    index="card_vector_index",
    key="card_id",
    things="file_cards",
    # What a file is called and declares first says what it is about; more takes longer to embed and tells less.
    text="substr(l.text, 1, 400)",
    unchanged="EXISTS (SELECT 1 FROM file_cards WHERE id = :id)",
)
FACTS = VectorTable(
    subject="facts",
    vectors="fact_vectors",
    index="fact_vector_index",
    key="fact_id",
    things="facts",
    # A value may be as long as a page; what it is about stands in its beginning.
    text="""l.subject_name || ' ' || replace(l.predicate, '_', ' ') || ': '
        || coalesce(l.object_name, substr(l.value, 1, 400))""",
    shown="l.present = 1 AND l.status IN ('staged', 'confirmed')",
    withheld="(SELECT count(*) FROM facts WHERE present = 0 OR status NOT IN ('staged', 'confirmed'))",
    absent="present = 0",
    unchanged="EXISTS (SELECT 1 FROM facts WHERE id = :id)",
)


_TOGETHER = 128  # vectors for which vec0 makes room at once; its own 1,024 take 1.6 MB where there are ten
_LARGEST_K = 4096  # most neighbours vec0 returns for one question


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorStatus:
    """How many vectors are stored for a model and dimension."""

    model: str
    dimension: int
    count: int


def content_hash(content: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal: what says that its vector still fits."""
    import hashlib

    return hashlib.sha256(content.encode()).hexdigest()


class VectorStore:
    """Keeps one vector for each thing of one sort, by its number, and finds the nearest among those of one model."""

    def __init__(self, database: Database, table: VectorTable = LEARNINGS) -> None:
        self._database = database
        self._table = table

    def save(self, vectors: Iterable[tuple[int, str, bytes]], *, model: str, dimension: int) -> None:
        """Store (number, embedded text, vector) rows, but of what has another text by now. Needs a transaction."""
        table = self._table
        rows = [(number, content_hash(text), vector) for number, text, vector in vectors]
        if table.unchanged != "1":
            fits = f"SELECT {table.unchanged}"
            rows = [row for row in rows if self._database.value(fits, {"id": row[0], "hash": row[1]})]
        self._database.write_many(
            f"""
            INSERT OR REPLACE INTO {table.vectors} ({table.key}, model, dimension, content_hash, vector)
            VALUES (?, ?, ?, ?, ?)
            """,
            ((number, model, dimension, digest, vector) for number, digest, vector in rows),
        )
        if not self._database.has_vectors:
            self._mark_stale()
        elif self._index_serves(model, dimension):
            self._take_out_of_index([number for number, _, _ in rows])
            self._database.write_many(
                f"INSERT INTO {table.index} ({table.key}, embedding) VALUES (?, ?)",
                ((number, vector) for number, _, vector in rows),
            )
        else:
            self._rebuild_index(model, dimension)

    def forget_changed(self, number: int, text: str) -> None:
        """Drop the vector of a thing whose text is no longer the one embedded. Needs a transaction."""
        changed = self._database.write(
            f"DELETE FROM {self._table.vectors} WHERE {self._table.key} = ? AND content_hash <> ?",
            (number, content_hash(text)),
        )
        if changed:
            self._take_out_of_index([number])

    def forget(self, numbers: Collection[int]) -> None:
        """Drop the vectors of these things, which are about to be deleted. Needs a transaction."""
        having = f"{self._table.key} IN (SELECT value FROM json_each(?))"
        if self._database.write(f"DELETE FROM {self._table.vectors} WHERE {having}", (json.dumps(list(numbers)),)):
            self._take_out_of_index(numbers)

    def prune(self) -> int:
        """Drop the vectors of what is gone without a word; return how many. Needs a transaction."""
        lost = f"SELECT {self._table.key} FROM {self._table.vectors} WHERE {self._table.key} NOT IN "
        numbers = [number for (number,) in self._database.rows(f"{lost} (SELECT id FROM {self._table.things})")]
        self.forget(numbers)
        return len(numbers)

    def nearest(
        self, vector: bytes, *, model: str, dimension: int, allowed: Collection[int] | None, limit: int
    ) -> list[tuple[int, float]]:
        """Return (number, cosine in [-1, 1]) of the nearest that are shown, or among `allowed`, best first."""
        table = self._table
        asked = {
            "vector": vector,
            "model": model,
            "dimension": dimension,
            "allowed": json.dumps(list(allowed or ())),
            "limit": limit,
        }
        stored = f"""
            FROM {table.vectors} v
            JOIN {table.things} l ON l.id = v.{table.key}
            WHERE v.model = :model AND v.dimension = :dimension
              AND {table.shown if allowed is None else "l.id IN (SELECT value FROM json_each(:allowed))"}
        """
        if not self._database.has_vectors:
            import numpy as np

            rows = self._database.rows(f"SELECT l.id, v.vector {stored} ORDER BY l.id", asked)
            matrix = np.frombuffer(b"".join(blob for _, blob in rows), dtype="<f4").reshape(len(rows), dimension)
            similarities = matrix @ np.frombuffer(vector, dtype="<f4")
            best = np.argsort(-similarities, kind="stable")[:limit]
            return [(rows[place][0], float(similarities[place])) for place in best]
        withheld = int(self._database.value(f"SELECT {table.withheld}")) if allowed is None else 0
        if self._index_serves(model, dimension) and limit + withheld <= _LARGEST_K:
            narrowed = "" if allowed is None else f"AND {table.key} IN (SELECT value FROM json_each(:allowed))"
            return self._database.rows(
                f"""
                SELECT l.id, 1 - n.distance
                FROM (
                    SELECT {table.key} AS number, distance
                    FROM {table.index}
                    WHERE embedding MATCH :vector AND k = :k {narrowed}
                ) n
                JOIN {table.things} l ON l.id = n.number
                WHERE {table.shown if allowed is None else "1"}
                ORDER BY n.distance, l.id
                LIMIT :limit
                """,
                asked | {"k": limit + withheld},
            )
        return self._database.rows(
            f"""
            SELECT l.id, 1 - vec_distance_cosine(v.vector, :vector) AS similarity
            {stored}
            ORDER BY similarity DESC, l.id
            LIMIT :limit
            """,
            asked,
        )

    def lacking(self, model: str, *, among: Collection[int] | None = None) -> list[tuple[int, str]]:
        """Return (number, text) of the present things, or of those among some, that have no vector of this model."""
        narrowed = "" if among is None else "AND l.id IN (SELECT value FROM json_each(:among))"
        return self._texts(
            f"""
            LEFT JOIN {self._table.vectors} v ON v.{self._table.key} = l.id AND v.model = :model
            WHERE NOT ({self._table.absent}) AND v.{self._table.key} IS NULL {narrowed}
            """,
            model=model,
            among=json.dumps(list(among or ())),
        )

    def lacking_count(self, model: str) -> int:
        """Return how many present things lack a vector of this model, by indexes alone: every search asks."""
        table = self._table
        return int(
            self._database.value(
                f"""
                SELECT (SELECT count(*) FROM {table.things})
                     - (SELECT count(*) FROM {table.things} WHERE {table.absent})
                     - (SELECT count(*) FROM {table.vectors} WHERE model = :model)
                     + (SELECT count(*)
                        FROM {table.vectors}
                        WHERE model = :model AND {table.key} IN (SELECT id FROM {table.things} WHERE {table.absent}))
                """,
                {"model": model},
            )
        )

    def all_contents(self) -> list[tuple[int, str]]:
        """Return (number, text) of every present thing."""
        return self._texts(f"WHERE NOT ({self._table.absent})")

    def _texts(self, condition: str, **asked: str) -> list[tuple[int, str]]:
        return self._database.rows(
            f"SELECT l.id, {self._table.text} FROM {self._table.things} l {condition} ORDER BY l.id", asked
        )

    def status(self) -> list[VectorStatus]:
        """Return what is stored for present things, by model."""
        rows = self._database.rows(
            f"""
            SELECT v.model, v.dimension, count(*)
            FROM {self._table.vectors} v
            JOIN {self._table.things} l ON l.id = v.{self._table.key} AND NOT ({self._table.absent})
            GROUP BY v.model, v.dimension
            ORDER BY v.model, v.dimension
            """
        )
        return [VectorStatus(model=model, dimension=dimension, count=count) for model, dimension, count in rows]

    def any_of(self, model: str) -> bool:
        """Whether there is any vector of this model: without one, loading the model would be in vain."""
        asked = f"SELECT 1 FROM {self._table.vectors} WHERE model = ? LIMIT 1"
        return self._database.value(asked, (model,)) is not None

    def _state(self) -> tuple[str, int, int] | None:
        asked = "SELECT model, dimension, stale FROM vector_index_state WHERE subject = ?"
        return self._database.row(asked, (self._table.subject,))

    def _index_serves(self, model: str, dimension: int) -> bool:
        return self._state() == (model, dimension, 0)

    def _mark_stale(self) -> None:
        self._database.write("UPDATE vector_index_state SET stale = 1 WHERE subject = ?", (self._table.subject,))

    def _take_out_of_index(self, numbers: Iterable[int]) -> None:
        if self._database.has_vectors and self._state() is not None:
            self._database.write_many(
                f"DELETE FROM {self._table.index} WHERE {self._table.key} = ?", ((number,) for number in numbers)
            )
        else:
            self._mark_stale()

    def _rebuild_index(self, model: str, dimension: int) -> None:
        table = self._table
        self._database.write(f"DROP TABLE IF EXISTS {table.index}")
        self._database.write(
            f"""
            CREATE VIRTUAL TABLE {table.index}
            USING vec0 (
                {table.key} INTEGER PRIMARY KEY,
                embedding float[{dimension:d}] distance_metric=cosine,
                chunk_size={_TOGETHER}
            )
            """
        )
        self._database.write(
            f"""
            INSERT INTO {table.index} ({table.key}, embedding)
            SELECT {table.key}, vector FROM {table.vectors} WHERE model = ? AND dimension = ?
            """,
            (model, dimension),
        )
        self._database.write(
            "INSERT OR REPLACE INTO vector_index_state (subject, model, dimension, stale) VALUES (?, ?, ?, 0)",
            (table.subject, model, dimension),
        )
