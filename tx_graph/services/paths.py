"""Paths through the graph in words: which edges led from one node to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tx_graph.domain.edges import Direction, Edge, EdgeType, NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.domain.verdict import Standing
from tx_graph.retrieval.expansion import Reached
from tx_graph.services.graph_view import GraphView

ViewOf = Callable[[Sequence[EdgeType], Direction], GraphView]
"""Makes the view of the graph for one walk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One edge of a path, with its ends as references; `forward` is False when it points the other way."""

    source: str
    target: str
    type: str
    weight: float
    relation: str
    description: str
    forward: bool

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
class Neighbor:
    """A node that a walk reached: its score in [0, 1] and the steps from the start that earned it.

    `standing` says of a learning whether its code still stands, where that was asked; None of other nodes.
    """

    ref: str
    kind: NodeKind
    score: float
    steps: tuple[Step, ...]
    node: NodeId
    standing: Standing | None = None

    @property
    def hops(self) -> int:
        """Edges between the start and this node."""
        return len(self.steps)

    @property
    def path(self) -> tuple[str, ...]:
        """References from the start to this node, both included."""
        return (*(step.source for step in self.steps), self.ref)


def described(reached: Sequence[Reached], view: GraphView) -> list[Neighbor]:
    """Return what a walk reached, in words instead of numbers."""
    nodes = {one.node for one in reached} | {end for one in reached for edge in one.path for end in edge[:2]}
    names = view.name(nodes)
    worded = view.worded({edge for one in reached for edge in one.path})
    return [
        Neighbor(
            ref=names[one.node][1],
            kind=names[one.node][0],
            score=one.score,
            steps=tuple(step_of(worded[edge], names) for edge in one.path),
            node=one.node,
        )
        for one in reached
        if one.node in names
    ]


def step_of(edge: Edge, names: Mapping[NodeId, tuple[NodeKind, str]]) -> Step:
    """Return an edge with its ends by name."""
    return Step(
        source=names[edge.source][1],
        target=names[edge.target][1],
        type=edge.type,
        weight=edge.weight,
        relation=edge.relation,
        description=edge.description,
        forward=bool(edge.forward),
    )
