"""How edges are numbered in a hub: by their source and type, and by their relation. Pure."""

from __future__ import annotations

from tx_graph.graph.edges import EDGE_SOURCES, EdgeSource, EdgeType

_TYPES = tuple(EdgeType)
_TYPES_EACH = 16
"""More than there will be types of edges."""

RELATIONS = (
    "",
    *("glob", "hash", "symbol", "lines"),
    *("static", "re-export", "dynamic", "type-only"),
    *("references", "elaborates", "depends_on", "contradicts", "part_of", "similar_to", "sequence", "caused_by"),
)
"""What an edge's relation may be, of all sources. Hubs hold the numbers: what is new goes to the end."""


def lane_of(source: EdgeSource, kind: str) -> int:
    """Return the number of the edges of one type that come from one source."""
    return _TYPES_EACH * EDGE_SOURCES.index(source) + _TYPES.index(EdgeType(kind))


def relation_number(relation: str) -> int:
    """Return the number of a relation."""
    return RELATIONS.index(relation)
