"""Ranks files: which of them a question, or the files that are open, are about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from tx_graph.domain.edges import Direction, EdgeType, NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.ports import Clock
from tx_graph.retrieval.expansion import Limits, Spread
from tx_graph.retrieval.expansion.asking import nothing_known
from tx_graph.retrieval.expansion.push import Push
from tx_graph.retrieval.weights import Weights
from tx_graph.services.file_ranking.evidence import Gathering, Kind, commit_of_node
from tx_graph.services.file_ranking.graph import FOLLOWED, HISTORY, NAMES, FileGraph
from tx_graph.services.file_ranking.methods import followed, plain_scores
from tx_graph.services.file_ranking.reasons import Reasons
from tx_graph.services.file_ranking.values import Because, Method, RankedFile
from tx_graph.services.graph_view import GraphView
from tx_graph.services.paths import ViewOf
from tx_graph.services.search.retrievers import Retrievers
from tx_graph.storage.stores import Stores

_RESTART = 0.3
"""Share of the mass that stays at each step. Between .15 and .5 it hardly matters on replayed histories."""
_EPSILON = 3e-4
"""Mass below which a node passes nothing on."""
_DEPTH = 5
"""Steps of the walk: from a commit to its files, to their other commits, to the files of these, and one beyond."""
_MOST_ASKED = 200
"""Nodes whose edges are looked up for one answer; the first hundreds are the matches themselves."""

_DIGITS = 12
"""Digits of a score that decide: what differs behind them differs by the order of additions."""


class _Place(NamedTuple):
    """A file in the ranking."""

    node: NodeId
    path: str
    score: float


class FileRanking:
    """Ranks the files of the repository by all that is known of them; `is_there` asks the working tree for one."""

    def __init__(
        self,
        *,
        stores: Stores,
        retrievers: Retrievers,
        view_of: ViewOf,
        is_there: Callable[[str], bool],
        clock: Clock,
        weights: Weights,
    ) -> None:
        self._stores = stores
        self._retrievers = retrievers
        self._view_of = view_of
        self._is_there = is_there
        self._clock = clock
        self._weights = weights

    def rank(
        self,
        text: str,
        *,
        open_files: Sequence[str] = (),
        method: Method = Method.SPREAD,
        limit: int = 10,
        weights: Weights | None = None,
    ) -> list[RankedFile]:
        """Return the files that a text, or work on the open files, is most likely about, best first.

        Open files are not among them. `weights` are those of the settings unless given. Only `spread` gives reasons.

        Raises:
            ModelError: The model is installed but cannot be loaded.
        """
        stores, now = self._stores, self._clock.now()
        evidence = Gathering(stores=stores, matcher=self._retrievers.named(None), now=now).about(text)
        opened = list(stores.files.nodes_of(open_files).values())
        if method is not Method.SPREAD:
            view = self._view_of(followed(method), Direction.BOTH)
            return _told(self._best(plain_scores(method, evidence, view, opened), view, open_files, limit), {})
        weights = weights or self._weights
        start = evidence.restart(weights, opened)
        view = self._view_of(FOLLOWED, Direction.BOTH)
        view.stay_in_code()
        walk = _walk(start, FileGraph(stores=stores, view=view, now=now, touched=evidence.touched), weights)
        best = self._best(walk.masses, view, open_files, limit)
        reasons = Reasons(walk=walk, start=start, asked=evidence.asked, stores=stores, view=view)
        return _told(best, reasons.of([place.node for place in best]))

    def _best(
        self, scores: Mapping[NodeId, float], view: GraphView, open_files: Collection[str], limit: int
    ) -> list[_Place]:
        """Return the best of what is scored that is a file, there, and not open."""
        ranked = sorted((-score, node) for node, score in scores.items() if score > 0 and commit_of_node(node) is None)
        places = self._files_among(ranked, view, size=limit * 2)
        return list(islice((place for place in places if place.path not in open_files), max(limit, 0)))

    def _files_among(self, ranked: Sequence[tuple[float, NodeId]], view: GraphView, *, size: int) -> Iterator[_Place]:
        """Yield what is a file and there, best first, equal ones by their paths; names are asked for in batches.

        A registered file need not be there: learnings and history still know it.
        """
        for first in range(0, len(ranked), size or 1):
            batch = ranked[first : first + size]
            names = view.name([node for _, node in batch])
            files = [
                (round(score, _DIGITS), names[node][1], node) for score, node in batch if _is_file(names.get(node))
            ]
            yield from (_Place(node, path, -score) for score, path, node in sorted(files) if self._is_there(path))


def _is_file(named: tuple[NodeKind, str] | None) -> bool:
    return named is not None and named[0] is NodeKind.FILE


def _walk(start: Mapping[Kind, Mapping[NodeId, float]], graph: FileGraph, weights: Weights) -> Push:
    seeds: dict[NodeId, float] = {}
    for those in start.values():
        for node, mass in those.items():
            seeds[node] = seeds.get(node, 0.0) + mass
    spread = Spread(
        restart=_RESTART,
        epsilon=_EPSILON,
        hub_damping=0.0,
        max_asked=_MOST_ASKED,
        type_weights={
            HISTORY: weights.history,
            NAMES: weights.names,
            EdgeType.IMPORTS: weights.imports,
            EdgeType.ANCHORED_TO: weights.anchors,
        },
    )
    limits = Limits(depth=_DEPTH)
    return Push(
        seeds, graph.neighbors_of, limits=limits, spread=spread, degrees_of=nothing_known, prior=nothing_known
    ).finished()


def _told(best: Sequence[_Place], reasons: Mapping[NodeId, tuple[Because, ...]]) -> list[RankedFile]:
    most = max((place.score for place in best), default=1.0)
    return [
        RankedFile(path=place.path, score=place.score / most, reasons=reasons.get(place.node, ())) for place in best
    ]
