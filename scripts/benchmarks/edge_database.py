"""A generated workspace whose graph has a million edges: imports, co-changes and anchors over 100,000 files."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scripts.benchmarks import edge_data, vocabulary
from tx_graph.anchors.fingerprints import content_hash
from tx_graph.code.file_store import FileRow, FileStore
from tx_graph.code.import_store import ImportStore
from tx_graph.core.database import Database
from tx_graph.core.labels import UID_BYTES, uid_from
from tx_graph.core.place import DATABASE, DIRECTORY
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochange_store import CoChangeStore
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints
from tx_graph.records.anchor_store import AnchorStore
from tx_graph.records.learning import Learning
from tx_graph.records.learning_store import LearningStore
from tx_graph.workspace import prepare

FILES = 100_000
IMPORTS, COCHANGES = 600_000, 370_000
LEARNINGS, ANCHORS_EACH = 10_000, 3
_ANCHORED_FILES = 4_000
"""Files that learnings speak of; these alone exist on disk, for their verdicts to be read."""
_SIZES = "sizes.json"
_NOW = "2026-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSize:
    """How many edges a layer has, and the bytes that the database grew by when they were written."""

    name: str
    edges: int
    size: int


def make(root: Path) -> None:
    """Make the workspace: its database in one transaction, and the files that are anchored."""
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    prepare(root)
    files = edge_data.paths(FILES)
    with Database.open(root / DIRECTORY / DATABASE) as database, database.transaction():
        sizes = _fill(database, files, _write_files(root, files))
    (root / _SIZES).write_text(json.dumps(sizes), encoding="utf-8")


def sizes_of(root: Path) -> list[LayerSize]:
    """Return the size of each layer of a workspace made here."""
    return [
        LayerSize(name=name, edges=edges, size=size)
        for name, (edges, size) in json.loads((root / _SIZES).read_text(encoding="utf-8")).items()
    ]


def learning_nodes(database: Database) -> list[int]:
    """Return the nodes of all learnings."""
    uids = [uid for _, uid, _ in LearningStore(database).labels()]
    return sorted(NodeStore(database).find(NodeKind.LEARNING, uids).values())


def register(database: Database, files: Sequence[str]) -> dict[str, int]:
    """Make the files known to the database; return their nodes. Needs a transaction."""
    return FileStore(database).save(FileRow(path=path, language="typescript", size=1, mtime_ns=1) for path in files)


def _fill(database: Database, files: Sequence[str], anchored_files: dict[str, str]) -> dict[str, tuple[int, int]]:
    nodes = register(database, files)
    imported = edge_data.imports(files, count=IMPORTS)
    paired = edge_data.cochanges(files, count=COCHANGES)
    store = ImportStore(database)
    layers: dict[str, tuple[int, Callable[[], None]]] = {
        "imports": (len(imported), lambda: store.replace_edges(list(nodes.values()), imported, (), nodes=nodes)),
        "co-changes": (len(paired), lambda: CoChangeStore(database).replace_all(paired)),
    }
    sizes = {name: (edges, _grown(database, write)) for name, (edges, write) in layers.items()}
    anchors = _write_learnings(database, anchored_files)
    _write_anchors(database, dict.fromkeys(anchors, ()))
    grown = _grown(database, lambda: _write_anchors(database, anchors))
    return sizes | {"anchors": (sum(map(len, anchors.values())), grown)}


def _grown(database: Database, write: Callable[[], None]) -> int:
    before = database_size(database)
    write()
    return database_size(database) - before


def database_size(database: Database) -> int:
    """Return the bytes of the pages in use, those of the transaction under way included."""
    pages = int(database.value("PRAGMA page_count")) - int(database.value("PRAGMA freelist_count"))
    return pages * int(database.value("PRAGMA page_size"))


def _write_files(root: Path, files: Sequence[str]) -> dict[str, str]:
    for path in _anchored_paths(files):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"export const path = {path!r};\n" * 30, encoding="utf-8")
    return _fingerprints(root, files)


def _fingerprints(root: Path, files: Sequence[str]) -> dict[str, str]:
    return {path: content_hash((root / path).read_text("utf-8").removesuffix("\n")) for path in _anchored_paths(files)}


def _anchored_paths(files: Sequence[str]) -> list[str]:
    return [files[n] for n in sorted(np.random.default_rng(7).choice(FILES, _ANCHORED_FILES, replace=False).tolist())]


def _write_learnings(database: Database, anchored_files: dict[str, str]) -> dict[int, tuple[Anchor, ...]]:
    """Write the learnings; return the anchors of each by its node."""
    generator, store = np.random.default_rng(8), LearningStore(database)
    known = list(anchored_files.items())
    anchors: dict[str, tuple[Anchor, ...]] = {}
    for _ in range(LEARNINGS):
        chosen = generator.choice(len(known), ANCHORS_EACH, replace=False).tolist()
        learning = Learning(
            uid=uid_from(generator.bytes(UID_BYTES)),
            content=vocabulary.text(generator, words=int(generator.integers(10, 31))),
            created_at=_NOW,
            anchors=tuple(_anchor(*known[number]) for number in chosen),
        )
        store.save(learning, record="", now=_NOW)
        anchors[learning.uid] = learning.anchors
    nodes = NodeStore(database).find(NodeKind.LEARNING, anchors.keys())
    return {nodes[uid]: tied for uid, tied in anchors.items()}


def _write_anchors(database: Database, anchors: Mapping[int, Sequence[Anchor]]) -> None:
    store = AnchorStore(database)
    for learning, tied in anchors.items():
        store.replace(learning, tied)


def _anchor(path: str, digest: str) -> Anchor:
    return Anchor(path=path, type=AnchorType.HASH, fingerprints=Fingerprints(content=digest))
