"""A generated workspace of 10,000 learnings, with and without vectors."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scripts.benchmarks import near_vectors, source_tree, vocabulary
from scripts.opened import open_workspace
from tx_graph.core.database import Database
from tx_graph.core.place import DATABASE, DIRECTORY
from tx_graph.learnings.transfer import Transfer
from tx_graph.vectors.store import LEARNINGS as LEARNING_VECTORS
from tx_graph.workspace import prepare

LEARNINGS = 10_000
_FILES = 2_000
_ANCHORED = 0.6
"""Share of learnings that are anchored, to one or two files."""


def make(root: Path) -> None:
    """Make the workspace, without vectors."""
    paths = source_tree.write(root, files=_FILES)
    prepare(root)
    with open_workspace(root) as workspace:
        workspace.indexing.run()
        workspace.kernel.one(Transfer).import_(_lines(paths))
    with open_workspace(root):  # reads again the records that were too young to be trusted
        pass


def with_vectors(root: Path) -> Path:
    """Return the workspace's second database, whose learnings have vectors; make it if it is missing."""
    path = root / DIRECTORY / "vectors.db"
    if not path.exists():
        unfinished = path.with_suffix(".tmp")
        shutil.copy(root / DIRECTORY / DATABASE, unfinished)
        with Database.open(unfinished) as database:
            near_vectors.save(database, LEARNING_VECTORS)
        unfinished.rename(path)
    return path


def _lines(paths: list[str]) -> Iterator[str]:
    generator = np.random.default_rng(3)
    for number in range(LEARNINGS):
        count = int(generator.integers(1, 3)) if generator.random() < _ANCHORED else 0
        anchors = [paths[int(len(paths) * generator.random() ** 2)] for _ in range(count)]
        content = f"{vocabulary.text(generator, words=int(generator.integers(10, 31)))}, see {number}."
        yield json.dumps({"content": content, "category": f"category {number % 7}", "anchors": sorted(set(anchors))})
