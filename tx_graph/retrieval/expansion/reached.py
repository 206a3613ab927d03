"""What an expansion brings back: nodes with the paths that lead to them, and how much was looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from tx_graph.domain.edges import Edge, NodeId


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


class Exploration(Protocol):
    """An expansion that is over, of whatever profile: ask it for a few nodes, or for all."""

    @property
    def scores(self) -> Mapping[NodeId, float]:
        """The score in [0, 1] of every node met."""

    def hops(self, node: NodeId) -> int:
        """Return how many edges lead to a node that was met."""

    def reached_at(self, node: NodeId) -> Reached:
        """Return a node that was met, with the path that leads to it."""

    def reached(self) -> list[Reached]:
        """Return the seeds and the best of the others, best first; ties go to fewer hops, then the smaller node."""

    def stats(self) -> ExpansionStats:
        """Return how much was looked at."""
