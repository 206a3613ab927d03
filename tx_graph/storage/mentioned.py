"""What sections, learnings and files speak of: the entities that are tied to them, and how closely."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.storage.database import Database

_MOST = 1_000
"""Mentions to read, the heaviest: a long document names everything."""


class Mention(NamedTuple):
    """That `node` speaks of `entity`, with a weight in (0, 1]; `mentions` counts all who speak of it."""

    node: NodeId
    entity: NodeId
    weight: float
    mentions: int


class Mentioned:
    """Reads mentions of entities of which anything is known."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def by(self, nodes: Collection[NodeId]) -> list[Mention]:
        """Return which entities with live facts these nodes speak of, the heaviest mentions first."""
        rows = self._database.rows(
            """
            SELECT m.node, m.entity, m.weight, e.mentions
            FROM mentions m
            JOIN entities e ON e.node_id = m.entity
            WHERE m.node IN (SELECT value FROM json_each(:nodes))
              AND EXISTS (
                  SELECT 1 FROM facts
                  WHERE subject = m.entity AND present = 1 AND status IN ('staged', 'confirmed')
              )
            ORDER BY m.weight DESC, m.node, m.entity
            LIMIT :most
            """,
            {"nodes": json.dumps(list(nodes)), "most": _MOST},
        )
        return [Mention._make(row) for row in rows]
