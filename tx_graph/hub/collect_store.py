"""Reads from a workspace what may be published: never what is staged, retracted, removed or private."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tx_graph.core.database import Store
from tx_graph.graph.edges import EDGE_SOURCES, EdgeSource

DIMENSION = 384
"""Of the vectors that a hub keeps."""

Row = tuple[Any, ...]


class CollectStore(Store):
    """Reads rows by local nodes and numbers, in an order that is the same in every clone."""

    def state(self) -> str:
        """Return what changes whenever rows change that the commit alone does not decide."""
        return repr(self._database.rows(_STATE))

    def files(self) -> list[Row]:
        """Return node, path, language, size and content hash of every file."""
        return self._database.rows(
            "SELECT node_id, path, language, size, content_hash FROM files ORDER BY path",
        )

    def symbols(self) -> list[Row]:
        """Return file, position, name, kind, lines and signature of what files declare, but for details."""
        return self._database.rows(
            """
            SELECT file, position, name, kind, line_start, line_end, signature
            FROM symbols
            WHERE position >= 0
            ORDER BY file, position
            """
        )

    def sections(self) -> list[Row]:
        """Return node, document, kind and key of the node, and what a hub keeps, of every section."""
        return self._database.rows(
            """
            SELECT s.node_id, s.document, n.kind, n.key, s.position, s.level, s.title, s.slug, s.line_start, s.line_end
            FROM sections s
            JOIN nodes n ON n.id = s.node_id
            ORDER BY s.document, s.position, s.part
            """
        )

    def chunks(self) -> list[Row]:
        """Return number, section, position, headings and text of every chunk, and its words."""
        return self._database.rows(
            """
            SELECT c.id, c.section, c.position, c.headings, c.text, w.headings || ' ' || w.text
            FROM chunks c
            JOIN chunks_fts w ON w.rowid = c.id
            ORDER BY c.section, c.position
            """
        )

    def learnings(self) -> list[Row]:
        """Return node, number, record and what a hub keeps of learnings, and their words."""
        return self._database.rows(
            """
            SELECT l.node_id, l.id, l.record, l.uid, l.content, l.category, l.keywords, l.status, l.confidence,
                l.source_type, l.source_ref, l.created_at, l.superseded_by,
                w.content || ' ' || w.keywords || ' ' || w.places
            FROM learnings l
            JOIN learnings_fts w ON w.rowid = l.id
            WHERE l.present = 1 AND l.removed_at IS NULL AND l.status IN ('active', 'superseded')
            ORDER BY l.uid
            """
        )

    def anchors(self) -> list[Row]:
        """Return the learning, the node that is tied to it, and what a hub keeps of every anchor."""
        return self._database.rows(
            """
            SELECT learning, coalesce(symbol_node, file_node), anchor_type, anchor_value, status, drift, reason,
                pinned = 1, fallback = 1
            FROM file_anchors
            ORDER BY learning, anchor_type, anchor_value
            """
        )

    def entities(self) -> list[Row]:
        """Return node, key, name, type, description, the record that describes it, and the words of every entity."""
        return self._database.rows(
            """
            SELECT e.node_id, e.key, e.name, e.type, e.description, e.uid, r.record,
                ifnull(w.names || ' ' || w.description, '')
            FROM entities e
            LEFT JOIN entities_fts w ON w.rowid = e.node_id
            LEFT JOIN entity_records r ON r.uid = e.uid AND r.present = 1
            ORDER BY e.key
            """
        )

    def aliases(self) -> list[Row]:
        """Return entity and alias."""
        return self._database.rows("SELECT entity, alias FROM entity_aliases ORDER BY entity, key")

    def declared(self) -> list[Row]:
        """Return document and name of the entities that documents declare."""
        return self._database.rows(
            """
            SELECT s.document, e.name
            FROM entity_documents e
            JOIN sections s ON s.node_id = e.document
            ORDER BY s.document, e.name
            """
        )

    def facts(self) -> list[Row]:
        """Return number, record, document, section, ends, relation and what a hub keeps of facts.

        Of what only documents state, what ceased to hold is known to this clone alone.
        """
        return self._database.rows(
            """
            SELECT id, record, document, section, subject, object, relation, uid, subject_name, predicate,
                coalesce(object_name, value), confidence, status, source, source_ref, created_at, valid_until
            FROM facts
            WHERE present = 1 AND private IS NOT 1
              AND (status = 'confirmed' OR (status = 'superseded' AND record IS NOT NULL))
            ORDER BY uid
            """
        )

    def speakers(self) -> list[Row]:
        """Return the node and key of everything that a fact names as its source without being told by a section."""
        return self._database.rows(
            """
            SELECT n.id, n.key
            FROM nodes n
            JOIN facts f ON f.source_ref = n.key AND f.section IS NULL
            WHERE n.kind IN ('file', 'section', 'learning')
            """
        )

    def others(self) -> list[Row]:
        """Return node, kind and key of every symbol and commit that something is tied to."""
        return self._database.rows("SELECT id, kind, key FROM nodes WHERE kind IN ('symbol', 'commit')")

    def edges(self) -> Iterator[tuple[EdgeSource, list[Row]]]:
        """Yield the valid edges of each source: start, end, type, weight, relation and description."""
        for one in EDGE_SOURCES:
            gone = "NOT IN (SELECT node_id FROM gone_files)"
            waits = f"{one.start} {gone} AND {one.end} {gone}" if one.waits_for_files else "1"
            yield (
                one,
                self._database.rows(
                    f"""
                    SELECT {one.start}, {one.end}, {one.edge_type}, {one.weight}, {one.relation}, {one.description}
                    FROM {one.table}
                    WHERE {one.is_edge or "1"} AND {one.is_valid} AND {waits}
                    """
                ),
            )

    def vectors(self, kind: str) -> list[tuple[int, str, bytes]]:
        """Return number, model and vector of the things of a kind that have one a hub can keep."""
        return self._database.rows(
            f"SELECT {kind}_id, model, vector FROM {kind}_vectors WHERE dimension = ?",
            (DIMENSION,),
        )

    def other_vectors(self) -> int:
        """Return how many vectors no hub can keep."""
        counts = " + ".join(f"(SELECT count(*) FROM {kind}_vectors WHERE dimension <> ?1)" for kind in VECTORS)
        return int(self._database.value(f"SELECT {counts}", (DIMENSION,)))


VECTORS = ("learning", "chunk", "fact")
"""What has vectors that are published."""

_COUNTED = """files symbols import_specifiers file_imports file_cochanges sections chunks section_edges mentions
    entities facts learnings file_anchors""".split()
_STATE = " UNION ALL ".join(
    [
        *(f"SELECT '{table}', count(*), '' FROM {table}" for table in _COUNTED),
        *(f"SELECT model, count(*), dimension FROM {kind}_vectors GROUP BY model, dimension" for kind in VECTORS),
        "SELECT head, with_renames, shape FROM history",
        "SELECT 'learning_edges', count(*), max(created_at) || ifnull(max(invalidated_at), '') FROM learning_edges",
        "SELECT 'extracted_edges', count(*), total(weight) FROM extracted_edges",
    ]
)
