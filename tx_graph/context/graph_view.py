"""The graph as a walk sees it: stored edges, anchors by glob matched now, withheld learnings left out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

from tx_graph.anchors.globs import GlobEdges
from tx_graph.anchors.verdict import IF_JUDGED, Standing
from tx_graph.core.dataclass import dataclass
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer, NodeReference, canonical_reference, reference_to
from tx_graph.graph.edge_store import HUB, DegreeStore, EdgeStore, StrandReader
from tx_graph.graph.edges import BETWEEN_FILES, Direction, Edge, EdgeType, NodeId, Strand
from tx_graph.graph.expand import Ask, Reached
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.records.anchor_store import GLOB_WEIGHT, AnchorStore
from tx_graph.records.learning_store import LearningStore

_BETWEEN_SECTIONS = (EdgeType.LINKS_TO, EdgeType.SIMILAR_TO)
_SEEDS_OF_A_GLOB = 50
"""Files of one glob that a walk may start from: it may match thousands, none of them better than the others."""

_NODES_AT_ONCE = 200  # nodes whose edges are in memory together, when all are gone through


class Named(NamedTuple):
    """How a node is called: by commands, and in JSON."""

    kind: NodeKind
    ref: str
    reference: NodeReference


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One edge of a path, with its ends as references; `forward` is False when it points the other way.

    `origin` is who says so, a model or `manual`, where somebody related two sections; else it is empty.
    """

    source: str
    target: str
    type: str
    weight: float
    relation: str
    description: str
    forward: bool
    origin: str = ""

    source_node: NodeReference
    target_node: NodeReference

    JSON: ClassVar = "source! source_node target! target_node type weight relation~ description~ forward origin~"

    @property
    def why(self) -> str:
        """What was said of it beyond its relation; empty where nobody said anything."""
        is_told = EdgeType(self.type).words.is_explained and self.description.replace(" ", "_") != self.relation
        return self.description if is_told else ""

    @property
    def name(self) -> str:
        """Its type, or its relation where that says more: `IMPORTS`, `depends_on`."""
        return self.relation if self.relation and EdgeType(self.type).words.is_named_by_relation else self.type


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbor(Answer):
    """A node that a walk reached: its score in [0, 1] and the steps from the start that earned it.

    `standing` says of a learning whether its code still stands, where that was asked; None of other nodes.
    """

    ref: str
    kind: NodeKind
    score: float
    steps: tuple[Step, ...]
    node: NodeId
    reference: NodeReference
    standing: Standing | None = None

    JSON: ClassVar = f"node=reference ref kind score hops path edges=steps {IF_JUDGED}"

    @property
    def hops(self) -> int:
        """Edges between the start and this node."""
        return len(self.steps)

    @property
    def path(self) -> tuple[str, ...]:
        """References from the start to this node, both included."""
        return (*(step.source for step in self.steps), self.ref)


class GraphView:
    """Answers one walk, with its edge types and direction, and names the nodes it met.

    At the hops named in `types_at`, counted from 1, other types of edges are followed. With `is_stale_shown` the walk
    comes to superseded and retracted learnings too; with `stays_in_code` to nothing that documents and facts say.
    """

    def __init__(
        self,
        kernel: Kernel,
        types: Sequence[EdgeType] = tuple(EdgeType),
        direction: Direction = Direction.BOTH,
        *,
        types_at: Mapping[int, Sequence[EdgeType]] | None = None,
        is_stale_shown: bool = False,
        stays_in_code: bool = False,
    ) -> None:
        kernel.database.expect_much_reading()
        self._database = kernel.database
        self._edges = EdgeStore(kernel.database)
        self._nodes = NodeStore(kernel.database)
        files = kernel.checkout.tracked_files
        self._globs = GlobEdges(anchors=AnchorStore(kernel.database), nodes=self._nodes, files=files)
        self._types = types
        self._direction = direction
        self._types_at = types_at or {}
        self._stays_in_code = stays_in_code
        self._withheld = self._edges.withheld(stale=is_stale_shown)
        self._globbed: dict[Edge, Edge] = {}

    @cached_property
    def reader(self) -> StrandReader:
        """What reads stored edges; it need not see what changes while the walk lasts."""
        return StrandReader(self._database)

    def neighbors_of(
        self, ask: Ask, *, among: Sequence[EdgeType] = tuple(EdgeType), only_to_learnings: bool = False
    ) -> list[Strand]:
        """Return the edges that lead away from the nodes asked about to something that may be shown.

        Where only learnings are of interest there is no edge between files, none of a section, none from entity to
        entity, and no glob to a file.
        """
        types = [kind for kind in self._types_at.get(ask.hop, self._types) if kind in among]
        strands = self.reader.leaving(
            [node for node in ask.nodes if node > 0],
            types=types,
            direction=self._direction,
            least=ask.least,
            is_capped=ask.is_capped,
            only_code=self._stays_in_code,
            only_to_learnings=only_to_learnings,
        )
        if EdgeType.ANCHORED_TO in types and ask.least <= GLOB_WEIGHT:
            most, edges = HUB if ask.is_capped else None, list[Edge]()
            if self._direction is not Direction.IN and not only_to_learnings:
                edges += self._globs.to_files(ask.nodes, most=most)
            if self._direction is not Direction.OUT:
                edges += self._globs.to_learnings(ask.nodes)
            strands += self._as_strands(edges)
        return [self._shown(strand) for strand in strands]

    def between_files(self, ask: Ask) -> list[Strand]:
        """Return what is left of them when only edges between files are of interest."""
        return self.neighbors_of(ask, among=BETWEEN_FILES)

    def edges_of(self, node: NodeId) -> list[Edge]:
        """Return every edge of a node, however many, that leads to something that may be shown."""
        stored = self._edges.leaving([node], types=self._types, direction=self._direction) if node > 0 else []
        globbed = []
        if EdgeType.ANCHORED_TO in self._types:
            globbed += self._globs.to_files([node]) if self._direction is not Direction.IN else []
            globbed += self._globs.to_learnings([node]) if self._direction is not Direction.OUT else []
        return [edge for edge in stored + globbed if edge.target not in self._withheld]

    def all_edges(self) -> Iterator[list[Edge]]:
        """Yield every edge that a walk may follow, as it is stored: those that leave a few nodes at a time."""
        last = 0
        while nodes := self._nodes.after(last, limit=_NODES_AT_ONCE):
            last = nodes[-1]
            starts = [node for node in nodes if node not in self._withheld]
            found = self._edges.leaving(starts, types=self._types, direction=Direction.OUT, as_stored=True)
            found += self._globs.to_files(starts) if EdgeType.ANCHORED_TO in self._types else []
            yield [edge for edge in found if edge.target not in self._withheld]

    def worded(self, edges: Collection[Edge]) -> dict[Edge, Edge]:
        """Return each edge of a path with its relation and description."""
        bare = [edge for edge in edges if not edge.relation and not edge.description]
        stored = self._edges.worded([edge for edge in bare if min(edge[:2]) > 0])
        return {edge: stored.get(edge) or self._globbed.get(edge, edge) for edge in edges}

    def origins(self, edges: Collection[Edge]) -> dict[Edge, str]:
        """Return who says so of each edge that somebody, or a model, drew between two sections."""
        from tx_graph.documents.edge_store import SectionWalk

        ends = {end for edge in edges if edge.type in _BETWEEN_SECTIONS for end in edge[:2] if end > 0}
        ties = SectionWalk(self._database).ties(ends, ends) if ends else ()
        said = {one[:3]: one.origin for one in ties if one.origin not in ("structure", "link")}
        turned = {edge: (*(edge[:2] if edge.forward else edge[1::-1]), edge.relation) for edge in edges}
        return {edge: said[key] for edge, key in turned.items() if key in said}

    def degrees(self, nodes: Collection[NodeId]) -> dict[NodeId, float]:
        """Return how many imports and co-changes touch each of the nodes that is a file and has any."""
        return DegreeStore(self._database).of([node for node in nodes if node > 0])

    def learnings_at(self, places: Collection[NodeId]) -> list[Strand]:
        """Return the edges, turned, from files and symbols to learnings anchored there, whatever types it follows."""
        registered = [node for node in places if node > 0]
        anchored = self.reader.leaving(
            registered, types=[EdgeType.ANCHORED_TO], direction=Direction.IN, is_capped=False
        )
        globbed = self._as_strands(self._globs.to_learnings(places))
        return [self._shown(strand) for strand in (*anchored, *globbed)]

    def seed_files(self, learnings: Collection[NodeId]) -> list[Edge]:
        """Return the anchors of these learnings, a few for each glob, whatever types the walk follows."""
        anchored = self._edges.leaving(learnings, types=[EdgeType.ANCHORED_TO], direction=Direction.OUT)
        kinds = self._nodes.describe({edge.target for edge in anchored})
        files = [edge for edge in anchored if kinds[edge.target][0] is NodeKind.FILE]
        return files + self._globs.to_files(learnings, most=_SEEDS_OF_A_GLOB)

    def unregistered(self, path: str) -> NodeId | None:
        """Return the id, for this walk, of a file that only a glob knows; None when none matches it."""
        return self._globs.node_of(path)

    def name(self, nodes: Collection[NodeId]) -> dict[NodeId, Named]:
        """Return how each node is called."""
        described = self._nodes.describe([node for node in nodes if node > 0])
        learnings = [node for node, (kind, _) in described.items() if kind is NodeKind.LEARNING]
        entities = [node for node, (kind, _) in described.items() if kind is NodeKind.ENTITY]
        refs = {brief.node: brief.ref for brief in LearningStore(self._database).briefs(nodes=learnings)}
        if entities:
            from tx_graph.knowledge.entity_store import EntityStore

            refs |= EntityStore(self._database).refs(entities)
        described |= {node: (NodeKind.FILE, path) for node, path in self._globs.unregistered.items()}
        named = {}
        for node, (kind, key) in described.items():
            ref = refs.get(node) or canonical_reference(kind, key)
            named[node] = Named(kind, ref, reference_to(kind, key, ref=ref))
        return named

    def _as_strands(self, edges: Collection[Edge]) -> list[Strand]:
        """Return anchors by glob as strands, and remember them as edges."""
        strands = []
        for forward in (True, False):
            these = [edge for edge in edges if edge.forward is forward]
            rows = [(edge.source, edge.target, edge.weight) for edge in these]
            strand = Strand(EdgeType.ANCHORED_TO.value, forward, rows)
            self._globbed |= {strand.edge(*row): edge for row, edge in zip(rows, these, strict=True)}
            strands.append(strand)
        return strands

    def _shown(self, strand: Strand) -> Strand:
        if not self._withheld or strand.type in BETWEEN_FILES:
            return strand
        return strand._replace(rows=[row for row in strand.rows if row[1] not in self._withheld])


def described(reached: Sequence[Reached], view: GraphView) -> list[Neighbor]:
    """Return what a walk reached, in words instead of numbers."""
    names = view.name({one.node for one in reached} | {end for one in reached for edge in one.path for end in edge[:2]})
    worded = view.worded({edge for one in reached for edge in one.path})
    origins = view.origins(worded.values())
    return [
        Neighbor(
            ref=names[one.node].ref,
            kind=names[one.node].kind,
            reference=names[one.node].reference,
            score=one.score,
            steps=tuple(_step(worded[edge], names, origins) for edge in one.path),
            node=one.node,
        )
        for one in reached
        if one.node in names
    ]


def steps_of(edges: Sequence[Edge], view: GraphView) -> tuple[Step, ...]:
    """Return edges with their ends as references."""
    names = view.name({end for edge in edges for end in edge[:2]})
    origins = view.origins(edges)
    return tuple(_step(edge, names, origins) for edge in edges)


def _step(edge: Edge, names: Mapping[NodeId, Named], origins: Mapping[Edge, str]) -> Step:
    return Step(
        source=names[edge.source].ref,
        target=names[edge.target].ref,
        source_node=names[edge.source].reference,
        target_node=names[edge.target].reference,
        type=edge.type,
        weight=edge.weight,
        relation=edge.relation,
        description=edge.description,
        forward=bool(edge.forward),
        origin=origins.get(edge, ""),
    )
