"""Edges between nodes: their types, their relations and which ways a walk may follow them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

NodeId = int
"""Local number of a node in the registry; meaningless outside one database."""


class EdgeType(StrEnum):
    """The closed set of edge types (PRD-014: fixed ontology)."""

    ANCHORED_TO = "ANCHORED_TO"
    DERIVED_FROM = "DERIVED_FROM"
    IMPORTS = "IMPORTS"
    CO_CHANGES_WITH = "CO_CHANGES_WITH"
    SIMILAR_TO = "SIMILAR_TO"
    LINKS_TO = "LINKS_TO"
    USED_IN_RUN = "USED_IN_RUN"
    INVALIDATED_BY = "INVALIDATED_BY"


class Relation(StrEnum):
    """What a LINKS_TO edge between two learnings, or an edge between two sections, means."""

    REFERENCES = "references"
    ELABORATES = "elaborates"
    DEPENDS_ON = "depends_on"
    CONTRADICTS = "contradicts"
    PART_OF = "part_of"
    SIMILAR_TO = "similar_to"
    SEQUENCE = "sequence"
    CAUSED_BY = "caused_by"


class Direction(StrEnum):
    """Which way a walk follows edges."""

    BOTH = "both"
    OUT = "out"
    IN = "in"


SYMMETRIC = (EdgeType.CO_CHANGES_WITH, EdgeType.SIMILAR_TO)
"""Edge types without a direction: stored once, and followed both ways whatever the direction asked for."""


class Edge(NamedTuple):
    """One edge as a walk sees it, turned so that it leads from `source` to `target`.

    A tuple rather than a dataclass: a walk makes one per edge, and tuples are made five times as fast.
    `weight` lies in [0, 1]; `forward` is False when the stored edge points the other way.
    """

    source: NodeId
    target: NodeId
    type: str
    weight: float = 1.0
    relation: str = ""
    description: str = ""
    forward: bool = True


class Strand(NamedTuple):
    """Edges of one type that are followed one way, as bare rows of (source, target, weight).

    This is all that a walk over thousands of edges needs: their other columns are read for the few that it ends up
    showing. `cut` counts the sources that have more edges than are here: only their heaviest are.
    """

    type: str
    forward: bool
    rows: Sequence[tuple[NodeId, NodeId, float]]
    cut: int = 0

    def edge(self, source: NodeId, target: NodeId, weight: float) -> Edge:
        """Return one of its rows as an edge, without what is not here."""
        return Edge(source, target, self.type, weight, "", "", self.forward)
