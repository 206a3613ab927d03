"""What writing and keeping edges costs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from scripts.benchmarks import edge_data, edge_database, source_tree
from scripts.benchmarks.report import Quantity, Row, at_least, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import percentile, timed
from scripts.opened import open_workspace
from tx_graph.anchors.linking import Linking
from tx_graph.code.import_store import ImportStore
from tx_graph.core.database import Database
from tx_graph.core.place import DATABASE, DIRECTORY
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import Relation
from tx_graph.history.cochange_store import CoChangeStore
from tx_graph.learnings.learnings import Draft
from tx_graph.records.anchor import AnchorRequest
from tx_graph.workspace import prepare

_SINGLE = 300
_LINKS = 50
_BULK_FILES, _BULK_IMPORTS, _BULK_COCHANGES = 20_000, 200_000, 100_000
_P95 = 0.95
_NOW = "2026-01-01T00:00:00Z"


def rows(settings: Settings) -> Iterator[Row]:
    """Yield edges written one at a time and in bulk, and the bytes that each takes."""
    root = settings.workdir.made("graph", edge_database.make)
    with settings.workdir.temporary() as directory:
        copy = directory / DATABASE
        shutil.copy(root / DIRECTORY / DATABASE, copy)
        yield from _single(copy)
        yield _whole_command(directory / "workspace")
        yield from _bulk(directory / "bulk.db")
    yield from _storage(root)


def _single(path: Path) -> Iterator[Row]:
    with Database.open(path) as database:
        nodes = edge_database.learning_nodes(database)
        for mode, budget, start in (("NORMAL", 1, 0), ("FULL", 10, _SINGLE)):
            database.connection.execute(f"PRAGMA synchronous = {mode}")
            walls = [
                timed(_write_edge, database, a, b)
                for a, b in zip(nodes[start:][:_SINGLE], reversed(nodes), strict=False)
            ]
            yield Row(
                what=f"edge creation, a transaction each, synchronous {mode}, p95",
                measured=ms(percentile(walls, _P95)),
                budget=at_most(budget, "ms"),
                note=f"p50 {percentile(walls, 0.5):.2f} ms; among 1M edges",
            )


def _write_edge(database: Database, source: int, target: int) -> None:
    with database.transaction():
        EdgeStore(database).replace_links(source, [(target, Relation.REFERENCES, 1.0)], now=_NOW)


def _whole_command(root: Path) -> Row:
    """Measure what graph:link does: the record, flushed to disk, and its rows."""
    paths = source_tree.write(root, files=_LINKS)
    prepare(root)
    with open_workspace(root) as workspace:
        ref = str(workspace.learnings.add_draft(Draft(content="Everything hangs together.")).stored.id)
        walls = [timed(workspace.kernel.one(Linking).link, ref, AnchorRequest(path=path)) for path in paths]
    return Row(
        what="graph:link in process, its record flushed to disk, p95",
        measured=ms(percentile(walls, _P95)),
        budget=at_most(10, "ms"),
        note=f"p50 {percentile(walls, 0.5):.1f} ms",
    )


def _bulk(path: Path) -> Iterator[Row]:
    files = edge_data.paths(_BULK_FILES)
    imports = edge_data.imports(files, count=_BULK_IMPORTS)
    pairs = edge_data.cochanges(files, count=_BULK_COCHANGES)
    with Database.open(path) as database:
        with database.transaction():
            nodes = edge_database.register(database, files)
        store, sources = ImportStore(database), list(nodes.values())
        written = {
            "imports": (len(imports), lambda: store.replace_edges(sources, imports, (), nodes=nodes)),
            "co-changes": (len(pairs), lambda: CoChangeStore(database).replace_all(pairs)),
        }
        for name, (count, write) in written.items():
            yield _rate(name, count, timed(_in_transaction, database, write))


def _in_transaction(database: Database, write: Callable[[], None]) -> None:
    with database.transaction():
        write()


def _rate(name: str, count: int, wall: float) -> Row:
    return Row(
        what=f"edge creation in bulk, {name}",
        measured=Quantity(value=count / wall * 1000, unit="edges/s"),
        budget=at_least(150_000, "edges/s"),
        note=f"{count:,} in one transaction",
    )


def _storage(root: Path) -> Iterator[Row]:
    layers = edge_database.sizes_of(root)
    edges = sum(layer.edges for layer in layers)
    yield Row(
        what="storage per edge, indexes included",
        measured=Quantity(value=sum(layer.size for layer in layers) / edges, unit="bytes"),
        budget=at_most(80, "bytes"),
        note=f"{edges:,} edges; " + ", ".join(f"{layer.name} {layer.size / layer.edges:.0f}" for layer in layers),
    )
