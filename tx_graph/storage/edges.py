"""Edges as rows: the asserted ones, and the view over every layer that a walk reads."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable

from tx_graph.domain.edges import SYMMETRIC, Direction, Edge, EdgeType, NodeId, Relation
from tx_graph.domain.learning import Link
from tx_graph.storage.database import Database


class EdgeStore:
    """Writes asserted edges and answers a whole frontier at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace_links(self, source: NodeId, links: Iterable[tuple[NodeId, Link]], *, now: str) -> None:
        """Make `links` the only LINKS_TO edges that leave `source`. Needs a transaction."""
        self._database.write("DELETE FROM learning_edges WHERE source = ? AND edge_type = 'LINKS_TO'", (source,))
        self._database.write_many(
            """
            INSERT INTO learning_edges (source, target, edge_type, relation, weight, created_at)
            VALUES (?, ?, 'LINKS_TO', ?, ?, ?)
            ON CONFLICT (source, target, edge_type, relation) DO UPDATE SET weight = excluded.weight
            """,
            ((source, target, link.relation.value, link.weight, now) for target, link in links),
        )

    def links_of(self, sources: Collection[NodeId]) -> dict[NodeId, list[Link]]:
        """Return the links that leave each learning, by target."""
        found: dict[NodeId, list[Link]] = defaultdict(list)
        rows = self._database.rows(
            """
            SELECT e.source, t.key, e.relation, e.weight
            FROM learning_edges e
            JOIN nodes t ON t.id = e.target
            WHERE e.source IN (SELECT value FROM json_each(:sources))
              AND e.edge_type = 'LINKS_TO' AND e.invalidated_at IS NULL
            ORDER BY e.source, t.key, e.relation
            """,
            {"sources": json.dumps(list(sources))},
        )
        for source, target, relation, weight in rows:
            found[source].append(Link(target=target, relation=Relation(relation), weight=weight))
        return found

    def leaving(self, frontier: Collection[NodeId], *, types: Collection[EdgeType], direction: Direction) -> list[Edge]:
        """Return the valid edges of these types that lead away from the frontier, heaviest first.

        Edges stored the other way round come turned (`forward` False); symmetric ones count both ways.
        """
        forward = types if direction is not Direction.IN else _symmetric(types)
        backward = types if direction is not Direction.OUT else _symmetric(types)
        rows = self._database.rows(
            _LEAVING,
            {
                "nodes": json.dumps(list(frontier)),
                "forward": json.dumps(list(forward)),
                "backward": json.dumps(list(backward)),
            },
        )
        return [Edge._make(row) for row in rows]

    def counts(self) -> dict[str, int]:
        """Return how many valid edges there are of each type."""
        return dict(
            self._database.rows(
                """
                SELECT type, count(*)
                FROM graph_edges
                WHERE valid
                GROUP BY type
                ORDER BY type
                """
            )
        )

    def withheld(self) -> set[NodeId]:
        """Return the nodes of learnings that no answer shows: removed, superseded, retracted or not present."""
        return {
            node
            for (node,) in self._database.rows(
                """
                SELECT node_id
                FROM learnings
                WHERE present = 0 OR removed_at IS NOT NULL OR status IN ('superseded', 'retracted')
                """
            )
        }


def _symmetric(types: Collection[EdgeType]) -> list[EdgeType]:
    return [kind for kind in types if kind in SYMMETRIC]


_LEAVING = """
    SELECT source, target, type, weight, relation, description, 1
    FROM graph_edges
    WHERE source IN (SELECT value FROM json_each(:nodes))
      AND valid AND type IN (SELECT value FROM json_each(:forward))
    UNION ALL
    SELECT target, source, type, weight, relation, description, 0
    FROM graph_edges
    WHERE target IN (SELECT value FROM json_each(:nodes))
      AND valid AND type IN (SELECT value FROM json_each(:backward))
    ORDER BY 4 DESC, 1, 3, 2, 5
"""
