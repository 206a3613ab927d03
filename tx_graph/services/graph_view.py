"""The graph as a walk sees it: stored edges, anchors by glob matched now, withheld learnings left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

from tx_graph.codebase.globs import PathMatcher
from tx_graph.domain.edges import Direction, Edge, EdgeType, NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.storage.anchors import GLOB_WEIGHT, AnchorStore
from tx_graph.storage.edges import EdgeStore
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.nodes import NodeStore

_BETWEEN_FILES = (EdgeType.IMPORTS, EdgeType.CO_CHANGES_WITH)


class GraphView:
    """Answers `neighbors_of` for one walk, with its edge types and direction, and names the nodes it met.

    A file that the registry does not know (new since the last index, yet matched by a glob) gets a negative
    id for the time of the walk.
    """

    def __init__(
        self,
        *,
        edges: EdgeStore,
        anchors: AnchorStore,
        nodes: NodeStore,
        learnings: LearningStore,
        listed_files: Callable[[], PathMatcher],
        types: Sequence[EdgeType] = tuple(EdgeType),
        direction: Direction = Direction.BOTH,
    ) -> None:
        self._edges = edges
        self._anchors = anchors
        self._nodes = nodes
        self._learnings = learnings
        self._listed_files = listed_files
        self._types = types
        self._direction = direction
        self._unregistered: dict[str, NodeId] = {}

    def neighbors_of(self, frontier: Collection[NodeId]) -> list[Edge]:
        """Return every edge that leads away from the frontier to something that may be shown."""
        return self._leaving(frontier, self._types)

    def learnings_near(self, frontier: Collection[NodeId]) -> list[Edge]:
        """Return the same edges but those that join files: what is left when only learnings are of interest."""
        return self._leaving(frontier, [kind for kind in self._types if kind not in _BETWEEN_FILES])

    def _leaving(self, frontier: Collection[NodeId], types: Sequence[EdgeType]) -> list[Edge]:
        registered = [node for node in frontier if node > 0]
        edges = self._edges.leaving(registered, types=types, direction=self._direction) if registered else []
        edges += self._glob_edges(frontier)
        return [edge for edge in edges if edge.target not in self._withheld] if self._withheld else edges

    def seed_files(self, learnings: Collection[NodeId]) -> list[Edge]:
        """Return the anchors of these learnings, globs included, whatever types the walk follows."""
        anchored = self._edges.leaving(learnings, types=[EdgeType.ANCHORED_TO], direction=Direction.OUT)
        kinds = self._nodes.describe({edge.target for edge in anchored})
        files = [edge for edge in anchored if kinds[edge.target][0] is NodeKind.FILE]
        return files + [edge for node in learnings for edge in self._glob_targets.get(node, ())]

    def unregistered(self, path: str) -> NodeId | None:
        """Return the id, for this walk, of a file that only a glob knows; None when none matches it."""
        return self._unregistered.get(path) if self._glob_targets else None

    def name(self, nodes: Collection[NodeId]) -> dict[NodeId, tuple[NodeKind, str]]:
        """Return kind and canonical reference of each node."""
        described = self._nodes.describe([node for node in nodes if node > 0])
        learnings = [node for node, (kind, _) in described.items() if kind is NodeKind.LEARNING]
        numbers = {brief.node: brief.ref for brief in self._learnings.briefs_by_nodes(learnings)}
        named = {node: (kind, numbers.get(node, key)) for node, (kind, key) in described.items()}
        return named | {node: (NodeKind.FILE, path) for path, node in self._unregistered.items()}

    @cached_property
    def _withheld(self) -> set[NodeId]:
        return self._edges.withheld()

    def _glob_edges(self, frontier: Collection[NodeId]) -> list[Edge]:
        if EdgeType.ANCHORED_TO not in self._types or not self._glob_targets:
            return []
        found: list[Edge] = []
        for node in frontier:
            if self._direction is not Direction.IN:
                found += self._glob_targets.get(node, ())
            if self._direction is not Direction.OUT:
                found += self._glob_sources.get(node, ())
        return found

    @cached_property
    def _glob_targets(self) -> Mapping[NodeId, list[Edge]]:
        """The files that each learning's globs match now."""
        patterns = self._anchors.globs()
        if not patterns:
            return {}
        matched = [(learning, pattern, self._listed_files().matching(pattern)) for learning, pattern in patterns]
        nodes = self._file_nodes({path for _, _, paths in matched for path in paths})
        targets: dict[NodeId, list[Edge]] = defaultdict(list)
        for learning, pattern, paths in matched:
            targets[learning] += [_glob_edge(learning, nodes[path], pattern) for path in paths]
        return targets

    @cached_property
    def _glob_sources(self) -> Mapping[NodeId, list[Edge]]:
        """The same edges, turned: from each file to the learnings whose globs match it."""
        sources: dict[NodeId, list[Edge]] = defaultdict(list)
        for edges in self._glob_targets.values():
            for edge in edges:
                turned = edge._replace(source=edge.target, target=edge.source, forward=False)
                sources[edge.target].append(turned)
        return sources

    def _file_nodes(self, paths: Collection[str]) -> Mapping[str, NodeId]:
        nodes = self._nodes.find(NodeKind.FILE, paths)
        for path in sorted(set(paths) - nodes.keys()):
            self._unregistered[path] = -1 - len(self._unregistered)
        return nodes | self._unregistered


def _glob_edge(learning: NodeId, file: NodeId, pattern: str) -> Edge:
    return Edge(learning, file, EdgeType.ANCHORED_TO, GLOB_WEIGHT, "glob", pattern)
