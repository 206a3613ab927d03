"""Statements of documents as rows: what they say with literal values, and what is an entity therefore."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import NamedTuple

from tx_graph.core.database import Store
from tx_graph.documents.store import AMONG, listed
from tx_graph.graph.edges import NodeId


class StatementRow(NamedTuple):
    """A statement with its document and section; `position` is its place in the order of the source."""

    document: NodeId
    position: int
    section: NodeId
    predicate: str
    value: str
    confidence: float


class SpokenStatement(NamedTuple):
    """A statement with whom it is about: its document, or the section in it that is a record of a decision."""

    document: NodeId
    section: NodeId
    speaker: NodeId
    predicate: str
    value: str
    confidence: float


class Speaker(NamedTuple):
    """What may be an entity: a document, or a section that records a decision; `key` is its path or reference."""

    node: NodeId
    key: str
    title: str
    aliases: tuple[str, ...] = ()


class StatementStore(Store):
    """Keeps what documents state."""

    def replace(
        self, documents: Collection[NodeId], rows: Iterable[StatementRow], decisions: Iterable[tuple[NodeId, NodeId]]
    ) -> None:
        """Let documents state this alone; `decisions` are sections with the decision of each. Needs a transaction."""
        asked = listed(documents)
        among = f"document {AMONG}"
        self._database.write(f"DELETE FROM document_statements WHERE {among}", asked)
        if self._database.value("SELECT EXISTS (SELECT 1 FROM decision_sections)"):
            own = f"SELECT node_id FROM sections WHERE {among}"
            self._database.write(f"DELETE FROM decision_sections WHERE section IN ({own})", asked)
        self._database.write_many(
            """
            INSERT INTO document_statements (document, position, section, predicate, value, confidence)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            rows,
        )
        self._database.write_many("INSERT INTO decision_sections (section, decision) VALUES (?, ?)", decisions)

    def of_documents(self, documents: Collection[NodeId]) -> list[SpokenStatement]:
        """Return what some documents state, by document and in source order."""
        rows = self._database.rows(
            f"""
            SELECT t.document, t.section, coalesce(d.decision, t.document), t.predicate, t.value, t.confidence
            FROM document_statements t
            LEFT JOIN decision_sections d ON d.section = t.section
            WHERE t.document {AMONG}
            ORDER BY t.document, t.position
            """,
            listed(documents),
        )
        return [SpokenStatement._make(row) for row in rows]

    def by_key(self) -> list[tuple[str, str, str]]:
        """Return path, key and value of what documents state and of their typed links as they are written, by path."""
        return self._database.rows(
            """
            SELECT d.path, t.predicate, t.value
            FROM document_statements t
            JOIN documents d ON d.node_id = t.document
            UNION
            SELECT d.path, k.predicate, k.written
            FROM section_links k
            JOIN sections s ON s.node_id = k.section
            JOIN documents d ON d.node_id = s.document
            WHERE k.predicate <> ''
            ORDER BY 1, 2, 3
            """
        )

    def names(self, *, but: Collection[NodeId]) -> set[str]:
        """Return the names of all that facts are about, or lead to, which documents `but` these state."""
        rows = self._database.rows(
            f"""
            WITH stated AS (
                SELECT subject_name, object_name
                FROM facts
                WHERE document IS NOT NULL AND section IS NOT NULL
                    AND document NOT {AMONG}
            )
            SELECT subject_name FROM stated
            UNION
            SELECT object_name FROM stated WHERE object_name IS NOT NULL
            """,
            listed(but),
        )
        return {name for (name,) in rows}

    def speakers(self, keys: Collection[str]) -> list[Speaker]:
        """Return those of the keys that are documents or sections of them, by key."""
        rows = self._database.rows(
            """
            SELECT n.id, n.key, coalesce(d.title, s.title), coalesce(d.aliases, '[]')
            FROM json_each(:listed) asked
            CROSS JOIN nodes n ON n.kind IN ('file', 'section') AND n.key = asked.value
            CROSS JOIN sections s ON s.node_id = n.id
            LEFT JOIN documents d ON d.node_id = n.id
            ORDER BY n.key
            """,
            listed(keys),
        )
        return [Speaker(node, key, title, tuple(json.loads(aliases))) for node, key, title, aliases in rows]

    def shared_titles(self, titles: Collection[str], *, least: int) -> set[str]:
        """Return those of the titles that so many documents have as a heading."""
        rows = self._database.rows(
            f"""
            SELECT title
            FROM sections
            WHERE part = 0 AND title {AMONG}
            GROUP BY title
            HAVING count(DISTINCT document) >= :least
            """,
            listed(titles) | {"least": least},
        )
        return {title for (title,) in rows}

    def types(self) -> dict[NodeId, str]:
        """Return of what type documents are by what their front matter says."""
        rows = self._database.rows(
            """
            SELECT document, value
            FROM document_statements
            WHERE predicate = 'type' AND confidence = 1
            ORDER BY document, position DESC
            """
        )
        return dict(rows)

    def declared(self) -> set[NodeId]:
        """Return what is declared an entity so far."""
        return {node for (node,) in self._database.rows("SELECT document FROM entity_documents")}

    def counts(self, documents: Collection[NodeId]) -> dict[NodeId, int]:
        """Return how many live facts each of these documents states, if any."""
        rows = self._database.rows(
            f"""
            SELECT document, count(*)
            FROM facts
            WHERE document {AMONG}
                AND section IS NOT NULL AND present = 1 AND status IN ('staged', 'confirmed')
            GROUP BY document
            """,
            listed(documents),
        )
        return dict(rows)
