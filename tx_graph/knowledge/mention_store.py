"""What sections, learnings and files speak of: the entities that are tied to them, and how closely."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import NamedTuple

from tx_graph.core.database import Store
from tx_graph.graph.edges import NodeId

_AMONG = "IN (SELECT value FROM json_each(:nodes))"
_MOST = 1_000  # mentions to read of nodes, the heaviest: a long document names everything


class MentionRow(NamedTuple):
    """That a node speaks of an entity; `origin` is identity, fact or text, `weight` lies in (0, 1]."""

    entity: NodeId
    node: NodeId
    origin: str
    times: int
    weight: float


class NameRow(NamedTuple):
    """A name as it is looked for; `word` is the most telling of its words, None where it is not looked for in texts."""

    name: str
    entity: NodeId
    word: str | None


class Mention(NamedTuple):
    """That `node` speaks of `entity`, with a weight in (0, 1]; `mentions` counts all who speak of it."""

    node: NodeId
    entity: NodeId
    weight: float
    mentions: int


class MentionStore(Store):
    """Reads and writes mentions, and what they were made of; what writes needs a transaction."""

    def is_current(self) -> bool:
        """Whether nothing has changed since mentions were last brought up to date."""
        return not (self.names_changed() or self._database.value("SELECT EXISTS (SELECT 1 FROM mention_queue)"))

    def names_changed(self) -> bool:
        """Whether entities have got or lost a name since names were last compared."""
        return bool(self._database.value("SELECT names_changed FROM mention_state"))

    def settle(self) -> None:
        """Note that mentions are up to date."""
        self._database.write("DELETE FROM mention_queue")
        self._database.write("UPDATE mention_state SET names_changed = 0")

    def names(self) -> list[NameRow]:
        """Return the names as they were last looked for."""
        return [NameRow(*row) for row in self._database.rows("SELECT name, entity, word FROM mention_names")]

    def names_with(self, words: Collection[str]) -> list[tuple[str, NodeId]]:
        """Return the names, each with its entity, whose most telling word is one of these."""
        return self._database.rows(
            "SELECT name, entity FROM mention_names WHERE word IN (SELECT value FROM json_each(:words))",
            {"words": json.dumps(list(words))},
        )

    def rename(self, gone: Iterable[NameRow], new: Iterable[NameRow]) -> None:
        """Look for these names from now on, and for those not any more."""
        self._database.write_many(
            "DELETE FROM mention_names WHERE name = ? AND entity = ?", ((row.name, row.entity) for row in gone)
        )
        self._database.write_many("INSERT INTO mention_names (name, entity, word) VALUES (?, ?, ?)", new)

    def queue_speakers_of(self, entities: Collection[NodeId]) -> None:
        """Have all that speaks of these entities looked at again."""
        self._database.write(
            f"INSERT OR IGNORE INTO mention_queue SELECT node FROM mentions WHERE entity {_AMONG}",
            {"nodes": json.dumps(list(entities))},
        )

    def queue_texts_with(self, words: Collection[str]) -> None:
        """Have all texts looked at again that have one of these words."""
        for table, wanted in (
            ("chunks_fts", "SELECT section FROM chunks WHERE id IN (SELECT rowid FROM found)"),
            ("learnings_fts", "SELECT node_id FROM learnings WHERE id IN (SELECT rowid FROM found)"),
        ):
            self._database.write_many(
                f"""
                WITH found AS (SELECT rowid FROM {table} WHERE {table} MATCH ?)
                INSERT OR IGNORE INTO mention_queue {wanted}
                """,
                ((f'"{word}"',) for word in words),
            )

    def queue_every_text(self) -> None:
        """Have every text looked at again."""
        self._database.write(
            """
            INSERT OR IGNORE INTO mention_queue
            SELECT node_id FROM sections WHERE text <> ''
            UNION
            SELECT node_id FROM learnings WHERE present = 1
            """
        )

    def queue_identities(self) -> None:
        """Have that looked at again which is what an entity is called, and is not known to be it, or is no more."""
        self._database.write(f"INSERT OR IGNORE INTO mention_queue {_UNKNOWN} UNION {_GONE}")

    def queue(self) -> list[NodeId]:
        """Return what is to be looked at again."""
        return [node for (node,) in self._database.rows("SELECT node FROM mention_queue ORDER BY node")]

    def texts(self, nodes: Collection[NodeId]) -> dict[NodeId, str]:
        """Return what those of the nodes say that are sections or learnings."""
        rows = self._database.rows(
            f"""
            SELECT node_id, text FROM sections WHERE node_id {_AMONG} AND text <> ''
            UNION ALL
            SELECT node_id, content FROM learnings WHERE node_id {_AMONG} AND present = 1
            """,
            {"nodes": json.dumps(list(nodes))},
        )
        return dict(rows)

    def told_by(self, nodes: Collection[NodeId]) -> list[tuple[NodeId, NodeId]]:
        """Return (entity, node) of each live fact that is stated at one of the nodes, for both of its ends."""
        live = "f.present = 1 AND f.status IN ('staged', 'confirmed')"
        return self._database.rows(
            f"""
            WITH told (subject, object, node) AS (
                SELECT f.subject, f.object, f.section
                FROM facts f
                WHERE f.section {_AMONG} AND {live}
                UNION ALL
                SELECT f.subject, f.object, n.id
                FROM nodes n
                JOIN facts f ON f.source_ref = n.key AND f.section IS NULL
                WHERE n.id {_AMONG} AND n.kind IN ('file', 'section', 'learning') AND {live}
            )
            SELECT subject, node FROM told
            UNION
            SELECT object, node FROM told WHERE object IS NOT NULL
            """,
            {"nodes": json.dumps(list(nodes))},
        )

    def being(self, nodes: Collection[NodeId]) -> list[tuple[NodeId, NodeId]]:
        """Return (entity, node) of those of the nodes that are what an entity is called, by path or qualified name."""
        return self._database.rows(
            f"""
            SELECT m.entity, n.id
            FROM nodes n
            JOIN mention_names m ON m.name = n.key
            WHERE n.id {_AMONG} AND n.kind IN ('file', 'section', 'symbol') AND {_IS_THERE}
            """,
            {"nodes": json.dumps(list(nodes))},
        )

    def of_nodes(self, nodes: Collection[NodeId]) -> list[MentionRow]:
        """Return what the nodes mention so far."""
        sql = f"SELECT entity, node, origin, times, weight FROM mentions WHERE node {_AMONG}"
        return [MentionRow(*row) for row in self._database.rows(sql, {"nodes": json.dumps(list(nodes))})]

    def by(self, nodes: Collection[NodeId]) -> list[Mention]:
        """Return which entities with live facts these nodes speak of, the heaviest mentions first."""
        rows = self._database.rows(
            f"""
            SELECT m.node, m.entity, m.weight, e.mentions
            FROM mentions m
            JOIN entities e ON e.node_id = m.entity
            WHERE m.node {_AMONG}
              AND EXISTS (
                  SELECT 1 FROM facts
                  WHERE subject = m.entity AND present = 1 AND status IN ('staged', 'confirmed')
              )
            ORDER BY m.weight DESC, m.node, m.entity
            LIMIT :most
            """,
            {"nodes": json.dumps(list(nodes)), "most": _MOST},
        )
        return [Mention(*row) for row in rows]

    def write(self, gone: Iterable[MentionRow], new: Iterable[MentionRow]) -> None:
        """Replace mentions."""
        self._database.write_many(
            "DELETE FROM mentions WHERE entity = ? AND node = ?", ((row.entity, row.node) for row in gone)
        )
        self._database.write_many(
            """
            INSERT INTO mentions (entity, node, origin, times, weight) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (entity, node) DO UPDATE SET
                origin = excluded.origin, times = excluded.times, weight = excluded.weight
            """,
            new,
        )


_IS_THERE = """(
    n.kind <> 'file'
    OR EXISTS (SELECT 1 FROM documents WHERE node_id = n.id)
    OR EXISTS (SELECT 1 FROM files WHERE node_id = n.id)
)"""
_UNKNOWN = f"""
    SELECT n.id
    FROM mention_names m
    JOIN nodes n ON n.kind IN ('file', 'section', 'symbol') AND n.key = m.name
    WHERE {_IS_THERE} AND NOT EXISTS (
        SELECT 1 FROM mentions k WHERE k.entity = m.entity AND k.node = n.id AND k.origin = 'identity'
    )
"""
_GONE = f"""
    SELECT k.node
    FROM mentions k
    JOIN nodes n ON n.id = k.node
    WHERE k.origin = 'identity' AND NOT {_IS_THERE}
"""
