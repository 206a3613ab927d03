"""The graph as a walk sees it: stored edges, anchors by glob matched now, withheld learnings left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from tx_graph.anchors.globs import GlobEdges
from tx_graph.core.kernel import Kernel
from tx_graph.graph.edge_store import HUB, EdgeStore, StrandReader
from tx_graph.graph.edges import BETWEEN_FILES, Direction, Edge, EdgeType, NodeId, Strand
from tx_graph.graph.expand import Ask
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind, canonical_reference
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.records.anchor_store import GLOB_WEIGHT, AnchorStore
from tx_graph.records.learning_store import LearningStore

_SEEDS_OF_A_GLOB = 50
"""Files of one glob that a walk may start from: it may match thousands, none of them better than the others."""


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
            most = HUB if ask.is_capped else None
            strands += self._as_strands(self._by_glob(ask.nodes, to_files=not only_to_learnings, most=most))
        return [self._shown(strand) for strand in strands]

    def between_files(self, ask: Ask) -> list[Strand]:
        """Return what is left of them when only edges between files are of interest."""
        return self.neighbors_of(ask, among=BETWEEN_FILES)

    def edges_of(self, node: NodeId) -> list[Edge]:
        """Return every edge of a node, however many, that leads to something that may be shown."""
        stored = self._edges.leaving([node], types=self._types, direction=self._direction) if node > 0 else []
        globbed = self._by_glob([node]) if EdgeType.ANCHORED_TO in self._types else []
        return [edge for edge in stored + globbed if edge.target not in self._withheld]

    def worded(self, edges: Collection[Edge]) -> dict[Edge, Edge]:
        """Return each edge of a path with its relation and description."""
        bare = [edge for edge in edges if not edge.relation and not edge.description]
        stored = self._edges.worded([edge for edge in bare if min(edge[:2]) > 0])
        return {edge: stored.get(edge) or self._globbed.get(edge, edge) for edge in edges}

    def degrees(self, nodes: Collection[NodeId]) -> dict[NodeId, float]:
        """Return how many imports and co-changes touch each of the nodes that is a file and has any."""
        return self._edges.degrees([node for node in nodes if node > 0])

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

    def name(self, nodes: Collection[NodeId]) -> dict[NodeId, tuple[NodeKind, str]]:
        """Return kind and canonical reference of each node."""
        described = self._nodes.describe([node for node in nodes if node > 0])
        learnings = [node for node, (kind, _) in described.items() if kind is NodeKind.LEARNING]
        entities = [node for node, (kind, _) in described.items() if kind is NodeKind.ENTITY]
        refs = {brief.node: brief.ref for brief in LearningStore(self._database).briefs_by_nodes(learnings)}
        refs |= EntityStore(self._database).refs(entities) if entities else {}
        named = {
            node: (kind, refs.get(node) or canonical_reference(kind, key)) for node, (kind, key) in described.items()
        }
        return named | {node: (NodeKind.FILE, path) for node, path in self._globs.unregistered.items()}

    def _by_glob(self, nodes: Collection[NodeId], *, to_files: bool = True, most: int | None = None) -> list[Edge]:
        out = self._globs.to_files(nodes, most=most) if to_files and self._direction is not Direction.IN else []
        return out + (self._globs.to_learnings(nodes) if self._direction is not Direction.OUT else [])

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
