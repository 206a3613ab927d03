"""The graph as a walk sees it: stored edges, anchors by glob matched now, withheld learnings left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property

from tx_graph.codebase.globs import PathMatcher
from tx_graph.domain.edges import Direction, Edge, EdgeType, NodeId
from tx_graph.domain.references import NodeKind, canonical_reference
from tx_graph.services.glob_edges import GlobEdges
from tx_graph.storage.anchors import AnchorStore
from tx_graph.storage.edges import EdgeStore
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.nodes import NodeStore

_BETWEEN_FILES = (EdgeType.IMPORTS, EdgeType.CO_CHANGES_WITH)
_SEEDS_OF_A_GLOB = 50
"""Files of one glob that a walk may start from: it may match thousands, none of them better than the others."""


class GraphView:
    """Answers `neighbors_of` for one walk, with its edge types and direction, and names the nodes it met.

    `glob_files` are those that globs match.
    """

    def __init__(
        self,
        *,
        edges: EdgeStore,
        anchors: AnchorStore,
        nodes: NodeStore,
        learnings: LearningStore,
        glob_files: Callable[[], PathMatcher],
        types: Sequence[EdgeType] = tuple(EdgeType),
        direction: Direction = Direction.BOTH,
    ) -> None:
        self._edges = edges
        self._nodes = nodes
        self._learnings = learnings
        self._globs = GlobEdges(anchors=anchors, nodes=nodes, files=glob_files)
        self._types = types
        self._direction = direction
        self._shows_stale = False

    def show_stale(self) -> None:
        """Let this walk come to superseded and retracted learnings too."""
        self._shows_stale = True

    def neighbors_of(self, frontier: Collection[NodeId]) -> list[Edge]:
        """Return every edge that leads away from the frontier to something that may be shown."""
        edges = self._stored(frontier, self._types)
        if EdgeType.ANCHORED_TO in self._types and self._direction is not Direction.IN:
            edges += self._globs.to_files(frontier)
        return self._shown(edges + self._from_files(frontier))

    def learnings_near(self, frontier: Collection[NodeId]) -> list[Edge]:
        """Return what is left of them when only learnings are of interest: no edge between files, no glob to one."""
        edges = self._stored(frontier, [kind for kind in self._types if kind not in _BETWEEN_FILES])
        return self._shown(edges + self._from_files(frontier))

    def _stored(self, frontier: Collection[NodeId], types: Sequence[EdgeType]) -> list[Edge]:
        registered = [node for node in frontier if node > 0]
        return self._edges.leaving(registered, types=types, direction=self._direction) if registered else []

    def _from_files(self, frontier: Collection[NodeId]) -> list[Edge]:
        if EdgeType.ANCHORED_TO not in self._types or self._direction is Direction.OUT:
            return []
        return self._globs.to_learnings(frontier)

    def _shown(self, edges: list[Edge]) -> list[Edge]:
        return [edge for edge in edges if edge.target not in self._withheld] if self._withheld else edges

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
        numbers = {brief.node: brief.ref for brief in self._learnings.briefs_by_nodes(learnings)}
        named = {
            node: (kind, numbers.get(node) or canonical_reference(kind, key)) for node, (kind, key) in described.items()
        }
        return named | {node: (NodeKind.FILE, path) for node, path in self._globs.unregistered.items()}

    @cached_property
    def _withheld(self) -> set[NodeId]:
        return self._edges.withheld(stale=self._shows_stale)
