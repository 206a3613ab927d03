"""Edges as rows: the asserted ones, and the view over every layer that a walk reads."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable

from tx_graph.domain.edges import SYMMETRIC, Direction, Edge, EdgeType, NodeId, Relation
from tx_graph.domain.learning import Link
from tx_graph.storage.database import Database
from tx_graph.storage.layers import LAYERS


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
        """Return the valid edges of these types that lead away from the frontier.

        Edges stored the other way round come turned (`forward` False); symmetric ones count both ways. One
        question per layer and way, whatever the size of the frontier.
        """
        forward = set(types) if direction is not Direction.IN else set(types) & set(SYMMETRIC)
        backward = set(types) if direction is not Direction.OUT else set(types) & set(SYMMETRIC)
        nodes = json.dumps(list(frontier))
        found: list[Edge] = []
        for layer in LAYERS:
            if wanted := layer.types & forward:
                found += layer.edges(self._database.rows(layer.forward, _asked(nodes, wanted)), forward=True)
            if wanted := layer.types & backward:
                found += layer.edges(self._database.rows(layer.backward, _asked(nodes, wanted)), forward=False)
        return found

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


def _asked(nodes: str, types: Collection[EdgeType]) -> dict[str, str]:
    return {"nodes": nodes, "types": json.dumps(list(types))}
