"""Graph expansion: one engine over the neighbours of a frontier, and three profiles to score what it reaches."""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import Annotated, NamedTuple

from tx_graph.core.arguments import Arg, choices
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.graph.edges import Direction, Edge, EdgeType, NodeId, Strand


class Ask(NamedTuple):
    """One question: the edges that lead away from these nodes.

    `hop` counts from 1 and is that of the edges asked for. Edges lighter than `least` change nothing and may be left
    out. `is_capped` allows to leave out all but the heaviest edges of a node that has very many.
    """

    nodes: Collection[NodeId]
    hop: int = 1
    least: float = 0.0
    is_capped: bool = True


NeighborsOf = Callable[[Ask], Iterable[Strand]]
"""Answers with every edge that leads away from the nodes asked about, each node as the source of its rows."""

FactorsOf = Callable[[Collection[NodeId]], Mapping[NodeId, float]]
"""Answers with a number for each of these nodes; one that it leaves out has 1."""


def nothing_known(nodes: Collection[NodeId]) -> Mapping[NodeId, float]:
    """Return no factor: every node counts 1."""
    del nodes
    return {}


MAX_DEPTH = 10

Depth = Annotated[int, Arg("HOPS", "How many hops to go, 0 to 10.", most=MAX_DEPTH)]
Decaying = Annotated[float, Arg("F", "Each hop multiplies the score by this: above 0, up to 1.", flag="--decay")]
MaxNodes = Annotated[int, Arg("N", "Most nodes to reach, at least 1.")]
Ways = Annotated[Direction, Arg("WAY", f"How to follow edges: {choices(Direction)}.")]
EdgeTypes = Annotated[
    Sequence[str],
    Arg(
        "A,B",
        "Follow only these, such as IMPORTS, CO_CHANGES_WITH, ANCHORED_TO, LINKS_TO.",
        mcp="IMPORTS, CO_CHANGES_WITH",
    ),
]
OtherEdgeTypes = Annotated[Sequence[str], Arg("A,B", "Follow all edge types but these.")]
TypesAt = Annotated[
    Sequence[str] | Mapping[int, Sequence[EdgeType | str]],
    Arg("HOP=A,B", "Follow only these at one hop, 1 the first; -A: all but A. Repeatable.", is_split=False),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far an expansion goes: hops (0–10), factor per hop in (0, 1], and most nodes reached beyond the seeds."""

    depth: int = 2
    decay: float = 0.7
    max_nodes: int = 100

    def __post_init__(self) -> None:
        """Raise UsageError for numbers out of range."""
        if not 0 <= self.depth <= MAX_DEPTH:
            raise UsageError(f"The depth must be from 0 to {MAX_DEPTH}, not {self.depth}.")
        if not 0 < self.decay <= 1:
            raise UsageError(f"The decay must be above 0 and at most 1, not {self.decay:g}.")
        if self.max_nodes < 1:
            raise UsageError(f"The most nodes to reach must be at least 1, not {self.max_nodes}.")


def chosen_types(include: Iterable[str], exclude: Iterable[str]) -> tuple[EdgeType, ...]:
    """Return the edge types to follow: the included ones, or all but the excluded."""
    included, excluded = _types(include), _types(exclude)
    if both := [kind for kind in included if kind in excluded]:
        raise UsageError(f"{', '.join(both)} cannot be both included and excluded.")
    return tuple(kind for kind in included or tuple(EdgeType) if kind not in excluded)


def types_by_hop(texts: TypesAt | None) -> dict[int, tuple[EdgeType, ...]]:
    """Return the edge types to follow at single hops, where they are not given, read from `2=ANCHORED_TO,LINKS_TO`.

    Types that follow a minus are those not to follow: `1=-IMPORTS`. A hop that is named twice follows what
    both say together.
    """
    if isinstance(texts, Mapping):
        return {hop: chosen_types(those, ()) for hop, those in texts.items()}
    wanted: dict[int, list[str]] = {}
    for text in texts or ():
        hop, _, names = text.partition("=")
        if hop.strip() not in map(str, range(1, MAX_DEPTH + 1)) or not names.strip():
            raise UsageError(
                f"'{text}' does not say which types to follow at which hop.",
                hint=f"Write the hop, from 1 to {MAX_DEPTH}, and the types: 2=ANCHORED_TO,LINKS_TO.",
            )
        wanted.setdefault(int(hop), []).extend(name.strip() for name in names.split(",") if name.strip())
    return {
        hop: chosen_types(
            [name for name in names if not name.startswith("-")], [name[1:] for name in names if name.startswith("-")]
        )
        for hop, names in wanted.items()
    }


def _types(names: Iterable[str]) -> tuple[EdgeType, ...]:
    known = {kind.value: kind for kind in EdgeType}
    found = {name: name.strip().upper().replace("-", "_") for name in names}
    if odd := [name for name, key in found.items() if key not in known]:
        raise UsageError(f"'{odd[0]}' is no edge type.", hint=f"Choose from {', '.join(known)}.")
    return tuple(dict.fromkeys(known[key] for key in found.values()))


class Profile(StrEnum):
    """The names of the profiles."""

    DECAY = "decay"
    HOPS = "hops"
    SPREAD = "spread"


ProfileName = Annotated[Profile, Arg("NAME", f"How an expansion scores: {choices(Profile)}.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay:
    """Each hop multiplies the score by the edge's weight and by `Limits.decay`; the best path wins (PRD-016)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hops:
    """A node scores by the best edge that leads there, at whichever hop it is walked (Oasis, Graph RAG).

    `graph_weight` × edge weight × `hop_decay[hop]`, where index 0 stands for seeds and is not used, and the last
    value goes for all hops beyond. What the node before it scored does not matter.
    """

    vector_weight: float = 0.7
    graph_weight: float = 0.3
    hop_decay: tuple[float, ...] = (1.0, 0.7, 0.5)

    def __post_init__(self) -> None:
        """Raise UsageError for numbers that could lead out of [0, 1]."""
        # Put so that NaN, which compares with nothing, is refused too.
        if not (self.vector_weight >= 0 and self.graph_weight >= 0 and self.vector_weight + self.graph_weight <= 1):
            raise UsageError("The weights of vectors and graph must be at least 0, and at most 1 together.")
        if not self.hop_decay or not all(0 <= factor <= 1 for factor in self.hop_decay):
            raise UsageError("The decay of hops needs at least one factor, each from 0 to 1.")

    def seed_score(self, cosine: float) -> float:
        """Return in [0, 1] what a seed scores that resembles the question so much (cosine in [0, 1])."""
        return self.vector_weight * cosine + self.graph_weight

    def factor(self, hop: int) -> float:
        """Return by what the weight of an edge walked at this hop, from 1, is multiplied."""
        return self.graph_weight * self.decay(hop)

    def decay(self, hop: int) -> float:
        """Return the factor in [0, 1] of a hop, counted from 1; the last of the table goes for all beyond."""
        return self.hop_decay[min(hop, len(self.hop_decay) - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A random walk with restart from the seeds: a node scores by how often the walk is there (personalised PageRank).

    From u the walk goes to v with a probability ∝ weight / degree(v)^`hub_damping`, and with the probability `restart`
    back to a seed (0.5 serves retrieval: HippoRAG, Gutiérrez et al. 2024). A damping of 0.5 makes the transitions
    those of the symmetrically normalised graph (Zhou et al. 2004), 0 leaves hubs as they are.
    Mass that is less than `epsilon` per edge of a node is not pushed on (Andersen, Chung and Lang 2006), which bounds
    the edges that are walked by 1 / (`restart` × `epsilon`). No more than `max_rounds` questions are asked in
    sequence, about no more than `max_asked` nodes in all: those with most mass for their degree.
    """

    restart: float = 0.5
    epsilon: float = 1e-4
    hub_damping: float = 0.5
    max_rounds: int = 20
    max_asked: int = 300


Scoring = Decay | Hops | Spread
"""How an expansion scores, with the numbers of its profile."""


def scoring_of(profile: Profile) -> Scoring:
    """Return a profile with its standard numbers."""
    scorings: Mapping[Profile, Scoring] = {Profile.DECAY: Decay(), Profile.HOPS: Hops(), Profile.SPREAD: Spread()}
    return scorings[profile]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A node with its score in [0, 1] and the edges, seed first, that lead to it; a seed that nothing beat has none.

    The edges are bare: type, weight and way, without relation and description, which a walk has no use for.
    """

    node: NodeId
    score: float
    path: tuple[Edge, ...] = ()

    @property
    def hops(self) -> int:
        """Edges between the seed and this node."""
        return len(self.path)

    @property
    def seed(self) -> NodeId:
        """Where the path starts."""
        return self.path[0].source if self.path else self.node


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpansionStats:
    """How much an expansion looked at.

    `expanded` counts the nodes brought back beyond the seeds, `nodes_visited` all that were met and could have been,
    seeds included. `max_nodes_reached` says that the limit was reached, so that there may be more; `fan_out_reached`
    how many times a node had so many edges of one kind that only the heaviest were followed.
    """

    seeds: int
    expanded: int
    max_depth_reached: int
    nodes_visited: int
    max_nodes_reached: bool
    fan_out_reached: int


class Exploration(ABC):
    """An expansion that is over, of whatever profile: ask it for a few nodes, or for all."""

    _limits: Limits
    _seeds: Mapping[NodeId, float]
    _hops: dict[NodeId, int]
    _fan_out_reached: int

    @property
    @abstractmethod
    def scores(self) -> Mapping[NodeId, float]:
        """The score in [0, 1] of every node met."""

    @abstractmethod
    def hops(self, node: NodeId) -> int:
        """Return how many edges lead to a node that was met."""

    @abstractmethod
    def reached_at(self, node: NodeId) -> Reached:
        """Return a node that was met, with the path that leads to it."""

    def reached(self) -> list[Reached]:
        """Return the seeds and the best of the others, best first; ties go to fewer hops, then the smaller node."""
        scores, hops, seeds = self.scores, self._hops, self._seeds
        beyond = [(-score, hops[node], node) for node, score in scores.items() if node not in seeds]
        most = heapq.nsmallest(self._limits.max_nodes, beyond)
        return [self.reached_at(one[2]) for one in sorted([*((-scores[one], hops[one], one) for one in seeds), *most])]

    def stats(self) -> ExpansionStats:
        """Return how much was looked at."""
        met = self.scores
        beyond = len(met) - len(self._seeds)
        return ExpansionStats(
            seeds=len(self._seeds),
            expanded=min(beyond, self._limits.max_nodes),
            max_depth_reached=max((self._hops[node] for node in met), default=0),
            nodes_visited=len(met),
            max_nodes_reached=beyond >= self._limits.max_nodes,
            fan_out_reached=self._fan_out_reached,
        )


_Mark = tuple[NodeId, float, Strand]
"""How a node was reached at one hop: from which node, with which weight, along which strand."""
_ROUNDING = 1e-9  # by this share two ways to compute one score may differ


class Walk(Exploration):
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
        best, marks, by_hop = self._scores, dict[NodeId, _Mark](), self._by_hop
        # Under `hops` each edge brings the same, whatever the node before it scored, and no seed is improved.
        kept: Mapping[NodeId, float] = self._seeds if by_hop else {}
        carried = {node: by_hop.factor(hop) if by_hop else best[node] * self._limits.decay for node in frontier}
        for strand in strands:  # the innermost loop of every walk: it runs once for each edge
            for source, target, weight in strand.rows:
                score, known = carried[source] * weight, best.get(target, bar)
                if score > known or (score == known and target in marks and source < marks[target][0]):
                    if target in kept:
                        continue
                    best[target] = score
                    marks[target] = (source, weight, strand)
        self._hops.update(dict.fromkeys(marks, hop))
        self._unranked.update(marks)
        self._trail.append(marks)
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

    def reached_at(self, node: NodeId) -> Reached:
        """Return a node that was met, with the path that earned its score."""
        edges: list[Edge] = []
        start = node
        for hop in range(self._hops[node], 0, -1):
            source, weight, strand = self._trail[hop][start]
            edges.append(strand.edge(source, start, weight))
            start = source
        return Reached(node=node, score=self._scores[node], path=tuple(reversed(edges)))


_MOST_EDGES = 200.0  # A degree counts as this much at most: of a node with more edges only so many are asked for
_Way = tuple[NodeId, float, float, Strand]
"""Where an edge leads, the share of the mass that takes it, its weight, and the strand it is from."""


class Push(Exploration):
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
        self._threshold: dict[NodeId, float] = {}  # the mass at which a node pushes on
        self._appeal: dict[NodeId, float] = {}  # what draws mass to a node
        self._ways: dict[NodeId, list[_Way]] = {}
        self._pushed: dict[NodeId, float] = defaultdict(float)
        self._hops = dict.fromkeys(seeds, 0)
        self._fan_out_reached = 0
        self._learn(seeds)
        self.settled: dict[NodeId, float] = defaultdict(float)
        if any(not 0 <= weight < float("inf") for weight in seeds.values()):
            raise UsageError("The weights of seeds must be finite and at least 0.")
        drawn = self._prior(seeds)
        mass = {node: weight * drawn.get(node, 1.0) for node, weight in seeds.items()}
        total = sum(mass.values())
        self.moving = {node: one / total for node, one in mass.items() if one} if total else {}

    def finished(self) -> Push:
        """Push until nothing is left that is worth it; return itself."""
        moving, threshold, hops, ways = self.moving, self._threshold, self._hops, self._ways
        for _ in range(self._spread.max_rounds):
            # Those that hold enough to push and were not asked about yet: of too many those with most for their degree.
            waiting = [
                (-mass / threshold[node], node)
                for node, mass in moving.items()
                if mass >= threshold[node] and node not in ways and hops[node] < self._limits.depth
            ]
            room = self._spread.max_asked - len(ways)
            ready = [node for _, node in (waiting if len(waiting) <= room else heapq.nsmallest(room, waiting))]
            if not ready:
                break
            self._ask_about(ready)
            while ready:
                ready = [node for node in self._push(ready) if node in ways and moving[node] >= threshold[node]]
        return self

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
        ways, hops, appeal = self._ways, self._hops, self._appeal
        new = sorted((node for node in nodes if node not in ways), key=lambda node: (hops[node], node))
        for hop, group in groupby(new, key=lambda node: hops[node]):
            frontier = list(group)
            ways.update((node, []) for node in frontier)
            strands = list(self._neighbors_of(Ask(frontier, hop + 1)))
            self._fan_out_reached += sum(strand.cut for strand in strands)
            self._learn({target for strand in strands for _, target, _ in strand.rows})
            for strand in strands:
                for source, target, weight in strand.rows:
                    pull = weight * appeal[target]
                    if pull > 0:
                        ways[source].append((target, pull, weight, strand))
                        if target not in hops:
                            hops[target] = hops[source] + 1
            for node in frontier:  # the pulls of the edges of each node become shares that add up to 1
                total = sum(way[1] for way in ways[node])
                ways[node] = [(target, pull / total, weight, strand) for target, pull, weight, strand in ways[node]]

    def _learn(self, nodes: Collection[NodeId]) -> None:
        """Ask what is known of nodes that were not met before."""
        threshold, appeal = self._threshold, self._appeal
        epsilon, damping = self._spread.epsilon, self._spread.hub_damping
        new = [node for node in nodes if node not in threshold]
        degrees, prior = self._degrees_of(new), self._prior(new)
        for node in new:
            degree = degrees.get(node, 1.0)
            threshold[node] = epsilon * min(degree, _MOST_EDGES) if degree > 1 else epsilon
            appeal[node] = prior.get(node, 1.0) * (degree**-damping if degree > 1 else 1.0)

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

    def reached_at(self, node: NodeId) -> Reached:
        """Return a node that was met, with the path that brought most mass: of edges that lead away from the seeds."""
        edges: list[Edge] = []
        start, bearers = node, self._bearers
        while start in bearers:
            source, weight, strand = bearers[start]
            edges.append(strand.edge(source, start, weight))
            start = source
        return Reached(node=node, score=self.scores[node], path=tuple(reversed(edges)))

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


_DECAY = Decay()


def explore(
    seeds: Mapping[NodeId, float],
    neighbors_of: NeighborsOf,
    *,
    limits: Limits,
    scoring: Scoring = _DECAY,
    at_last_hop: NeighborsOf | None = None,
    degrees_of: FactorsOf = nothing_known,
    prior: FactorsOf = nothing_known,
) -> Exploration:
    """Return every node reached within the limits, seeds included, each with the path that leads there.

    Under `decay` a hop multiplies the score by the edge's weight and the decay. The best-scoring path wins, not the
    first; a seed too may be reached better than it was found, though not through a node that `max_nodes` leaves out.
    Ties go to fewer hops, then to the smaller node. One question per hop is asked of `neighbors_of`.

    Seeds score in [0, 1] under `decay` and `hops` (there `Hops.seed_score` of a cosine); under `spread` any weights
    of at least 0 will do, of which only the proportions count. `at_last_hop` may answer the last question of a walk
    with only those edges whose targets are of interest, since nothing is walked on from there; `spread` does not ask
    it, because the share of each edge depends on the others. `degrees_of` and `prior` are for `spread` alone: how
    many edges a node has, and by what the mass that enters it is multiplied, such as the recency of what is old.
    """
    if isinstance(scoring, Spread):
        return Push(seeds, neighbors_of, limits=limits, spread=scoring, degrees_of=degrees_of, prior=prior).finished()
    walk = Walk(seeds, limits, scoring if isinstance(scoring, Hops) else None)
    frontier: Collection[NodeId] = list(walk.scores)
    for hop in range(1, limits.depth + 1):
        if not frontier:
            break
        is_narrow = hop == limits.depth and at_last_hop is not None
        # What is of interest to `at_last_hop` need not be among the best of all.
        least = 0.0 if is_narrow else walk.least_weight(frontier, hop)
        ask = at_last_hop if is_narrow and at_last_hop else neighbors_of
        strands = ask(Ask(frontier, hop, least))
        improved = walk.step(hop, frontier, strands, bar=0.0 if is_narrow else walk.bar())
        frontier = walk.worth_walking(improved, hop) if hop < limits.depth else ()
    return walk
