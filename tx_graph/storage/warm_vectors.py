"""Vectors of entities kept in memory: a process that asks again and again need not read them each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tx_graph.storage.database import Database
from tx_graph.storage.vector_search import VectorStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST = 50_000
"""Vectors to keep, 77 MB with 384 dimensions; more are searched where they lie."""


class _State(NamedTuple):
    """What is in memory: which version of which model's vectors."""

    version: int
    model: str
    dimension: int


class WarmVectors:
    """Finds the nearest entities: for the first question where they lie, for the next ones in memory.

    That takes a fifth of the time with 20,000 of them; to read them takes as long as two questions.
    """

    def __init__(self, database: Database, store: VectorStore) -> None:
        self._database = database
        self._store = store
        self._asked: _State | None = None
        self._kept: tuple[_State, list[int], NDArray[np.float32]] | None = None

    def nearest(self, vector: bytes, *, model: str, dimension: int, limit: int) -> list[tuple[int, float]]:
        """Return (entity, cosine similarity in [-1, 1]) of what is nearest to `vector`, best first."""
        state = _State(self._version(), model, dimension)
        if self._asked == state and (self._kept is None or self._kept[0] != state):
            self._read(state)
        self._asked = state
        if self._kept is None or self._kept[0] != state:
            return self._store.nearest(vector, model=model, dimension=dimension, allowed=None, limit=limit)
        return _nearest(vector, self._kept[1], self._kept[2], limit)

    def _version(self) -> int:
        return int(self._database.value("SELECT vectors FROM facts_version"))

    def _read(self, state: _State) -> None:
        import numpy as np

        self._kept = None
        rows = self._database.rows(
            """
            SELECT entity_id, vector
            FROM entity_vectors
            WHERE model = :model AND dimension = :dimension
            ORDER BY entity_id
            LIMIT :most + 1
            """,
            {"model": state.model, "dimension": state.dimension, "most": _MOST},
        )
        if 0 < len(rows) <= _MOST:
            matrix = np.frombuffer(b"".join(vector for _, vector in rows), dtype="<f4")
            self._kept = (state, [number for number, _ in rows], matrix.reshape(len(rows), state.dimension))


def _nearest(vector: bytes, numbers: list[int], matrix: NDArray[np.float32], limit: int) -> list[tuple[int, float]]:
    import numpy as np

    similarities = matrix @ np.frombuffer(vector, dtype="<f4")
    few = min(limit, len(numbers))
    best = np.argpartition(-similarities, few - 1)[:few]
    ordered = sorted(best.tolist(), key=lambda place: (-similarities[place], place))
    return [(numbers[place], float(similarities[place])) for place in ordered]
