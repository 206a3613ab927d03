"""Where learnings come from: DERIVED_FROM edges to tasks, runs and commits."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from tx_graph.core.database import Store
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.records.learning import Learning, SourceType


class ProvenanceStore(Store):
    """Ties learnings to what they are derived from."""

    def derive(self, learning: NodeId, origin: NodeId, *, at: str) -> None:
        """Assert that a learning is derived from a task, run or commit. Needs a transaction."""
        self._database.write(
            """
            INSERT INTO learning_edges (source, target, edge_type, created_at)
            VALUES (?, ?, 'DERIVED_FROM', ?)
            ON CONFLICT (source, target, edge_type, relation) DO UPDATE SET invalidated_at = NULL
            """,
            (learning, origin, at),
        )

    def derived(self, origins: Collection[NodeId]) -> list[NodeId]:
        """Return the learnings that are derived from any of these, oldest node first."""
        rows = self._database.rows(
            """
            SELECT DISTINCT source
            FROM learning_edges
            WHERE target IN (SELECT value FROM json_each(:origins))
              AND edge_type = 'DERIVED_FROM' AND invalidated_at IS NULL
            ORDER BY source
            """,
            {"origins": json.dumps(list(origins))},
        )
        return [node for (node,) in rows]

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

    def adopt(self, task: NodeId, external_id: str, *, at: str) -> None:
        """Derive from a task the learnings whose records name it by its external id. Needs a transaction."""
        self._database.write(
            """
            INSERT OR IGNORE INTO learning_edges (source, target, edge_type, created_at)
            SELECT node_id, :task, 'DERIVED_FROM', :at
            FROM learnings
            WHERE present = 1 AND source_type = 'task' AND source_ref = :name COLLATE NOCASE
            """,
            {"task": task, "name": external_id, "at": at},
        )

    def follow(self, node: NodeId, learning: Learning, *, at: str) -> None:
        """Derive a learning from the commit, or the task of a tracker, that its record names. Needs a transaction.

        A local number in a record says nothing: it may have been given out elsewhere.
        """
        kind, ref, origin = learning.source_type, learning.source_ref or "", None
        if kind is SourceType.COMMIT and (found := _COMMIT.fullmatch(ref)):
            origin = NodeStore(self._database).ensure(NodeKind.COMMIT, [found[1]])[found[1]]
        elif kind is SourceType.TASK:
            origin = self._database.value("SELECT node_id FROM tasks WHERE external_id = ?", (ref,))
        if origin is not None:
            self.derive(node, origin, at=at)

    def withdraw(self, learning: NodeId, *, at: str) -> None:
        """Invalidate the edges from an absent learning to tasks, runs and commits. Needs a transaction."""
        self._database.write(
            f"""
            UPDATE learning_edges
            SET invalidated_at = :at
            WHERE source = :learning AND {_TO_WORK} AND invalidated_at IS NULL
            """,
            {"learning": learning, "at": at},
        )

    def reassert(self, uid: str) -> None:
        """Let them be valid again if the learning is absent still: its record is back. Needs a transaction."""
        self._database.write(
            f"""
            UPDATE learning_edges
            SET invalidated_at = NULL
            WHERE source = (SELECT node_id FROM learnings WHERE uid = :uid AND present = 0) AND {_TO_WORK}
            """,
            {"uid": uid},
        )


_COMMIT = re.compile(rf"{NodeKind.COMMIT}:([0-9a-f]{{40}}|[0-9a-f]{{64}})")
"""A commit by its whole hash: the beginning of one may mean several."""
_TO_WORK = "edge_type IN ('DERIVED_FROM', 'USED_IN_RUN')"
"""The edges that lead from a learning to tasks, runs and commits."""
