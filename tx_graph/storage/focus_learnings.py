"""Learnings as the focus view sees them: where they are anchored, and how they are linked to each other."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.storage.database import Database
from tx_graph.storage.visibility import SHOWN

_LEAD = 1_000
"""Characters of a learning to read where only its beginning is shown."""


class LearningLink(NamedTuple):
    """A LINKS_TO edge between two learnings."""

    source: NodeId
    target: NodeId
    relation: str


class LearningNote(NamedTuple):
    """What is to say of a learning; `successor` is the number of the one that took its place."""

    node: NodeId
    number: int
    content: str
    status: str
    is_removed: int
    successor: int | None


class FocusLearnings:
    """Answers where learnings belong. Withheld ones are in no list."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def anchored_to(self, node: NodeId) -> list[NodeId]:
        """Return the learnings that are anchored to a file or symbol, by number; anchors by glob are left out."""
        rows = self._database.rows(
            f"""
            SELECT DISTINCT l.node_id, l.id
            FROM (
                SELECT learning FROM file_anchors WHERE file_node = :node AND status <> 'invalid'
                UNION
                SELECT learning FROM file_anchors WHERE symbol_node = :node AND status <> 'invalid'
            ) a
            JOIN learnings l ON l.node_id = a.learning
            WHERE {SHOWN}
            ORDER BY l.id
            """,
            {"node": node},
        )
        return [learning for learning, _ in rows]

    def place(self, learning: NodeId) -> tuple[str, bool] | None:
        """Return what a learning is anchored to above all: a path, or a glob (True); None without anchors."""
        found: tuple[str, bool] | None = self._database.row(
            """
            SELECT file_path, anchor_type = 'glob'
            FROM file_anchors
            WHERE learning = :learning
            ORDER BY anchor_type = 'glob', status = 'invalid', weight DESC, id
            LIMIT 1
            """,
            {"learning": learning},
        )
        return None if found is None else (found[0], bool(found[1]))

    def links_from(self, learning: NodeId) -> list[LearningLink]:
        """Return the links of a learning to others, by relation and number."""
        return self._links("e.source = :learning", "e.target", learning)

    def links_to(self, learning: NodeId) -> list[LearningLink]:
        """Return the links of others to a learning, by relation and number."""
        return self._links("e.target = :learning", "e.source", learning)

    def _links(self, condition: str, other: str, learning: NodeId) -> list[LearningLink]:
        rows = self._database.rows(
            f"""
            SELECT e.source, e.target, e.relation
            FROM learning_edges e
            JOIN learnings l ON l.node_id = {other}
            WHERE {condition} AND e.edge_type = 'LINKS_TO' AND e.invalidated_at IS NULL AND {SHOWN}
            ORDER BY e.relation, l.id
            """,
            {"learning": learning},
        )
        return [LearningLink._make(row) for row in rows]

    def notes(self, nodes: Collection[NodeId], *, is_whole: bool = False) -> dict[NodeId, LearningNote]:
        """Return what is to say of each of the nodes that is a learning: all, or not much more than how it begins."""
        rows = self._database.rows(
            """
            SELECT l.node_id, l.id, substr(l.content, 1, :most), l.status, l.removed_at IS NOT NULL, s.id
            FROM learnings l
            LEFT JOIN learnings s ON s.uid = l.superseded_by
            WHERE l.present = 1 AND l.node_id IN (SELECT value FROM json_each(:nodes))
            """,
            {"nodes": json.dumps(list(nodes)), "most": 2**31 if is_whole else _LEAD},
        )
        return {row[0]: LearningNote._make(row) for row in rows}
