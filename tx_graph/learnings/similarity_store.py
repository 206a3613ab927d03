"""How alike learnings are: their vectors two by two, and the SIMILAR_TO edges that an analysis derives from them."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.core.database import Store
from tx_graph.core.dataclass import dataclass
from tx_graph.graph.edge_statements import SHOWN
from tx_graph.graph.edges import NodeId
from tx_graph.vectors.models import has_runtime, require_runtime

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Vectors of one dimension as rows, `(n, dimension) float32`, L2-normalised, with the number of each learning."""

    numbers: Sequence[int]
    vectors: npt.NDArray[np.float32]


class SimilarEdge(NamedTuple):
    """A SIMILAR_TO edge, smaller node first; `basis` says what the weight in [0, 1] is: `cosine` or `words`."""

    source: NodeId
    target: NodeId
    weight: float
    basis: str


class SimilarityStore(Store):
    """Compares vectors, and keeps what an analysis found alike."""

    def cosines(self, numbers: Collection[int], *, model: str) -> dict[tuple[int, int], float]:
        """Return the cosine similarity in [-1, 1] of each two of these learnings, the smaller number first.

        A learning without a vector of this model is in no pair, and none is where nothing can compare vectors.
        """
        if not (self._database.has_vectors or has_runtime()):
            return {}
        # Numpy takes a fortieth of the time, but for its import, which takes as long as twenty such questions.
        if not self._database.has_vectors or "numpy" in sys.modules:
            return self._cosines_in_numpy(numbers, model=model)
        rows = self._database.rows(
            """
            WITH chosen AS MATERIALIZED (
                SELECT learning_id, dimension, vector
                FROM learning_vectors
                WHERE model = :model AND learning_id IN (SELECT value FROM json_each(:numbers))
            )
            SELECT a.learning_id, b.learning_id, 1 - vec_distance_cosine(a.vector, b.vector)
            FROM chosen a
            JOIN chosen b ON b.learning_id > a.learning_id AND b.dimension = a.dimension
            """,
            {"model": model, "numbers": json.dumps(list(numbers))},
        )
        return {(one, other): cosine for one, other, cosine in rows}

    def _cosines_in_numpy(self, numbers: Collection[int], *, model: str) -> dict[tuple[int, int], float]:
        found: dict[tuple[int, int], float] = {}
        for matrix in self.matrices(model=model, numbers=numbers):
            alike = (matrix.vectors @ matrix.vectors.T).tolist()
            for row, one in enumerate(matrix.numbers):
                found |= {(one, other): alike[row][row + 1 + n] for n, other in enumerate(matrix.numbers[row + 1 :])}
        return found

    def matrices(self, *, model: str, numbers: Collection[int] | None = None) -> list[Matrix]:
        """Return the vectors of these learnings, or of all that answers show, one matrix for each dimension."""
        require_runtime()
        import numpy as np

        chosen = SHOWN if numbers is None else "l.id IN (SELECT value FROM json_each(:numbers))"
        rows = self._database.rows(
            f"""
            SELECT v.dimension, l.id, v.vector
            FROM learning_vectors v
            JOIN learnings l ON l.id = v.learning_id
            WHERE v.model = :model AND {chosen}
            ORDER BY v.dimension, l.id
            """,
            {"model": model, "numbers": json.dumps(list(numbers or ()))},
        )
        found = []
        for dimension, group in groupby(rows, key=itemgetter(0)):
            _, ids, blobs = zip(*group, strict=True)
            vectors = np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(ids), dimension)
            found.append(Matrix(numbers=ids, vectors=vectors))
        return found

    def shown_contents(self) -> list[tuple[int, NodeId, str]]:
        """Return (number, node, content) of every learning that answers show, by number."""
        return self._database.rows(f"SELECT l.id, l.node_id, l.content FROM learnings l WHERE {SHOWN} ORDER BY l.id")

    def replace(self, edges: Iterable[SimilarEdge], *, now: str) -> None:
        """Make these the only SIMILAR_TO edges. Needs a transaction."""
        self._database.write("DELETE FROM learning_edges WHERE edge_type = 'SIMILAR_TO'")
        self._database.write_many(
            """
            INSERT INTO learning_edges (source, target, edge_type, weight, metadata, created_at)
            VALUES (?, ?, 'SIMILAR_TO', ?, json_object('basis', ?), ?)
            """,
            [(*edge, now) for edge in edges],
        )

    def edges(self) -> list[SimilarEdge]:
        """Return the SIMILAR_TO edges between learnings that answers show, most alike first."""
        rows = self._database.rows(
            f"""
            SELECT e.source, e.target, e.weight, json_extract(e.metadata, '$.basis')
            FROM learning_edges e
            JOIN learnings l ON l.node_id = e.source AND {SHOWN}
            WHERE e.edge_type = 'SIMILAR_TO' AND e.invalidated_at IS NULL
              AND e.target IN (SELECT l.node_id FROM learnings l WHERE {SHOWN})
            ORDER BY e.weight DESC, e.source, e.target
            """
        )
        return [SimilarEdge._make(row) for row in rows]
