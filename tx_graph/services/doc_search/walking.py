"""What the relations of sections lead to from the seeds, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tx_graph.domain.edges import Direction, NodeId, Relation, Strand
from tx_graph.domain.references import canonical_reference
from tx_graph.errors import StorageError
from tx_graph.retrieval.expansion import Ask, Exploration, Limits, explore
from tx_graph.retrieval.support import Row, supports
from tx_graph.services.doc_search.values import DocQuery, DocTie
from tx_graph.storage.nodes import NodeStore
from tx_graph.storage.section_lines import SectionLines
from tx_graph.storage.section_walk import SectionTie, SectionWalk

_MOST_NODES = 1_000
"""Nodes to reach: many have the same score, and which of them answer best is told by what they say."""
_MOST_TIES = 5
_STRUCTURE = (Relation.PART_OF.value, Relation.SEQUENCE.value)
"""Relations that only say where a section stands: any other one says more."""


class Way(NamedTuple):
    """How a section was reached: with which score, after how many edges, and at which node.

    That node is the section itself, or one without text that it stands for.
    """

    score: float
    hops: int
    node: NodeId

    @property
    def place(self) -> tuple[float, int, NodeId]:
        """Return what sorts the better way first."""
        return (-self.score, self.hops, self.node)


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """The sections beyond the seeds that relations lead to; `problem` says why they could not be followed.

    `supports` is how much the seeds speak for these sections and for each other, in [0, 1].
    """

    ways: Mapping[NodeId, Way] = field(default_factory=dict)
    supports: Mapping[NodeId, float] = field(default_factory=dict)
    exploration: Exploration | None = None
    problem: str = ""

    @property
    def visited(self) -> int:
        """How many nodes were met."""
        return self.exploration.stats().nodes_visited if self.exploration else 0


class Walking:
    """Follows the relations of sections. Files and symbols lead from one section to the next, but are no results."""

    def __init__(self, *, walk: SectionWalk, lines: SectionLines, nodes: NodeStore) -> None:
        self._walk = walk
        self._lines = lines
        self._nodes = nodes

    def from_seeds(self, query: DocQuery, seeds: Mapping[NodeId, float], likeness: Mapping[NodeId, float]) -> Walked:
        """Return what can be reached. A section without text is stood for by the first below it that has some.

        `likeness` says how much each seed is like the question, in [0, 1].
        """
        if not query.hops or not seeds:
            return Walked()
        limits = Limits(depth=query.hops, max_nodes=_MOST_NODES)
        followed: list[list[Strand]] = []
        try:
            exploration = explore(seeds, self._neighbors(query, followed), limits=limits, scoring=query.scoring)
            met = [one.node for one in exploration.reached()]
            speakers = self._lines.speakers(met)
        except StorageError as error:
            return Walked(problem=error.message)
        return Walked(
            ways=_ways(exploration, [node for node in met if node not in seeds], speakers, seeds),
            supports=supports(likeness, [_rows(strands) for strands in followed], query.scoring.decay, speakers),
            exploration=exploration,
        )

    def _neighbors(self, query: DocQuery, followed: list[list[Strand]]) -> Callable[[Ask], Iterable[Strand]]:
        """Return what answers a walk, and notes the edges of each hop."""

        def leaving(ask: Ask) -> list[Strand]:
            least = max(query.min_edge_weight, ask.least)
            followed.append(
                self._walk.leaving(ask.nodes, relations=query.relations, direction=query.direction, least=least)
            )
            return followed[-1]

        return leaving

    def ties(self, query: DocQuery, walked: Walked, ways: Sequence[Way]) -> dict[NodeId, tuple[DocTie, ...]]:
        """Return, by the node that was reached, the edges that lead there at its hop, the best first."""
        if walked.exploration is None or not ways:
            return {}
        nodes = {way.node: way for way in ways}
        found: dict[NodeId, list[tuple[SectionTie, NodeId, bool]]] = defaultdict(list)
        for tie in self._walk.ties(list(nodes), list(walked.exploration.scores)):
            for node, other, forward in ((tie.target, tie.source, True), (tie.source, tie.target, False)):
                if node in nodes and _leads(query, walked.exploration, nodes[node], other, tie, forward=forward):
                    found[node].append((tie, other, forward))
        names = self._names({other for several in found.values() for _, other, _ in several})
        return {node: self._told(several, nodes[node], walked, names) for node, several in found.items()}

    def _names(self, nodes: Collection[NodeId]) -> dict[NodeId, str]:
        return {node: canonical_reference(kind, key) for node, (kind, key) in self._nodes.describe(nodes).items()}

    def _told(
        self,
        several: Sequence[tuple[SectionTie, NodeId, bool]],
        way: Way,
        walked: Walked,
        names: Mapping[NodeId, str],
    ) -> tuple[DocTie, ...]:
        scores = walked.exploration.scores if walked.exploration else {}
        best = sorted(
            several,
            key=lambda one: (-one[0].weight, one[0].relation in _STRUCTURE, -scores[one[1]], names[one[1]], one[0]),
        )
        return tuple(
            DocTie(
                other=names[other],
                relation=tie.relation,
                description=tie.description,
                weight=tie.weight,
                forward=forward,
                hops=way.hops,
            )
            for tie, other, forward in best[:_MOST_TIES]
        )


def _ways(
    exploration: Exploration,
    met: Iterable[NodeId],
    speakers: Mapping[NodeId, NodeId],
    seeds: Collection[NodeId],
) -> dict[NodeId, Way]:
    """Return the best way to each section with text that is no seed."""
    ways: dict[NodeId, Way] = {}
    for node in met:
        speaker = speakers.get(node)
        if speaker is None or speaker in seeds:
            continue
        way = Way(exploration.scores[node], exploration.hops(node), node)
        if speaker not in ways or way.place < ways[speaker].place:
            ways[speaker] = way
    return ways


def _rows(strands: Iterable[Strand]) -> list[Row]:
    return [row for strand in strands for row in strand.rows]


def _leads(query: DocQuery, walked: Exploration, way: Way, other: NodeId, tie: SectionTie, *, forward: bool) -> bool:
    """Whether the walk came that way: from a node one hop nearer, along an edge that the question lets it follow."""
    against = Direction.IN if forward else Direction.OUT
    is_mutual = tie.relation == Relation.SIMILAR_TO
    return (
        walked.hops(other) == way.hops - 1
        and tie.weight >= query.min_edge_weight
        and tie.relation in query.relations
        and (is_mutual or query.direction is not against)
    )
