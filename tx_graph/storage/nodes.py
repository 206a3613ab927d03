"""The registry of nodes that every edge points at."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.storage.database import Database


class NodeStore:
    """Gives things their node ids and ids their things."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ensure(self, kind: NodeKind, keys: Iterable[str]) -> dict[str, NodeId]:
        """Return the node of each key, registering those that are new. Needs a transaction."""
        wanted = sorted(set(keys))
        self._database.write_many(
            "INSERT OR IGNORE INTO nodes (kind, key) VALUES (?, ?)", ((kind.value, key) for key in wanted)
        )
        return self.find(kind, wanted)

    def find(self, kind: NodeKind, keys: Collection[str]) -> dict[str, NodeId]:
        """Return the node of each key that has one."""
        return dict(
            self._database.rows(
                """
                SELECT key, id
                FROM nodes
                WHERE kind = :kind AND key IN (SELECT value FROM json_each(:keys))
                """,
                {"kind": kind.value, "keys": json.dumps(list(keys))},
            )
        )

    def beginning(self, kind: NodeKind, start: str, *, limit: int) -> dict[str, NodeId]:
        """Return the nodes whose keys begin so, by key."""
        return dict(
            self._database.rows(
                """
                SELECT key, id
                FROM nodes
                WHERE kind = :kind AND substr(key, 1, length(:start)) = :start
                ORDER BY key
                LIMIT :limit
                """,
                {"kind": kind.value, "start": start, "limit": limit},
            )
        )

    def describe(self, nodes: Collection[NodeId]) -> dict[NodeId, tuple[NodeKind, str]]:
        """Return kind and key of each node."""
        rows = self._database.rows(
            "SELECT id, kind, key FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes))",
            {"nodes": json.dumps(list(nodes))},
        )
        return {node: (NodeKind(kind), key) for node, kind, key in rows}

    def files_of_symbols(self, nodes: Collection[NodeId]) -> dict[NodeId, NodeId]:
        """Return the node of the file of each of the nodes that is a symbol."""
        rows = self._database.rows(
            """
            SELECT s.id, f.id
            FROM nodes s
            JOIN nodes f ON f.kind = 'file' AND f.key = substr(s.key, 1, instr(s.key, '::') - 1)
            WHERE s.id IN (SELECT value FROM json_each(:nodes)) AND s.kind = 'symbol'
            """,
            {"nodes": json.dumps(list(nodes))},
        )
        return dict(rows)

    def symbols_like(self, text: str, *, limit: int) -> list[str]:
        """Return qualified names of known symbols that contain `text`."""
        return [
            key
            for (key,) in self._database.rows(
                """
                SELECT key
                FROM nodes
                WHERE kind = 'symbol' AND instr(lower(key), lower(:text))
                ORDER BY key
                LIMIT :limit
                """,
                {"text": text, "limit": limit},
            )
        ]
