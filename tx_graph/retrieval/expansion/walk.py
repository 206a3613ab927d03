"""Walks hop by hop along the best path: the profiles `decay` and `hops`."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping

from tx_graph.domain.edges import Edge, NodeId, Strand
from tx_graph.retrieval.expansion.limits import Limits
from tx_graph.retrieval.expansion.profiles import Hops
from tx_graph.retrieval.expansion.reached import ExpansionStats, Reached

_Mark = tuple[NodeId, float, Strand]
"""How a node was reached at one hop: from which node, with which weight, along which strand."""
_ROUNDING = 1e-9
"""By this share two ways to compute one score may differ."""


class Walk:
    """The best score of every node met so far, and for each hop the edge that earned it.

    A node that a step improves is in the next frontier, so the source of an edge walked at hop h got its score
    at hop h - 1: following the trail backwards gives the path. Under `hops` a seed keeps its score.
    """

    def __init__(self, seeds: Mapping[NodeId, float], limits: Limits, by_hop: Hops | None = None) -> None:
        self._seeds = seeds
        self._limits = limits
        self._by_hop = by_hop
        self._scores = dict(seeds)
        self._hops = dict.fromkeys(seeds, 0)
        self._trail: list[dict[NodeId, _Mark]] = [{}]
        self._best: list[tuple[float, int, NodeId]] = []
        self._unranked: set[NodeId] = set()
        self._fan_out_reached = 0

    @property
    def scores(self) -> Mapping[NodeId, float]:
        """The best score in [0, 1] of every node met."""
        return self._scores

    def hops(self, node: NodeId) -> int:
        """Return how many edges lead to a node that was met."""
        return self._hops[node]

    def step(
        self, hop: int, frontier: Collection[NodeId], strands: Iterable[Strand], *, bar: float = 0.0
    ) -> Collection[NodeId]:
        """Walk the edges that lead away from the frontier; return the nodes that this improved.

        A node that is new has to score more than `bar`.
        """
        strands = list(strands)
        self._fan_out_reached += sum(strand.cut for strand in strands)
        if self._by_hop is None:
            carried = {node: self._scores[node] * self._limits.decay for node in frontier}
            marks = self._improved(carried, strands, bar)
        else:
            marks = self._met(self._by_hop.factor(hop), strands, bar)
        self._hops.update(dict.fromkeys(marks, hop))
        self._unranked.update(marks)
        self._trail.append(marks)
        return marks

    def _improved(self, carried: Mapping[NodeId, float], strands: Iterable[Strand], bar: float) -> dict[NodeId, _Mark]:
        """Let each node have the best that one more edge brings it; return how, where that is better than before.

        The innermost loop of every walk: it runs once for each edge.
        """
        best, marks = self._scores, dict[NodeId, _Mark]()
        for strand in strands:
            for source, target, weight in strand.rows:
                score, known = carried[source] * weight, best.get(target, bar)
                if score > known or (score == known and target in marks and source < marks[target][0]):
                    best[target] = score
                    marks[target] = (source, weight, strand)
        return marks

    def _met(self, factor: float, strands: Iterable[Strand], bar: float) -> dict[NodeId, _Mark]:
        """Let each node but the seeds have what the best edge to it brings, at whichever hop; return how."""
        seeds, marks, best = self._seeds, dict[NodeId, _Mark](), self._scores
        for strand in strands:
            for source, target, weight in strand.rows:
                if target in seeds:
                    continue
                score, known = factor * weight, best.get(target, bar)
                if score > known or (score == known and target in marks and source < marks[target][0]):
                    best[target] = score
                    marks[target] = (source, weight, strand)
        return marks

    def worth_walking(self, improved: Collection[NodeId], hop: int) -> list[NodeId]:
        """Return the improved nodes from which the next hop can lead to one of the best, or better to a seed.

        Scores only fall along a path, so what is not among the best now leads to none of them later. Under `hops`
        they need not, and the walk goes on from the best nodes nevertheless: a frontier has to end somewhere.
        """
        self._keep_best()
        nodes = {node for _, _, node in self._best} | self._seeds.keys()
        floor = self._floor()
        return [node for node in improved if node in nodes and self._most_from(node, hop + 1) > floor]

    def least_weight(self, frontier: Collection[NodeId], hop: int) -> float:
        """Return the weight below which no edge from the frontier changes anything."""
        most = max((self._most_from(node, hop) for node in frontier), default=0.0)
        return self._floor() / most * (1 - _ROUNDING) if most else 0.0

    def _most_from(self, node: NodeId, hop: int) -> float:
        """Return the score at the end of an edge of weight 1."""
        return self._scores[node] * self._limits.decay if self._by_hop is None else self._by_hop.factor(hop)

    def _floor(self) -> float:
        """Return the score that an edge has to beat to change anything: that of a seed can be improved too."""
        return self.bar() if self._by_hop else min(self.bar(), *self._seeds.values())

    def bar(self) -> float:
        """Return the score that a node has to beat to be among the best."""
        return -self._best[-1][0] if len(self._best) == self._limits.max_nodes else 0.0

    def _keep_best(self) -> None:
        """Keep the best nodes that are no seeds, best first, no more than the limit."""
        nodes = {node for _, _, node in self._best}.union(self._unranked).difference(self._seeds)
        most, scores, hops = self._limits.max_nodes, self._scores, self._hops
        self._unranked.clear()
        if len(nodes) > most:
            worst = sorted(map(scores.__getitem__, nodes), reverse=True)[most - 1]
            nodes = {node for node in nodes if scores[node] >= worst}
        self._best = heapq.nsmallest(most, [(-scores[node], hops[node], node) for node in nodes])

    def reached(self) -> list[Reached]:
        """Return the seeds and the best of the others, best first."""
        self._keep_best()
        seeds = [(-self._scores[node], self._hops[node], node) for node in self._seeds]
        return [self.reached_at(node) for _, _, node in sorted([*seeds, *self._best])]

    def reached_at(self, node: NodeId) -> Reached:
        """Return a node that was met, with the path that earned its score."""
        edges: list[Edge] = []
        start = node
        for hop in range(self._hops[node], 0, -1):
            source, weight, strand = self._trail[hop][start]
            edges.append(strand.edge(source, start, weight))
            start = source
        return Reached(node=node, score=self._scores[node], path=tuple(reversed(edges)))

    def stats(self) -> ExpansionStats:
        """Return how much was looked at."""
        beyond = len(self._scores) - len(self._seeds)
        return ExpansionStats(
            seeds=len(self._seeds),
            expanded=min(beyond, self._limits.max_nodes),
            max_depth_reached=max(self._hops.values(), default=0),
            nodes_visited=len(self._scores),
            max_nodes_reached=beyond >= self._limits.max_nodes,
            fan_out_reached=self._fan_out_reached,
        )
