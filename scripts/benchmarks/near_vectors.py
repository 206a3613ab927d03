"""Gives many texts vectors without embedding them all: each lies near that of one of a few that the model embedded."""

from __future__ import annotations

import numpy as np

from tx_graph.core.database import Database
from tx_graph.vectors.models import open_embedder
from tx_graph.vectors.store import VectorStore, VectorTable

_EMBEDDED, _NOISE = 256, 0.02
"""Texts that the model embeds; all other vectors lie near one of theirs, as far away as the noise per component."""


def save(database: Database, table: VectorTable) -> None:
    """Give everything that a table of vectors is about one of its own."""
    embedder, store = open_embedder(), VectorStore(database, table)
    contents = store.all_contents()
    embedded = embedder.embed([content for _, content in contents[:_EMBEDDED]])
    near = np.frombuffer(b"".join(embedded), dtype="<f4").reshape(len(embedded), -1)
    generator = np.random.default_rng(4)
    vectors = near[np.arange(len(contents)) % len(near)]
    vectors = vectors + generator.normal(scale=_NOISE, size=vectors.shape)
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype("<f4")
    rows = [(number, text, vector.tobytes()) for (number, text), vector in zip(contents, vectors, strict=True)]
    with database.transaction():
        store.save(rows, model=embedder.model, dimension=embedder.dimension)
