"""Personalised PageRank by local push: the profile `spread` (Andersen, Chung and Lang, FOCS 2006)."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from tx_graph.domain.edges import Edge, NodeId, Strand
from tx_graph.errors import UsageError
from tx_graph.retrieval.expansion.asking import Ask, FactorsOf, NeighborsOf
from tx_graph.retrieval.expansion.limits import Limits
from tx_graph.retrieval.expansion.profiles import Spread
from tx_graph.retrieval.expansion.reached import ExpansionStats, Reached

_MOST_EDGES = 200.0
"""A degree counts as this much at most: of a node with more edges only so many are asked for."""
_Way = tuple[NodeId, float, float, Strand]
"""Where an edge leads, the share of the mass that takes it, its weight, and the strand it is from."""


@dataclass(slots=True)
class _Nature:
    """What is known of the nodes met so far: the mass at which a node pushes on, and what draws mass to it."""

    threshold: dict[NodeId, float] = field(default_factory=dict)
    appeal: dict[NodeId, float] = field(default_factory=dict)


class Push:
    """Mass that starts at the seeds, and is pushed on from every node where enough of it has gathered.

    What a node holds is split at each push: the share `restart` settles there (the walk ended), the rest moves along
    its edges. Settled and moving mass add up to 1 throughout. The settled mass never exceeds the exact PageRank, and
    falls short of it by what the moving mass would still bring. Where edges lead both ways and weigh the same that is
    at most `epsilon` × the degree of a node: what moves at u is below `epsilon` × the degree of u, and a walk from u
    to v is as likely as one from v to u, times the degree of v by that of u. A node without edges keeps all it gets.
    """

    def __init__(
        self,
        seeds: Mapping[NodeId, float],
        neighbors_of: NeighborsOf,
        *,
        limits: Limits,
        spread: Spread,
        degrees_of: FactorsOf,
        prior: FactorsOf,
    ) -> None:
        self._neighbors_of = neighbors_of
        self._limits = limits
        self._spread = spread
        self._degrees_of = degrees_of
        self._prior = prior
        self._seeds = seeds
        self._nature = _Nature()
        self._ways: dict[NodeId, list[_Way]] = {}
        self._pushed: dict[NodeId, float] = defaultdict(float)
        self._hops = dict.fromkeys(seeds, 0)
        self._fan_out_reached = 0
        self._learn(seeds)
        self.settled: dict[NodeId, float] = defaultdict(float)
        self.moving = self._restart_mass(seeds)

    def _restart_mass(self, seeds: Mapping[NodeId, float]) -> dict[NodeId, float]:
        if any(not 0 <= weight < float("inf") for weight in seeds.values()):
            raise UsageError("The weights of seeds must be finite and at least 0.")
        drawn = self._prior(seeds)
        mass = {node: weight * drawn.get(node, 1.0) for node, weight in seeds.items()}
        total = sum(mass.values())
        return {node: one / total for node, one in mass.items() if one} if total else {}

    def finished(self) -> Push:
        """Push until nothing is left that is worth it; return itself."""
        for _ in range(self._spread.max_rounds):
            ready = self._to_ask()
            if not ready:
                break
            self._ask_about(ready)
            while ready:
                ready = self._known_and_ready(self._push(ready))
        return self

    def _to_ask(self) -> Collection[NodeId]:
        """Return the nodes that hold enough to push and were not asked about yet: those with most for their degree."""
        threshold, hops, depth, ways = self._nature.threshold, self._hops, self._limits.depth, self._ways
        ready = [
            (-mass / threshold[node], node)
            for node, mass in self.moving.items()
            if mass >= threshold[node] and node not in ways and hops[node] < depth
        ]
        room = self._spread.max_asked - len(ways)
        return [node for _, node in (ready if len(ready) <= room else heapq.nsmallest(room, ready))]

    def _known_and_ready(self, nodes: Iterable[NodeId]) -> list[NodeId]:
        """Return those of the nodes that can push now; the others gather mass and are asked about together."""
        moving, threshold, ways = self.moving, self._nature.threshold, self._ways
        return [node for node in nodes if node in ways and moving[node] >= threshold[node]]

    def _push(self, ready: Collection[NodeId]) -> Collection[NodeId]:
        """Push from all of these nodes; return the nodes that gained."""
        moving, settled, restart = self.moving, self.settled, self._spread.restart
        gained: dict[NodeId, float] = defaultdict(float)
        for node in ready:
            mass = moving.pop(node)
            ways = self._ways[node]
            self._pushed[node] += mass
            settled[node] += mass * restart if ways else mass
            onward = mass * (1 - restart)
            for target, share, _, _ in ways:
                gained[target] += onward * share
        for target, mass in gained.items():
            moving[target] = moving.get(target, 0.0) + mass
        return gained

    def _ask_about(self, nodes: Collection[NodeId]) -> None:
        """Learn the edges of those nodes that were not asked about before: one question for all of the same hop."""
        hops = self._hops
        new = sorted((node for node in nodes if node not in self._ways), key=lambda node: (hops[node], node))
        for hop, group in groupby(new, key=lambda node: hops[node]):
            frontier = list(group)
            self._ways.update((node, []) for node in frontier)
            strands = list(self._neighbors_of(Ask(frontier, hop + 1)))
            self._fan_out_reached += sum(strand.cut for strand in strands)
            self._learn({target for strand in strands for _, target, _ in strand.rows})
            self._take(strands)
            self._share_out(frontier)

    def _learn(self, nodes: Collection[NodeId]) -> None:
        """Ask what is known of nodes that were not met before."""
        threshold, appeal = self._nature.threshold, self._nature.appeal
        epsilon, damping = self._spread.epsilon, self._spread.hub_damping
        new = [node for node in nodes if node not in threshold]
        degrees, prior = self._degrees_of(new), self._prior(new)
        for node in new:
            degree = degrees.get(node, 1.0)
            threshold[node] = epsilon * min(degree, _MOST_EDGES) if degree > 1 else epsilon
            appeal[node] = prior.get(node, 1.0) * (degree**-damping if degree > 1 else 1.0)

    def _take(self, strands: Iterable[Strand]) -> None:
        ways, appeal, types, hops = self._ways, self._nature.appeal, self._spread.type_weights, self._hops
        for strand in strands:
            by_type = types.get(strand.type, 1.0)
            for source, target, weight in strand.rows:
                pull = weight * by_type * appeal[target]
                if pull > 0:
                    ways[source].append((target, pull, weight, strand))
                    if target not in hops:
                        hops[target] = hops[source] + 1

    def _share_out(self, nodes: Iterable[NodeId]) -> None:
        """Turn the pulls of the edges of each node into shares that add up to 1."""
        for node in nodes:
            total = sum(way[1] for way in self._ways[node])
            self._ways[node] = [
                (target, pull / total, weight, strand) for target, pull, weight, strand in self._ways[node]
            ]

    @cached_property
    def masses(self) -> Mapping[NodeId, float]:
        """How often the walk is at each node that was met, of all its time: at least so much, in [0, 1]."""
        restart, settled = self._spread.restart, self.settled
        return settled | {node: settled.get(node, 0.0) + mass * restart for node, mass in self.moving.items()}

    @cached_property
    def scores(self) -> Mapping[NodeId, float]:
        """The masses as shares of the greatest: in [0, 1], and 1 for the best node."""
        most = max(self.masses.values(), default=1.0)
        return dict.fromkeys(self._seeds, 0.0) | {node: mass / most for node, mass in self.masses.items()}

    def hops(self, node: NodeId) -> int:
        """Return how many edges lead to a node that was met."""
        return self.reached_at(node).hops

    def reached(self) -> list[Reached]:
        """Return the seeds and the best of the others, best first."""
        scores, hops = self.scores, self._hops
        beyond = [(-score, hops[node], node) for node, score in scores.items() if node not in self._seeds]
        seeds = [(-scores[node], 0, node) for node in self._seeds]
        return [self.reached_at(node) for _, _, node in sorted(seeds + heapq.nsmallest(self._limits.max_nodes, beyond))]

    def reached_at(self, node: NodeId) -> Reached:
        """Return a node that was met, with the path that brought most mass: of edges that lead away from the seeds."""
        edges: list[Edge] = []
        start, bearers = node, self._bearers
        while start in bearers:
            source, weight, strand = bearers[start]
            edges.append(strand.edge(source, start, weight))
            start = source
        return Reached(node=node, score=self.scores[node], path=tuple(reversed(edges)))

    def passed_on(self, node: NodeId) -> float:
        """Return the mass that this node has pushed, what it was given at the start among it."""
        return self._pushed.get(node, 0.0)

    def brought_to(self, nodes: Collection[NodeId]) -> dict[NodeId, list[tuple[float, NodeId, Strand]]]:
        """Return for each of these nodes what came along its edges: (mass, from which node, how), most first.

        Together with what it was given at the start that is all that it has pushed or still holds.
        """
        found: dict[NodeId, list[tuple[float, NodeId, Strand]]] = {node: [] for node in nodes}
        onward = 1 - self._spread.restart
        for source, pushed in self._pushed.items():
            for target, share, _, strand in self._ways[source]:
                if target in found:
                    found[target].append((pushed * onward * share, source, strand))
        return {node: sorted(those, key=lambda one: (-one[0], one[1])) for node, those in found.items()}

    @cached_property
    def _bearers(self) -> Mapping[NodeId, tuple[NodeId, float, Strand]]:
        """For each node beyond the seeds the edge that brought most mass from a node nearer to them."""
        most: dict[NodeId, float] = {}
        bearers: dict[NodeId, tuple[NodeId, float, Strand]] = {}
        hops = self._hops
        for source, pushed in sorted(self._pushed.items()):
            distance = hops[source]
            for target, share, weight, strand in self._ways[source]:
                if hops[target] > distance and pushed * share > most.get(target, 0.0):
                    most[target] = pushed * share
                    bearers[target] = (source, weight, strand)
        return bearers

    def stats(self) -> ExpansionStats:
        """Return how much was looked at."""
        beyond = len(self.scores) - len(self._seeds)
        return ExpansionStats(
            seeds=len(self._seeds),
            expanded=min(beyond, self._limits.max_nodes),
            max_depth_reached=max((self._hops[node] for node in self.scores), default=0),
            nodes_visited=len(self.scores),
            max_nodes_reached=beyond >= self._limits.max_nodes,
            fan_out_reached=self._fan_out_reached,
        )
