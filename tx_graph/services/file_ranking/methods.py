"""The plain ways to rank files, which the walk is measured against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nlargest

from tx_graph.domain.edges import EdgeType, NodeId
from tx_graph.retrieval.expansion import Ask, Limits, explore
from tx_graph.retrieval.fusion import reciprocal_rank_fusion
from tx_graph.services.file_ranking.evidence import Evidence
from tx_graph.services.file_ranking.values import Method
from tx_graph.services.graph_view import GraphView

_FOLLOWED: Mapping[Method, Sequence[EdgeType]] = {
    Method.IMPORTS: [EdgeType.IMPORTS],
    Method.COCHANGES: [EdgeType.CO_CHANGES_WITH],
    Method.DECAY: [EdgeType.IMPORTS, EdgeType.CO_CHANGES_WITH, EdgeType.ANCHORED_TO],
}
"""Which edges the methods follow that go on from the fused ranking."""
_STARTS = 10
"""Files of the fused ranking whose neighbours are looked for."""


def followed(method: Method) -> Sequence[EdgeType]:
    """Return the types of edges that a method follows; none for a plain search."""
    return _FOLLOWED.get(method, [])


def plain_scores(
    method: Method, evidence: Evidence, view: GraphView, open_files: Collection[NodeId]
) -> dict[NodeId, float]:
    """Return what a method other than the walk gives each node it finds, in (0, 1]; files are among them."""
    rankings = _rankings(evidence, view)
    if method is Method.BM25:
        return reciprocal_rank_fusion({"history": rankings["history"]})
    if method is not Method.TEXT:
        del rankings["words"]
    fused = reciprocal_rank_fusion(rankings)
    if method in (Method.FUSION, Method.TEXT):
        return fused
    best = max(fused.values(), default=1.0)
    seeds = {node: score / best for node, score in fused.items()} | dict.fromkeys(open_files, 1.0)
    if method is Method.DECAY:
        return dict(explore(seeds, view.neighbors_of, limits=Limits(depth=2)).scores)
    return reciprocal_rank_fusion(rankings | {"neighbours": _neighbours(seeds, view)})


def _neighbours(seeds: Mapping[NodeId, float], view: GraphView) -> list[NodeId]:
    """Return the files that are one edge away from the best of the seeds: those of the best edge first."""
    starts = dict(nlargest(_STARTS, seeds.items(), key=lambda one: (one[1], -one[0])))
    offers: dict[NodeId, float] = defaultdict(float)
    for strand in view.neighbors_of(Ask(list(starts))):
        for source, target, weight in strand.rows:
            offers[target] = max(offers[target], starts[source] * weight)
    return sorted(offers, key=lambda node: (-offers[node], node))


def _rankings(evidence: Evidence, view: GraphView) -> dict[str, list[NodeId]]:
    """Return the files that each index finds: those of the best match first, each once."""
    anchored: dict[NodeId, list[NodeId]] = {}
    for edge in view.seed_files(list(evidence.learnings)):
        anchored.setdefault(edge.source, []).append(edge.target)
    return {
        "history": _distinct(touch.file for commit in evidence.commits for touch in evidence.touched.get(commit, ())),
        "learnings": _distinct(file for learning in evidence.learnings for file in anchored.get(learning, ())),
        "words": list(evidence.words),
        "paths": _distinct([*evidence.named, *evidence.paths]),
    }


def _distinct(nodes: Iterable[NodeId]) -> list[NodeId]:
    return list(dict.fromkeys(nodes))
