"""Entities as rows: what records, documents and facts add up to, under every name."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from tx_graph.core.database import Database
from tx_graph.core.identifiers import query_terms, searchable
from tx_graph.core.labels import DEFAULT_TYPE
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.knowledge.entity import USER, Entity, StoredEntity, entity_key, naming
from tx_graph.records.seen_store import Kept
from tx_graph.vectors.store import ENTITIES, VectorStore

_FIELDS = tuple(one.name for one in fields(Entity))  # what a record says of an entity, and the columns that hold it
_STORED = tuple(one.name for one in fields(StoredEntity))


class DeclaredEntity(NamedTuple):
    """A document as an entity: its title, its type and by what else it goes."""

    name: str
    type: str
    aliases: tuple[str, ...] = ()


class EntityStore:
    """Reads and writes entities; what writes needs a transaction. `settle` finds out anew what names mean."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._nodes = NodeStore(database)
        self._vectors = VectorStore(database, ENTITIES)
        self._is_unsettled = False

    def save(self, entity: Entity, /, *, record: str, now: str) -> int:  # noqa: ARG002 - a record says when
        """Insert or update what a record says of an entity; return 0, for no number names it."""
        self._is_unsettled = True
        self._database.write(
            f"""
            INSERT OR REPLACE INTO entity_records ({", ".join(_FIELDS)}, record, present)
            VALUES ({", ".join(f":{name}" for name in _FIELDS)}, :record, 1)
            """,
            {name: getattr(entity, name) for name in _FIELDS}
            | {"aliases": json.dumps(entity.aliases, ensure_ascii=False), "record": record},
        )
        return 0

    def mark_absent(self, uids: Collection[str]) -> None:
        """Take what records that are gone said of entities out of every answer."""
        self._is_unsettled = True
        self._database.write_many("UPDATE entity_records SET present = 0 WHERE uid = ?", ((uid,) for uid in uids))

    def kept(self, uid: str) -> Kept[Entity] | None:
        """Return what the record with this uid says, None if there is none."""
        return next(iter(self._kept("uid = :uid", uid=uid)), None)

    def every_kept(self) -> list[Kept[Entity]]:
        """Return what each record says, in no particular order."""
        return self._kept("1")

    def kept_as(self, name: str) -> list[Kept[Entity]]:
        """Return the records of entities of exactly this name, the oldest first."""
        key = entity_key(name)
        found = [kept for kept in self.every_kept() if entity_key(kept.thing.name) == key]
        return sorted(found, key=lambda kept: (kept.thing.created_at, kept.thing.uid))

    def _kept(self, condition: str, **parameters: Any) -> list[Kept[Entity]]:
        rows = self._database.rows(
            f"""
            SELECT {", ".join(_FIELDS)}, record
            FROM entity_records
            WHERE present = 1 AND {condition}
            """,
            parameters,
        )
        found = [(dict(zip(_FIELDS, row, strict=False)), row[-1]) for row in rows]
        return [
            Kept(thing=Entity(**said | {"aliases": tuple(json.loads(said["aliases"]))}), record=record)
            for said, record in found
        ]

    def declare(self, declared: Mapping[NodeId, DeclaredEntity | None]) -> None:
        """Note which documents are entities, and that those with None are none any more."""
        rows = self._database.rows(
            """
            SELECT document, name, type, aliases
            FROM entity_documents
            WHERE document IN (SELECT value FROM json_each(:documents))
            """,
            {"documents": json.dumps(list(declared))},
        )
        before = {document: tuple(row) for document, *row in rows}
        now = {
            document: (one.name, one.type, json.dumps(one.aliases, ensure_ascii=False))
            for document, one in declared.items()
            if one is not None
        }
        changed = {document: row for document, row in now.items() if before.get(document) != row}
        gone = before.keys() - now.keys()
        self._is_unsettled = self._is_unsettled or bool(changed or gone)
        self._database.write_many("DELETE FROM entity_documents WHERE document = ?", ((one,) for one in gone))
        self._database.write_many(
            "INSERT OR REPLACE INTO entity_documents (document, name, type, aliases) VALUES (?, ?, ?, ?)",
            ((document, *row) for document, row in changed.items()),
        )

    def unsettle(self) -> None:
        """Say that what documents declare has changed by other means, as when documents were removed."""
        self._is_unsettled = True

    def settle(self) -> frozenset[str]:
        """Find out anew what every name means, and lead facts there; return the names that changed, by key."""
        if not self._is_unsettled:
            return frozenset()
        records = [kept.thing for kept in self.every_kept()]
        rows = self._database.rows("SELECT name, type, aliases FROM entity_documents")
        documents = [
            Entity(uid="", name=name, created_at="", type=kind, aliases=tuple(json.loads(aliases)))
            for name, kind, aliases in rows
        ]
        found = naming(records, documents)
        # Names that only facts use are written as the oldest of them writes them.
        rows = self._database.rows(
            """
            SELECT name
            FROM (
                SELECT subject_name AS name, created_at, uid FROM facts WHERE present = 1
                UNION ALL
                SELECT object_name, created_at, uid FROM facts WHERE present = 1 AND object_name IS NOT NULL
            )
            ORDER BY created_at DESC, uid DESC
            """
        )
        spoken = {key: name for (name,) in rows if (key := entity_key(name)) not in found.names}
        nodes = self._nodes.ensure(NodeKind.ENTITY, [*found.heads, *spoken])
        rows = self._database.rows("SELECT key, node_id FROM entities UNION ALL SELECT key, entity FROM entity_aliases")
        before: dict[str, NodeId] = dict(rows)
        # Facts that came from the journal lead to what their names meant then.
        rows = self._database.rows(
            """
            SELECT subject_name, subject FROM facts WHERE subject NOT IN (SELECT node_id FROM entities)
            UNION
            SELECT object_name, object FROM facts
            WHERE object IS NOT NULL AND object NOT IN (SELECT node_id FROM entities)
            """
        )
        before |= {entity_key(name): node for name, node in rows}
        kinds = self._guessed_types(spoken.values())
        described = self._write_rows(
            {
                key: (one.name, one.type, one.description, one.uid or None, one.created_at or None, 1)
                for key, one in found.heads.items()
            }
            | {key: (name, kinds.get(key, DEFAULT_TYPE), "", None, None, 0) for key, name in spoken.items()},
            nodes,
        )
        after = {key: nodes[head] for key, head in found.names.items()} | {key: nodes[key] for key in spoken}
        changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
        self._lead_facts(changed, before, after)
        aliases = {
            (key, alias, nodes[head.key]) for head in found.heads.values() for key, alias in head.aliases.items()
        }
        known = {tuple(row) for row in self._database.rows("SELECT key, alias, entity FROM entity_aliases")}
        self._database.write_many("DELETE FROM entity_aliases WHERE key = ?", ((row[0],) for row in known - aliases))
        self._database.write_many(
            "INSERT OR REPLACE INTO entity_aliases (key, alias, entity) VALUES (?, ?, ?)", sorted(aliases - known)
        )
        self._index({row[2] for row in aliases ^ known})
        self.remove(set(before.values()) - set(after.values()))
        self._is_unsettled = False
        return frozenset(changed | described)

    def _write_rows(self, after: Mapping[str, tuple[Any, ...]], nodes: Mapping[str, NodeId]) -> set[str]:
        """Write all entities that there are; return the keys of those that say something else than before."""
        rows = self._database.rows("SELECT key, name, type, description, uid, created_at, is_claimed FROM entities")
        before = {key: tuple(row) for key, *row in rows}
        changed = {key: row for key, row in after.items() if before.get(key) != row}
        self._database.write_many(
            """
            INSERT INTO entities (node_id, key, name, type, description, uid, created_at, is_claimed)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (node_id) DO UPDATE SET
                name = excluded.name, type = excluded.type, description = excluded.description,
                uid = excluded.uid, created_at = excluded.created_at, is_claimed = excluded.is_claimed
            """,
            ((nodes[key], key, *row) for key, row in changed.items()),
        )
        self._index([nodes[key] for key in changed])
        return set(changed)

    def _lead_facts(self, changed: Collection[str], before: Mapping[str, NodeId], after: Mapping[str, NodeId]) -> None:
        """Lead facts that use names which mean something else now to what they mean."""
        owners = json.dumps(sorted({before[key] for key in changed if key in before}))
        for end in ("subject", "object"):
            rows = self._database.rows(
                f"""
                SELECT id, {end}_name, {end}
                FROM facts
                WHERE {end} IN (SELECT value FROM json_each(:owners))
                """,
                {"owners": owners},
            )
            moved = [
                (after[key], number)
                for number, name, node in rows
                if (key := entity_key(name)) in after and after[key] != node
            ]
            self._database.write_many(f"UPDATE facts SET {end} = ? WHERE id = ?", moved)

    def respell(self, nodes: Collection[NodeId]) -> None:
        """Name those of the entities that only facts name as the oldest of these does; remove those that none names."""
        rows = self._database.rows(
            """
            SELECT e.node_id, e.name, (
                SELECT name
                FROM (
                    SELECT subject_name AS name, created_at, uid FROM facts WHERE subject = e.node_id AND present = 1
                    UNION ALL
                    SELECT object_name, created_at, uid FROM facts WHERE object = e.node_id AND present = 1
                )
                ORDER BY created_at, uid
                LIMIT 1
            )
            FROM entities e
            WHERE e.node_id IN (SELECT value FROM json_each(:nodes)) AND NOT e.is_claimed
            """,
            {"nodes": json.dumps(list(nodes))},
        )
        renamed = [(name, node) for node, before, name in rows if name is not None and name != before]
        self._database.write_many("UPDATE entities SET name = ? WHERE node_id = ?", renamed)
        self.remove([node for node, _, name in rows if name is None])

    def remove(self, nodes: Collection[NodeId]) -> None:
        """Remove entities that nothing names any more."""
        self._vectors.forget(nodes)
        self._database.write_many("DELETE FROM entities_fts WHERE rowid = ?", ((node,) for node in nodes))
        self._database.write_many("DELETE FROM entities WHERE node_id = ?", ((node,) for node in nodes))

    def _index(self, nodes: Collection[NodeId]) -> None:
        """Let search know these entities as they are now; their vectors are of what they were."""
        self._vectors.forget(nodes)
        rows = self._database.rows(
            """
            SELECT e.node_id, e.name, e.description,
                (SELECT group_concat(alias, char(10)) FROM entity_aliases WHERE entity = e.node_id),
                f.names, f.description
            FROM entities e
            LEFT JOIN entities_fts f ON f.rowid = e.node_id
            WHERE e.node_id IN (SELECT value FROM json_each(:nodes))
            """,
            {"nodes": json.dumps(sorted(set(nodes)))},
        )
        texts = (
            (node, searchable(f"{name}\n{aliases}" if aliases else name), searchable(said), *known)
            for node, name, said, aliases, *known in rows
        )
        changed = [(node, names, said) for node, names, said, *known in texts if [names, said] != known]
        self._database.write_many("DELETE FROM entities_fts WHERE rowid = ?", ((row[0],) for row in changed))
        self._database.write_many("INSERT INTO entities_fts (rowid, names, description) VALUES (?, ?, ?)", changed)

    def ensure(self, names: Iterable[str]) -> dict[str, NodeId]:
        """Return the entity that each name means, by its key; for names that mean none yet a new one is made."""
        by_key = {entity_key(name): name for name in names}
        known = self.by_keys(by_key)
        new = {key: name for key, name in by_key.items() if key not in known}
        if not new:
            return known
        nodes = self._nodes.ensure(NodeKind.ENTITY, new)
        kinds = self._guessed_types(new.values())
        self._database.write_many(
            "INSERT OR IGNORE INTO entities (node_id, key, name, type) VALUES (?, ?, ?, ?)",
            ((nodes[key], key, name, kinds.get(key, DEFAULT_TYPE)) for key, name in new.items()),
        )
        self._index(nodes.values())
        return known | nodes

    def _guessed_types(self, names: Iterable[str]) -> dict[str, str]:
        """Return the type of each name that is that of a file, a symbol or the user, by key."""
        names = list(names)
        files = self._nodes.find(NodeKind.FILE, names)
        guessed = {entity_key(name): "file" for name in files}
        guessed |= {entity_key(name): "symbol" for name in names if "::" in name}
        return guessed | {USER: "person"}

    def by_keys(self, keys: Collection[str]) -> dict[str, NodeId]:
        """Return the entity of each key that is one's own name or another of its names."""
        rows = self._database.rows(
            """
            SELECT key, entity FROM entity_aliases WHERE key IN (SELECT value FROM json_each(:keys))
            UNION ALL
            SELECT key, node_id FROM entities WHERE key IN (SELECT value FROM json_each(:keys))
            """,
            {"keys": json.dumps(list(keys))},
        )
        return dict(rows)

    def names(self) -> list[tuple[str, NodeId]]:
        """Return every name and other name as it is written, with its entity, sorted."""
        return self._database.rows(
            "SELECT name, node_id FROM entities UNION SELECT alias, entity FROM entity_aliases ORDER BY 1, 2"
        )

    def named(self, name: str) -> StoredEntity | None:
        """Return the entity that a name means, None if there is none."""
        node = self.by_keys([entity_key(name)]).get(entity_key(name))
        return self.by_nodes([node]).get(node) if node is not None else None

    def by_nodes(self, nodes: Collection[NodeId]) -> dict[NodeId, StoredEntity]:
        """Return the entities at these nodes."""
        found = self._select("e.node_id IN (SELECT value FROM json_each(:nodes))", nodes=json.dumps(list(nodes)))
        return {entity.node: entity for entity in found}

    def refs(self, nodes: Collection[NodeId]) -> dict[NodeId, str]:
        """Return how each of these nodes that is an entity is named, `entity:DuckDB`."""
        rows = self._database.rows(
            "SELECT node_id, 'entity:' || name FROM entities WHERE node_id IN (SELECT value FROM json_each(:nodes))",
            {"nodes": json.dumps(list(nodes))},
        )
        return dict(rows)

    def listed(self, *, type: str | None = None, limit: int = -1) -> list[StoredEntity]:
        """Return entities, of one type if asked, those with most facts and mentions first."""
        return self._select(
            ":type IS NULL OR e.type = :type", order="fact_count DESC, e.mentions DESC, e.key", limit=limit, type=type
        )

    def count(self) -> int:
        """Return how many entities there are."""
        return int(self._database.value("SELECT count(*) FROM entities"))

    def like(self, text: str, *, limit: int) -> list[str]:
        """Return names of entities that are written most like `text`, the likest first."""
        from difflib import SequenceMatcher

        key = entity_key(text)
        keys = sorted(
            {known for known, _ in self.names()},
            key=lambda name: (-SequenceMatcher(None, key, entity_key(name)).ratio(), name),
        )
        return keys[:limit]

    def by_words(self, query: str, *, limit: int) -> list[tuple[NodeId, float]]:
        """Return entities by how well their names and descriptions match some words, BM25, the best first.

        Any text is safe. Scores are positive, and comparable within one answer only.
        """
        match = " OR ".join(f'"{term}"' for spellings in query_terms(query) for term in spellings)
        if not match:
            return []
        return self._database.rows(
            """
            SELECT rowid, -bm25(entities_fts, 4.0, 1.0)
            FROM entities_fts
            WHERE entities_fts MATCH :match
            ORDER BY 2 DESC, rowid
            LIMIT :limit
            """,
            {"match": match, "limit": limit},
        )

    def _select(
        self, condition: str, *, order: str = "e.key", limit: int = -1, **parameters: Any
    ) -> list[StoredEntity]:
        rows = self._database.rows(
            f"""
            SELECT e.node_id, e.key, e.name, e.type,
                (
                    SELECT json_group_array(alias)
                    FROM (SELECT alias FROM entity_aliases WHERE entity = e.node_id ORDER BY key)
                ),
                e.description, e.uid, e.created_at, e.mentions,
                (
                    SELECT count(*) FROM facts
                    WHERE subject = e.node_id AND present = 1 AND status IN ('staged', 'confirmed')
                ) AS fact_count
            FROM entities e
            WHERE {condition}
            ORDER BY {order}
            LIMIT :limit
            """,
            {**parameters, "limit": limit},
        )
        found = (dict(zip(_STORED, row, strict=True)) for row in rows)
        return [StoredEntity(**one | {"aliases": tuple(json.loads(one["aliases"]))}) for one in found]
