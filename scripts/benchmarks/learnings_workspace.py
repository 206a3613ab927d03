"""A generated workspace of 10,000 learnings, with and without vectors."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scripts.benchmarks import source_tree, vocabulary
from tx_graph.embeddings import open_embedder
from tx_graph.records.layout import DATABASE, DIRECTORY
from tx_graph.services.setup import prepare
from tx_graph.storage.database import Database
from tx_graph.storage.vector_search import VectorStore
from tx_graph.workspace import open_workspace

LEARNINGS = 10_000
_FILES = 2_000
_ANCHORED = 0.6
"""Share of learnings that are anchored, to one or two files."""
_EMBEDDED, _NOISE = 256, 0.02
"""Texts that the model embeds; all other vectors lie near one of theirs, as far away as the noise per component."""


def make(root: Path) -> None:
    """Make the workspace, without vectors."""
    paths = source_tree.write(root, files=_FILES)
    prepare(root)
    with open_workspace(root) as workspace:
        workspace.indexing.run()
        workspace.importing.run(_lines(paths))
    with open_workspace(root):  # reads again the records that were too young to be trusted
        pass


def with_vectors(root: Path) -> Path:
    """Return the workspace's second database, whose learnings have vectors; make it if it is missing."""
    path = root / DIRECTORY / "vectors.db"
    if not path.exists():
        unfinished = path.with_suffix(".tmp")
        shutil.copy(root / DIRECTORY / DATABASE, unfinished)
        with Database.open(unfinished) as database:
            _save_vectors(database)
        unfinished.rename(path)
    return path


def _lines(paths: list[str]) -> Iterator[str]:
    generator = np.random.default_rng(3)
    for number in range(LEARNINGS):
        count = int(generator.integers(1, 3)) if generator.random() < _ANCHORED else 0
        anchors = [paths[int(len(paths) * generator.random() ** 2)] for _ in range(count)]
        content = f"{vocabulary.text(generator, words=int(generator.integers(10, 31)))}, see {number}."
        yield json.dumps({"content": content, "category": f"category {number % 7}", "anchors": sorted(set(anchors))})


def _save_vectors(database: Database) -> None:
    embedder, store = open_embedder(), VectorStore(database)
    contents = store.all_contents()
    embedded = embedder.embed([content for _, content in contents[:_EMBEDDED]])
    near = np.frombuffer(b"".join(embedded), dtype="<f4").reshape(_EMBEDDED, -1)
    generator = np.random.default_rng(4)
    vectors = near[np.arange(len(contents)) % _EMBEDDED]
    vectors = vectors + generator.normal(scale=_NOISE, size=vectors.shape)
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype("<f4")
    rows = [(number, text, vector.tobytes()) for (number, text), vector in zip(contents, vectors, strict=True)]
    with database.transaction():
        store.save(rows, model=embedder.model, dimension=embedder.dimension)
