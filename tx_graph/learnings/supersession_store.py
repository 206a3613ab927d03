"""What one learning leaves to another that takes its place."""

from __future__ import annotations

from tx_graph.core.database import Database
from tx_graph.graph.edges import NodeId


class SupersessionStore:
    """Hands on what no record holds, and says who speaks of a learning."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def inherit(self, heir: NodeId, predecessor: NodeId, *, now: str) -> int:
        """Let the heir be derived from all that its predecessor is; return from how much. Needs a transaction."""
        self._database.write(
            """
            INSERT INTO learning_edges (source, target, edge_type, weight, description, metadata, created_at)
            SELECT :heir, target, edge_type, weight, description, metadata, :now
            FROM learning_edges
            WHERE source = :predecessor AND edge_type = 'DERIVED_FROM' AND invalidated_at IS NULL AND target <> :heir
            ON CONFLICT (source, target, edge_type, relation) DO UPDATE SET invalidated_at = NULL
            """,
            {"heir": heir, "predecessor": predecessor, "now": now},
        )
        return int(
            self._database.value(
                """
                SELECT count(*)
                FROM learning_edges
                WHERE source = ? AND edge_type = 'DERIVED_FROM' AND invalidated_at IS NULL
                """,
                (predecessor,),
            )
        )

    def linking_to(self, learning: NodeId) -> list[NodeId]:
        """Return the present learnings that link to this one."""
        rows = self._database.rows(
            """
            SELECT DISTINCT e.source
            FROM learning_edges e
            JOIN learnings l ON l.node_id = e.source AND l.present = 1
            WHERE e.target = ? AND e.edge_type = 'LINKS_TO' AND e.invalidated_at IS NULL
            ORDER BY e.source
            """,
            (learning,),
        )
        return [source for (source,) in rows]
