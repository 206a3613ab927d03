"""What walking a graph of a million edges costs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.benchmarks import edge_data, edge_database, vocabulary
from scripts.benchmarks.report import Quantity, Row, at_least, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import percentile, timed
from tx_graph.codebase.globs import PathMatcher
from tx_graph.domain.edges import Edge, NodeId
from tx_graph.records.layout import DATABASE, DIRECTORY
from tx_graph.retrieval.expansion import Limits, expand
from tx_graph.services.graph_view import GraphView
from tx_graph.services.search import Query
from tx_graph.storage.anchors import AnchorStore
from tx_graph.storage.database import Database
from tx_graph.storage.edges import EdgeStore
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.nodes import NodeStore
from tx_graph.workspace import open_workspace

_QUESTIONS, _NAMING = 200, 10
"""Questions, of which one in so many names a file."""
_WALKS, _SEEDS = 50, 50
"""Walks, and the learnings that each starts from, as many as a search takes up; it starts from their files too."""
_RRF = 60
_P95 = 0.95


def rows(settings: Settings) -> Iterator[Row]:
    """Yield searches, walks and memory on a graph of a million edges."""
    root = settings.workdir.made("graph", edge_database.make)
    yield _search(root)
    with Database.open(root / DIRECTORY / DATABASE) as database:
        yield from _walks(database)
    yield from _memory(root)


def _search(root: Path) -> Row:
    with open_workspace(root) as workspace:
        workspace.search.run(Query(text="warm up", expansion=Limits()))
        walls = [timed(workspace.search.run, Query(text=text, expansion=Limits())) for text in _questions()]
    return Row(
        what="warm search + expansion depth 2 over 1M edges, p95",
        measured=ms(percentile(walls, _P95)),
        budget=at_most(10, "ms"),
        note=f"p50 {percentile(walls, 0.5):.1f} ms; {edge_database.FILES:,} files, "
        f"{edge_database.LEARNINGS:,} learnings without vectors",
    )


def _questions() -> Iterator[str]:
    """Yield questions, one in ten of which names a file."""
    files = edge_data.paths(edge_database.FILES)
    for number, text in enumerate(vocabulary.questions(_QUESTIONS)):
        named = files[number * len(files) // _QUESTIONS].rpartition("/")[2]
        yield f"{text} {named}" if number % _NAMING == 0 else text


@dataclass(slots=True)
class _Counted:
    """A view of the graph that counts the edges it shows, and the ms it takes to."""

    neighbors_of: Callable[[Collection[NodeId]], list[Edge]]
    edges: int = 0
    most: int = 0
    wall: float = 0.0

    def __call__(self, frontier: Collection[NodeId]) -> list[Edge]:
        start = time.perf_counter()
        found = self.neighbors_of(frontier)
        self.wall += (time.perf_counter() - start) * 1000
        self.edges += len(found)
        self.most = max(self.most, len(found))
        return found


def _walks(database: Database) -> Iterator[Row]:
    nodes = edge_database.learning_nodes(database)
    step = len(nodes) // _WALKS
    counted = [_Counted(_view(database).neighbors_of) for _ in range(_WALKS)]
    walls = []
    for at, seen in enumerate(counted):
        learnings = nodes[at * step :][:_SEEDS]
        files = [edge.target for edge in _view(database).seed_files(learnings)]
        walls.append(timed(expand, _scored([*learnings, *files]), seen, limits=Limits()))
    edges, wall = sum(seen.edges for seen in counted), sum(seen.wall for seen in counted)
    yield Row(
        what="traversal: edges seen per 10 ms",
        measured=Quantity(value=edges / wall * 10, unit="edges"),
        budget=at_least(10_000, "edges"),
        note=f"{edges // _WALKS:,} edges a walk, at most {max(seen.most for seen in counted):,} in one hop",
    )
    yield Row(
        what=f"walk of depth 2 from {_SEEDS} learnings and their files, p95",
        measured=ms(percentile(walls, _P95)),
        note=f"p50 {percentile(walls, 0.5):.1f} ms",
    )


def _scored(nodes: Sequence[NodeId]) -> dict[NodeId, float]:
    """Return the nodes with the scores of a fusion (reciprocal rank, k = 60) of their order."""
    return {node: (_RRF + 1) / (_RRF + rank) for rank, node in enumerate(nodes, start=1)}


def _view(database: Database) -> GraphView:
    return GraphView(
        edges=EdgeStore(database),
        anchors=AnchorStore(database),
        nodes=NodeStore(database),
        learnings=LearningStore(database),
        glob_files=lambda: PathMatcher(()),
    )


def _memory(root: Path) -> Iterator[Row]:
    question = vocabulary.questions(1)[0]
    for kind, what in (("heap", "Python heap, peak (tracemalloc)"), ("resident", "resident set, peak")):
        probe = [sys.executable, "-m", "scripts.benchmarks.memory_probe", kind, str(root), question]
        done = subprocess.run(probe, capture_output=True, check=True)
        first, second = json.loads(done.stdout)
        yield Row(
            what=f"memory of a query above the opened workspace: {what}",
            measured=Quantity(value=first, unit="MB"),
            budget=at_most(10, "MB"),
            note=f"the first in its process, modules included; the second {second:.1f} MB",
        )
