"""Learnings by what they are anchored to."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.domain.edges import NodeId
from tx_graph.services.focus.place import Kind, Place
from tx_graph.services.glob_edges import GlobEdges
from tx_graph.storage.focus_learnings import FocusLearnings


class Anchored:
    """Answers which learnings are about a file or symbol; `withheld` are those that no list shows."""

    def __init__(self, *, store: FocusLearnings, globs: GlobEdges, withheld: set[NodeId]) -> None:
        self._store = store
        self._globs = globs
        self._withheld = withheld

    def to_node(self, node: NodeId) -> Sequence[Place]:
        """Return the learnings that are anchored to a file or symbol, by number; those by a glob come last."""
        exact = self._store.anchored_to(node)
        globbed = sorted({edge.target for edge in self._globs.to_learnings([node])} - {*exact, *self._withheld})
        return [Place(Kind.LEARNING, node=learning) for learning in (*exact, *globbed)]
