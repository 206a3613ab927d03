"""When each analysis last ran, and on what."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar

from tx_graph.core.database import Store
from tx_graph.core.dataclass import dataclass, field
from tx_graph.graph.edges import NodeId
from tx_graph.graph.references import NodeKind


class NodeStore(Store):
    """Gives things their node ids and ids their things."""

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

    def after(self, node: NodeId, *, limit: int) -> list[NodeId]:
        """Return the nodes that follow a node by their ids, in this order."""
        rows = self._database.rows("SELECT id FROM nodes WHERE id > ? ORDER BY id LIMIT ?", (node, limit))
        return [found for (found,) in rows]

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

    def documents_with(self, slugs: Collection[str]) -> list[str]:
        """Return the paths of documents that have a section of one of these names, `#setup`, sorted."""
        rows = self._database.rows(
            """
            SELECT n.key
            FROM nodes n
            WHERE n.kind = 'section'
              AND EXISTS (SELECT 1 FROM json_each(:slugs) AS s WHERE substr(n.key, -length(s.value)) = s.value)
            """,
            {"slugs": json.dumps(list(slugs))},
        )
        return sorted({key.rpartition("#")[0] for (key,) in rows})

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


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisRun:
    """One finished analysis: `index`, `imports` or `cochanges`. `head` is the commit it saw, None outside git."""

    JSON: ClassVar = "finished_at head options"

    name: str
    finished_at: str
    head: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


class AnalysisStore(Store):
    """Remembers the last run of each analysis."""

    def record(self, run: AnalysisRun) -> None:
        """Remember `run` as the last of its name. Needs a transaction."""
        self._database.write(
            "INSERT OR REPLACE INTO analyses (name, finished_at, head, options) VALUES (?, ?, ?, ?)",
            (run.name, run.finished_at, run.head, json.dumps(dict(run.options), sort_keys=True)),
        )

    def last(self, name: str) -> AnalysisRun | None:
        """Return the last run of an analysis, None if it never ran."""
        row = self._database.row("SELECT finished_at, head, options FROM analyses WHERE name = ?", (name,))
        if row is None:
            return None
        return AnalysisRun(name=name, finished_at=row[0], head=row[1], options=json.loads(row[2]))
