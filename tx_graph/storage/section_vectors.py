"""The vectors of sections, each section as the pieces that were embedded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from tx_graph.domain.edges import NodeId
from tx_graph.storage.database import Database

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionMatrix:
    """Vectors of one dimension as rows, `(n, dimension) float32`, L2-normalised; rows of one section stand together.

    `sections` and `documents` have the nodes of each row.
    """

    sections: Sequence[NodeId]
    documents: Sequence[NodeId]
    vectors: npt.NDArray[np.float32]


class SectionVectorStore:
    """Reads the vectors of all sections at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def matrices(self, *, model: str) -> list[SectionMatrix]:
        """Return the vectors of all sections in the order of documents, one matrix for each dimension."""
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
