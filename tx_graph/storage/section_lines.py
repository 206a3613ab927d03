"""Lines of descent in the trees of documents: what stands for a section without text, and what took its place."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from tx_graph.domain.edges import NodeId
from tx_graph.storage.database import Database

REPLACING = ("supersedes", "supercedes", "replaces", "obsoletes")
"""Predicates of a note that says that its target no longer holds."""
REPLACED = ("superseded_by", "superceded_by", "superseded", "replaced_by", "obsoleted_by")
"""Predicates of a note that says so of its own subject."""
_STATUS = "status"
"""The title under which a decision tells whether it still holds: what stands there is said of all of it."""

_AMONG = "IN (SELECT value FROM json_each(:nodes))"
_ABOVE = f"""
    WITH RECURSIVE above (start, node, parent) AS (
        SELECT node_id, node_id, parent FROM sections WHERE node_id {_AMONG}
        UNION ALL
        SELECT above.start, s.node_id, s.parent FROM above JOIN sections s ON s.node_id = above.parent
    )
"""


class SectionLines:
    """Follows sections up and down their documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def speakers(self, nodes: Collection[NodeId]) -> dict[NodeId, NodeId]:
        """Return, for each of the nodes that is a section, what speaks for it: itself, if it has text.

        Else it is the first section or part below it that has; without any, the section is left out.
        """
        rows = self._database.rows(
            f"""
            WITH RECURSIVE below (start, node, is_silent, position) AS (
                SELECT node_id, node_id, text = '', position FROM sections WHERE node_id {_AMONG}
                UNION ALL
                SELECT below.start, s.node_id, s.text = '', s.position
                FROM below
                JOIN sections s ON s.parent = below.node
                WHERE below.is_silent
            )
            SELECT start, node, min(position) FROM below WHERE NOT is_silent GROUP BY start
            """,
            {"nodes": json.dumps(list(nodes))},
        )
        return {start: node for start, node, _ in rows}

    def documents_with_successors(self) -> set[NodeId]:
        """Return the documents in which anything may have been superseded: in all others everything holds."""
        rows = self._database.rows(
            f"""
            SELECT s.document
            FROM section_links k
            CROSS JOIN sections s ON s.node_id = k.target
            WHERE k.predicate IN {_listed(REPLACING)} AND k.predicate > ''
            UNION
            SELECT s.document
            FROM section_links k
            CROSS JOIN sections s ON s.node_id = k.section
            WHERE k.predicate IN {_listed(REPLACED)} AND k.predicate > ''
            """
        )
        return {document for (document,) in rows}

    def superseded_by(self, nodes: Collection[NodeId]) -> dict[NodeId, str]:
        """Return, for each section that no longer holds, what took its place: a reference, or what the note names.

        A note speaks of a section with all that is below it; one under the heading `Status` of all around it.
        """
        found: dict[NodeId, str] = {}
        for node, successor in (*self._told_by_others(nodes), *self._told_by_itself(nodes)):
            found.setdefault(node, successor)
        return found

    def _told_by_others(self, nodes: Collection[NodeId]) -> Iterable[tuple[NodeId, str]]:
        return self._database.rows(
            f"""
            {_ABOVE}
            SELECT a.start, n.key
            FROM above a
            CROSS JOIN section_links k ON k.target = a.node  -- in this order: few nodes, each looked up
            JOIN nodes n ON n.id = k.section
            WHERE k.predicate IN (SELECT value FROM json_each(:predicates))
            ORDER BY a.start, n.key
            """,
            {"nodes": json.dumps(list(nodes)), "predicates": json.dumps(REPLACING)},
        )

    def _told_by_itself(self, nodes: Collection[NodeId]) -> Iterable[tuple[NodeId, str]]:
        return self._database.rows(
            f"""
            {_ABOVE}, noted (subject, successor) AS (
                SELECT CASE WHEN lower(s.title) = '{_STATUS}' AND s.parent IS NOT NULL THEN s.parent ELSE s.node_id END,
                       ifnull(n.key, k.written)
                FROM section_links k
                JOIN sections s ON s.node_id = k.section
                LEFT JOIN nodes n ON n.id = k.target
                WHERE k.predicate IN (SELECT value FROM json_each(:predicates))
                  AND s.document IN (SELECT document FROM sections WHERE node_id {_AMONG})
            )
            SELECT a.start, noted.successor
            FROM above a
            JOIN noted ON noted.subject = a.node
            ORDER BY a.start, noted.successor
            """,
            {"nodes": json.dumps(list(nodes)), "predicates": json.dumps(REPLACED)},
        )


def _listed(predicates: Collection[str]) -> str:
    """Return predicates as SQL: written out, the planner looks each up in the index of typed links."""
    return "('" + "', '".join(predicates) + "')"
