"""What walking a graph of a million edges costs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from scripts.benchmarks import edge_data, edge_database, vocabulary
from scripts.benchmarks.report import Quantity, Row, at_least, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import percentile, timed
from scripts.opened import open_workspace
from tx_graph.context.graph_view import GraphView
from tx_graph.context.search import Query
from tx_graph.core.database import Database
from tx_graph.core.kernel import Kernel, SystemClock
from tx_graph.core.place import DATABASE, DIRECTORY, place_of
from tx_graph.graph.edges import NodeId, Strand
from tx_graph.graph.expand import Ask, Limits, NeighborsOf, Profile, Scoring, explore, scoring_of
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind

_QUESTIONS, _NAMING = 200, 10
"""Questions, of which one in so many names a file."""
_WALKS, _SEEDS, _MANY_SEEDS = 50, 10, 50
"""Walks, and the learnings that each starts from: as many as a search takes up, and five times as many. It starts from
their files too."""
_REPEATS = 5
"""Times that each search and walk is measured, the best of which counts: other work on the machine is not what is asked
about."""
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
        queries = [Query(text=text, expansion=Limits()) for text in _questions()]
        walls = [min(timed(workspace.search.run, query) for _ in range(_REPEATS)) for query in queries]
    return Row(
        what="warm search + expansion depth 2 over 1M edges, p95",
        measured=ms(percentile(walls, _P95)),
        budget=at_most(10, "ms"),
        note=f"p50 {percentile(walls, 0.5):.1f} ms; {edge_database.FILES:,} files, "
        f"{edge_database.LEARNINGS:,} learnings without vectors; the best of {_REPEATS} times",
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

    neighbors_of: NeighborsOf
    edges: int = 0
    wall: float = 0.0

    def __call__(self, ask: Ask) -> list[Strand]:
        start = time.perf_counter()
        found = list(self.neighbors_of(ask))
        self.wall += (time.perf_counter() - start) * 1000
        self.edges += sum(len(strand.rows) for strand in found)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Start:
    """What walks start from: how many learnings with all their files, or a hub of `edge_data.HUB_EDGES` neighbours."""

    what: str
    seeds: Sequence[Mapping[NodeId, float]]
    is_judged: bool = False


def _walks(database: Database) -> Iterator[Row]:
    """Yield for each profile what walks cost: as searches make them, from many more seeds, and from hubs."""
    starts = (
        _Start(
            what=f"{_SEEDS} learnings and their files", seeds=_from_learnings(database, seeds=_SEEDS), is_judged=True
        ),
        _Start(what="a hub of 10,000 neighbours", seeds=_from_hubs(database), is_judged=True),
        _Start(what=f"{_MANY_SEEDS} learnings and their files", seeds=_from_learnings(database, seeds=_MANY_SEEDS)),
    )
    seen: dict[tuple[str, Profile], list[_Counted]] = {}
    for start in starts:
        for profile in Profile:
            walks = seen[start.what, profile] = []
            yield _walked(database, start, scoring_of(profile), walks, name=profile.value)
    widest = seen[starts[-1].what, Profile.DECAY]
    every = [one for walks in seen.values() for one in walks]
    yield Row(
        what=f"traversal: edges seen per 10 ms, decay, from {starts[-1].what}",
        measured=Quantity(value=_rate(widest), unit="edges"),
        budget=at_least(10_000, "edges"),
        note=f"{_rate(every):,.0f} in all walks above, of which many ask about learnings with three edges",
    )
    yield from (_heap_of_a_walk(database, starts, profile) for profile in Profile)


def _walked(database: Database, start: _Start, scoring: Scoring, seen: list[_Counted], *, name: str) -> Row:
    walls: list[float] = []
    counted: list[_Counted] = []
    for seeds in start.seeds:
        repeated = [_timed_walk(database, seeds, scoring) for _ in range(_REPEATS)]
        wall, best = min(repeated, key=itemgetter(0))
        walls.append(wall)
        counted.append(best)
    seen += counted
    edges = sum(one.edges for one in counted)
    return Row(
        what=f"expansion depth 2, {name}, from {start.what}, p95",
        measured=ms(percentile(walls, _P95)),
        budget=at_most(10, "ms") if start.is_judged else None,
        note=f"p50 {percentile(walls, 0.5):.1f} ms; {edges // len(counted):,} edges each; the best of {_REPEATS} times",
    )


def _timed_walk(database: Database, seeds: Mapping[NodeId, float], scoring: Scoring) -> tuple[float, _Counted]:
    view = _view(database)
    counted = _Counted(view.neighbors_of)
    options = {"limits": Limits(), "scoring": scoring, "degrees_of": view.degrees}
    wall = timed(lambda: explore(seeds, counted, **options).reached())  # type: ignore[arg-type]
    return wall, counted


def _rate(walks: Sequence[_Counted]) -> float:
    """Return the edges seen in 10 ms of asking for them."""
    return sum(one.edges for one in walks) / sum(one.wall for one in walks) * 10


def _heap_of_a_walk(database: Database, starts: Sequence[_Start], profile: Profile) -> Row:
    """Measure the most that any of the walks takes."""
    peaks = []
    for seeds in (seeds for start in starts for seeds in start.seeds[:5]):
        tracemalloc.start()
        _timed_walk(database, seeds, scoring_of(profile))
        peaks.append(tracemalloc.get_traced_memory()[1] / 2**20)
        tracemalloc.stop()
    return Row(
        what=f"memory of an expansion, {profile}: Python heap, peak (tracemalloc)",
        measured=Quantity(value=max(peaks), unit="MB"),
        budget=at_most(10, "MB"),
        note=f"the most of {len(peaks)} walks",
    )


def _from_learnings(database: Database, *, seeds: int) -> list[dict[NodeId, float]]:
    nodes = edge_database.learning_nodes(database)
    step = len(nodes) // _WALKS
    starts = [nodes[at * step :][:seeds] for at in range(_WALKS)]
    return [_scored([*one, *(edge.target for edge in _view(database).seed_files(one))]) for one in starts]


def _from_hubs(database: Database) -> list[dict[NodeId, float]]:
    paths = edge_data.paths(edge_database.FILES)[: edge_data.HUBS]
    return [{node: 1.0} for node in NodeStore(database).find(NodeKind.FILE, paths).values()]


def _scored(nodes: Sequence[NodeId]) -> dict[NodeId, float]:
    """Return the nodes with the scores of a fusion (reciprocal rank, k = 60) of their order."""
    return {node: (_RRF + 1) / (_RRF + rank) for rank, node in enumerate(nodes, start=1)}


def _view(database: Database) -> GraphView:
    place = place_of(database.path.parent.parent)
    return GraphView(Kernel(place, database=database, clock=SystemClock()))


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
