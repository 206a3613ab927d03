"""Links of sections as rows: what they point at as they write it, and where that leads."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import NamedTuple

from tx_graph.domain.document import LinkKind
from tx_graph.domain.edges import NodeId
from tx_graph.storage.database import Database


class SectionLink(NamedTuple):
    """A link of a section; `document` is the path of the document that it stands in.

    `target` is the node that it leads to; where it leads nowhere, `problem` may say why.
    """

    section: NodeId
    position: int
    document: str
    kind: LinkKind
    written: str
    text: str
    predicate: str
    line: int
    target: NodeId | None = None
    problem: str | None = None


class TypedLink(NamedTuple):
    """A link that says how one thing relates to another one.

    `speaker` is the document, or the section in it that is a record of a decision; so is `target` where that is one.
    `title` is that of its section; `is_front` says that it stands in front matter.
    """

    document: NodeId
    section: NodeId
    speaker: NodeId
    kind: LinkKind
    written: str
    predicate: str
    target: NodeId | None
    title: str
    is_front: bool


class SectionLinkStore:
    """Keeps the links of sections."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def forget(self, documents: Collection[NodeId]) -> None:
        """Drop the links of all sections of documents. Needs a transaction."""
        self._database.write(
            """
            DELETE FROM section_links
            WHERE section IN (
                SELECT node_id FROM sections WHERE document IN (SELECT value FROM json_each(:documents))
            )
            """,
            {"documents": json.dumps(list(documents))},
        )

    def add(self, links: Iterable[SectionLink]) -> None:
        """Insert links. Needs a transaction."""
        self._database.write_many(
            """
            INSERT INTO section_links (section, position, kind, written, text, predicate, line, target, problem)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            ((k[0], k[1], *k[3:]) for k in links),
        )

    def lead(self, links: Iterable[SectionLink]) -> None:
        """Take note of where links lead now. Needs a transaction."""
        self._database.write_many(
            "UPDATE section_links SET target = ?, problem = ? WHERE section = ? AND position = ?",
            ((link.target, link.problem, link.section, link.position) for link in links),
        )

    def every(self) -> list[SectionLink]:
        """Return the links of all sections, by document and in source order."""
        return self._links("1", {})

    def of_documents(self, documents: Collection[NodeId]) -> list[SectionLink]:
        """Return the links of the sections of some documents, by document and in source order."""
        among = "s.document IN (SELECT value FROM json_each(:documents))"
        return self._links(among, {"documents": json.dumps(list(documents))})

    def _links(self, narrowed: str, parameters: dict[str, str]) -> list[SectionLink]:
        rows = self._database.rows(
            f"""
            SELECT k.section, k.position, d.path, k.kind, k.written, k.text, k.predicate, k.line, k.target, k.problem
            FROM section_links k
            JOIN sections s ON s.node_id = k.section
            JOIN documents d ON d.node_id = s.document
            WHERE {narrowed}
            ORDER BY d.path, k.line, s.position, k.position
            """,
            parameters,
        )
        return [SectionLink._make((*row[:3], LinkKind(row[3]), *row[4:])) for row in rows]

    def typed(self, documents: Collection[NodeId] | None) -> list[TypedLink]:
        """Return the links with a predicate of some documents, None: of all, by document and in source order."""
        narrowed = "1" if documents is None else "s.document IN (SELECT value FROM json_each(:documents))"
        rows = self._database.rows(
            f"""
            SELECT s.document, k.section, coalesce(ds.decision, s.document), k.kind, k.written, k.predicate,
                coalesce(dt.decision, t.document, k.target), s.title, s.parent IS NULL AND k.line < s.line_start
            FROM section_links k
            JOIN sections s ON s.node_id = k.section
            LEFT JOIN decision_sections ds ON ds.section = k.section
            LEFT JOIN sections t ON t.node_id = k.target
            LEFT JOIN decision_sections dt ON dt.section = k.target
            WHERE k.predicate <> '' AND {narrowed}
            ORDER BY s.document, s.position, k.position
            """,
            {"documents": json.dumps(list(documents or ()))},
        )
        return [TypedLink._make((*row[:3], LinkKind(row[3]), *row[4:8], bool(row[8]))) for row in rows]

    def problems(self) -> list[SectionLink]:
        """Return the links that lead nowhere although they should, by document and in source order."""
        return self._links("k.problem IS NOT NULL", {})
