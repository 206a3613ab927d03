"""Edges that leave sections, and what models, agents and vectors said of sections."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from tx_graph.domain.edges import EdgeType, NodeId, Relation
from tx_graph.domain.section import ExtractedEdge, SectionEdge
from tx_graph.storage.database import Database

_OF_DOCUMENTS = "(SELECT node_id FROM sections WHERE document IN (SELECT value FROM json_each(:documents)))"
_HOLDS = """
    FROM extracted_edges e
    JOIN sections s ON s.node_id = e.source AND s.content_hash = e.source_hash
    JOIN sections t ON t.node_id = e.target AND t.content_hash = e.target_hash
"""
_INSERT = """
    INSERT INTO section_edges (source, target, relation, edge_type, weight, description, origin)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""


class SectionEdgeStore:
    """Keeps the edges of sections; there is one for each source, target and relation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, documents: Collection[NodeId], edges: Iterable[SectionEdge]) -> None:
        """Make these, and what was extracted, the only edges of the sections of documents. Needs a transaction.

        Of several that say the same the one of the highest weight stays, the first among equals.
        """
        self._database.write(
            f"DELETE FROM section_edges WHERE source IN {_OF_DOCUMENTS}", {"documents": json.dumps(list(documents))}
        )
        kept: dict[tuple[NodeId, NodeId, Relation], SectionEdge] = {}
        for edge in (*edges, *self._extracted(documents)):
            key = (edge.source, edge.target, edge.relation)
            if key not in kept or edge.weight > kept[key].weight:
                kept[key] = edge
        self._database.write_many(_INSERT, map(_row, kept.values()))

    def _extracted(self, documents: Collection[NodeId]) -> list[SectionEdge]:
        """Return what was extracted from sections that say what they said then."""
        rows = self._database.rows(
            f"""
            SELECT e.source, e.target, e.relation, e.weight, e.description, e.origin {_HOLDS}
            WHERE e.source IN {_OF_DOCUMENTS}
            ORDER BY e.source, e.target, e.relation
            """,
            {"documents": json.dumps(list(documents))},
        )
        return [
            SectionEdge(
                source=source,
                target=target,
                relation=Relation(relation),
                weight=weight,
                description=text,
                origin=origin,
            )
            for source, target, relation, weight, text, origin in rows
        ]

    def assert_edges(self, edges: Iterable[ExtractedEdge]) -> int:
        """Add what somebody said about sections as they are now; return how many edges were told. Needs a transaction.

        One that is known keeps the higher weight, with its description. What was said of a section that has changed
        since gives way.
        """
        edges = list(edges)
        self._database.write_many(
            """
            INSERT INTO extracted_edges
                (source, target, relation, weight, description, origin, source_hash, target_hash)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, s.content_hash, t.content_hash
            FROM sections s, sections t
            WHERE s.node_id = ?1 AND t.node_id = ?2
            ON CONFLICT (source, target, relation, origin) DO UPDATE SET
                weight = excluded.weight, description = excluded.description,
                source_hash = excluded.source_hash, target_hash = excluded.target_hash
            WHERE excluded.weight > weight
               OR (source_hash, target_hash) <> (excluded.source_hash, excluded.target_hash)
            """,
            ((e.source, e.target, e.relation.value, e.weight, e.description, e.origin) for e in edges),
        )
        self._database.write_many(
            f"""{_INSERT}
            ON CONFLICT (source, target, relation) DO UPDATE SET
                weight = excluded.weight, description = excluded.description, origin = excluded.origin
            WHERE excluded.weight > weight
            """,
            (
                (e.source, e.target, e.relation.value, _type(e.relation), e.weight, e.description, e.origin)
                for e in edges
            ),
        )
        return len(edges)

    def retract(self, origin: str) -> None:
        """Forget everything that somebody said; the edges that rest on it are `outdated` then. Needs a transaction."""
        self._database.write("DELETE FROM extracted_edges WHERE origin = ?", (origin,))

    def outdated(self) -> set[NodeId]:
        """Return the documents whose edges are not what was extracted: a section at either end changed, or is gone.

        What was said of a text that is there again counts too.
        """
        rows = self._database.rows(
            f"""
            SELECT s.document
            FROM section_edges x
            JOIN sections s ON s.node_id = x.source
            WHERE x.origin NOT IN ('structure', 'link')
              AND (x.source, x.target, x.relation, x.origin) NOT IN (
                SELECT e.source, e.target, e.relation, e.origin {_HOLDS}
              )
            UNION
            SELECT s.document {_HOLDS}
            WHERE (e.source, e.target, e.relation) NOT IN (SELECT source, target, relation FROM section_edges)
            """
        )
        return {document for (document,) in rows}

    def origins(self) -> dict[str, int]:
        """Return how many edges leave sections, by who said so."""
        return dict(self._database.rows("SELECT origin, count(*) FROM section_edges GROUP BY origin ORDER BY origin"))

    def prune(self) -> int:
        """Remove edges that no section holds any more, and return how many. Needs a transaction.

        What was said of sections that have changed since is among them: it waited in vain for them to change back.
        """
        stale = self._database.write(
            f"DELETE FROM extracted_edges WHERE (source, target, relation, origin) NOT IN "
            f"(SELECT e.source, e.target, e.relation, e.origin {_HOLDS})"
        )
        loose = self._database.write(
            """
            DELETE FROM section_edges
            WHERE source NOT IN (SELECT node_id FROM sections) OR target NOT IN (SELECT id FROM nodes)
            """
        )
        return stale + loose


def _row(edge: SectionEdge) -> tuple[NodeId, NodeId, str, str, float, str, str]:
    return (
        edge.source,
        edge.target,
        edge.relation.value,
        _type(edge.relation),
        edge.weight,
        edge.description,
        edge.origin,
    )


def _type(relation: Relation) -> str:
    return (EdgeType.SIMILAR_TO if relation is Relation.SIMILAR_TO else EdgeType.LINKS_TO).value
