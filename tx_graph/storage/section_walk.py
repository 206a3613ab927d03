"""The edges of sections as a walk over documents asks for them, and the words of those that it ends up showing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from tx_graph.domain.edges import SYMMETRIC, Direction, NodeId, Relation, Strand
from tx_graph.storage.database import Database

_MOST_ROWS = 5_000
"""Edges that one step reads each way, the heaviest: a file that every section names leads to all of them."""
_AMONG = "IN (SELECT value FROM json_each(:nodes))"


class SectionTie(NamedTuple):
    """An edge of a section as an answer tells it; stored from `source` to `target`."""

    source: NodeId
    target: NodeId
    relation: str
    weight: float
    description: str


class SectionWalk:
    """Reads the edges of sections, a whole frontier at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def leaving(
        self,
        frontier: Collection[NodeId],
        *,
        relations: Collection[Relation],
        direction: Direction,
        least: float = 0.0,
    ) -> list[Strand]:
        """Return the edges of these relations that lead away from the frontier, none lighter than `least`.

        Those stored the other way round come turned; what two sections share, such as being alike, counts both ways.
        """
        asked = {
            "nodes": json.dumps(list(frontier)),
            "relations": json.dumps([relation.value for relation in relations]),
            "symmetric": json.dumps(list(SYMMETRIC)),
            "least": least,
            "most": _MOST_ROWS,
        }
        found: list[Strand] = []
        for forward, against in ((True, Direction.IN), (False, Direction.OUT)):
            start, end = ("source", "target") if forward else ("target", "source")
            only = "AND edge_type IN (SELECT value FROM json_each(:symmetric))" if direction is against else ""
            rows = self._database.rows(
                f"""
                SELECT {start}, {end}, weight, edge_type
                FROM section_edges
                WHERE {start} {_AMONG} AND weight >= :least
                  AND relation IN (SELECT value FROM json_each(:relations)) {only}
                ORDER BY weight DESC, {start}, {end}
                LIMIT :most
                """,
                asked,
            )
            found += _strands(rows, forward=forward)
        return found

    def ties(self, nodes: Collection[NodeId], others: Collection[NodeId]) -> list[SectionTie]:
        """Return the edges between some nodes and others, whichever way they lead, heaviest first."""
        rows = self._database.rows(
            f"""
            SELECT source, target, relation, weight, description
            FROM section_edges
            WHERE source {_AMONG} AND target IN (SELECT value FROM json_each(:others))
            UNION
            SELECT source, target, relation, weight, description
            FROM section_edges
            WHERE target {_AMONG} AND source IN (SELECT value FROM json_each(:others))
            ORDER BY weight DESC, source, target, relation
            """,
            {"nodes": json.dumps(list(nodes)), "others": json.dumps(list(others))},
        )
        return [SectionTie._make(row) for row in rows]


def _strands(rows: Collection[tuple[NodeId, NodeId, float, str]], *, forward: bool) -> list[Strand]:
    by_type: dict[str, list[tuple[NodeId, NodeId, float]]] = defaultdict(list)
    for start, end, weight, kind in rows:
        by_type[kind].append((start, end, weight))
    return [Strand(kind, forward, typed) for kind, typed in sorted(by_type.items())]
