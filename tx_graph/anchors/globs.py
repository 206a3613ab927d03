"""Anchors by glob as edges: matched against the files that are there now, and only as far as a walk asks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property

from tx_graph.core.globs import PathMatcher
from tx_graph.graph.edges import Edge, EdgeType, NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.records.anchor_store import GLOB_WEIGHT, AnchorStore


class GlobEdges:
    """Answers for one walk which files a learning's globs match, and whose globs match a file.

    A file that the registry does not know (new since the last index) gets a negative id for the time of the walk.
    """

    def __init__(self, *, anchors: AnchorStore, nodes: NodeStore, files: Callable[[], PathMatcher]) -> None:
        self._nodes = nodes
        self._files = files
        self._ids: dict[str, NodeId] = {}
        self.unregistered: dict[NodeId, str] = {}
        """The files met so far that only globs know."""
        self._patterns: dict[NodeId, list[str]] = defaultdict(list)
        for learning, pattern in anchors.globs():
            self._patterns[learning].append(pattern)

    def to_files(self, learnings: Iterable[NodeId], *, most: int | None = None) -> list[Edge]:
        """Return the edges from these learnings to every file that a glob of theirs matches, or `most` for each."""
        matched = [
            (learning, pattern, self._files().matching(pattern)[:most])
            for learning in learnings
            for pattern in self._patterns.get(learning, ())
        ]
        paths = {path for _, _, paths in matched for path in paths}
        ids = self._identified(paths, self._nodes.find(NodeKind.FILE, paths - self._ids.keys()))
        return [
            Edge(learning, ids[path], EdgeType.ANCHORED_TO, GLOB_WEIGHT, "glob", pattern)
            for learning, pattern, paths in matched
            for path in paths
        ]

    def to_learnings(self, nodes: Collection[NodeId]) -> list[Edge]:
        """Return the edges, turned, from those of these nodes that are files to the learnings whose globs match."""
        if not self._learnings:
            return []
        files = self._files()
        kinds = self._nodes.describe([node for node in nodes if node > 0])
        paths = {key: node for node, (kind, key) in kinds.items() if kind is NodeKind.FILE and key in files}
        paths |= {self.unregistered[node]: node for node in nodes if node in self.unregistered}
        return [
            Edge(paths[path], learning, EdgeType.ANCHORED_TO, GLOB_WEIGHT, "glob", pattern, forward=False)
            for pattern, learnings in self._learnings.items()
            for path in files.matching_among(pattern, paths)
            for learning in learnings
        ]

    def node_of(self, path: str) -> NodeId | None:
        """Return the id, for this walk, of a file; None when no glob matches it."""
        if not self._learnings or path not in self._files():
            return None
        if not any(self._files().matching_among(pattern, [path]) for pattern in self._learnings):
            return None
        return self._identified({path}, self._nodes.find(NodeKind.FILE, [path]))[path]

    @cached_property
    def _learnings(self) -> Mapping[str, list[NodeId]]:
        found: dict[str, list[NodeId]] = defaultdict(list)
        for learning, patterns in self._patterns.items():
            for pattern in patterns:
                found[pattern].append(learning)
        return found

    def _identified(self, paths: set[str], found: Mapping[str, NodeId]) -> Mapping[str, NodeId]:
        """Return the id of each path, of those that are registered as they were found."""
        self._ids |= found
        for path in sorted(paths - self._ids.keys()):
            self._ids[path] = -1 - len(self.unregistered)
            self.unregistered[self._ids[path]] = path
        return self._ids
