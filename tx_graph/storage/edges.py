"""Edges as rows: the asserted ones, and the view over every layer that a walk reads."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable

from tx_graph.domain.edges import Direction, Edge, EdgeType, NodeId, Relation
from tx_graph.domain.learning import Link
from tx_graph.domain.references import NodeKind
from tx_graph.storage.database import Database
from tx_graph.storage.degrees import DegreeStore
from tx_graph.storage.edge_statements import WORDS, lanes
from tx_graph.storage.nodes import NodeStore
from tx_graph.storage.strands import StrandReader
from tx_graph.storage.visibility import HIDDEN, WITHHELD


class EdgeStore:
    """Writes asserted edges and answers a whole frontier at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace_links(self, source: NodeId, links: Iterable[tuple[NodeId, Link]], *, now: str) -> None:
        """Make `links` the only valid LINKS_TO edges that leave `source`. Needs a transaction.

        What goes is invalidated at `now` and kept; what comes back is valid again, as old as it was.
        """
        rows = [(source, target, link.relation.value, link.weight, now) for target, link in links]
        kept = {(target, relation) for _, target, relation, _, _ in rows}
        gone = [(now, source, *end) for end in self._valid_ends(source) if end not in kept]
        self._database.write_many(_INVALIDATE, gone)
        self._database.write_many(_ASSERT, rows)

    def _valid_ends(self, source: NodeId) -> list[tuple[NodeId, str]]:
        return self._database.rows(
            """
            SELECT target, relation
            FROM learning_edges
            WHERE source = ? AND edge_type = 'LINKS_TO' AND invalidated_at IS NULL
            """,
            (source,),
        )

    def blame(self, learning: NodeId, commit: str, *, at: str) -> None:
        """Assert that a commit changed the code that a learning is about. Needs a transaction."""
        node = NodeStore(self._database).ensure(NodeKind.COMMIT, [commit])[commit]
        self._database.write(_BLAME, (learning, node, at))

    def absolve(self, learning: NodeId, commit: str, *, at: str) -> None:
        """Take back that a commit changed the code that a learning is about. Needs a transaction."""
        self._database.write(
            """
            UPDATE learning_edges
            SET invalidated_at = :at
            WHERE source = :learning
              AND target = (SELECT id FROM nodes WHERE kind = 'commit' AND key = :commit)
              AND edge_type = 'INVALIDATED_BY' AND invalidated_at IS NULL
            """,
            {"at": at, "learning": learning, "commit": commit},
        )

    def blamed(self, learning: NodeId) -> list[str]:
        """Return the commits that are said to have changed the code that a learning is about, sorted."""
        rows = self._database.rows(
            """
            SELECT c.key
            FROM learning_edges e
            JOIN nodes c ON c.id = e.target
            WHERE e.source = ? AND e.edge_type = 'INVALIDATED_BY' AND e.invalidated_at IS NULL
            ORDER BY c.key
            """,
            (learning,),
        )
        return [commit for (commit,) in rows]

    def links_of(self, sources: Collection[NodeId]) -> dict[NodeId, list[Link]]:
        """Return the links that leave each learning, by target."""
        found: dict[NodeId, list[Link]] = defaultdict(list)
        rows = self._database.rows(
            """
            SELECT e.source, t.key, e.relation, e.weight
            FROM learning_edges e
            JOIN nodes t ON t.id = e.target
            WHERE e.source IN (SELECT value FROM json_each(:sources))
              AND e.edge_type = 'LINKS_TO' AND e.invalidated_at IS NULL
            ORDER BY e.source, t.key, e.relation
            """,
            {"sources": json.dumps(list(sources))},
        )
        for source, target, relation, weight in rows:
            found[source].append(Link(target=target, relation=Relation(relation), weight=weight))
        return found

    def leaving(self, frontier: Collection[NodeId], *, types: Collection[EdgeType], direction: Direction) -> list[Edge]:
        """Return the valid edges of these types that lead away from the frontier.

        Edges stored the other way round come turned (`forward` False); symmetric ones count both ways. One
        question per lane, whatever the size of the frontier.
        """
        nodes, found = json.dumps(list(frontier)), list[Edge]()
        for lane in lanes(some_files_are_gone=True):
            if followed := lane.followed(types, direction):
                found += map(
                    Edge._make, self._database.rows(lane.whole(), {"nodes": nodes, "types": json.dumps(followed)})
                )
        return found

    def reader(self) -> StrandReader:
        """Return what answers one walk with bare edges."""
        return StrandReader(self._database)

    def worded(self, edges: Collection[Edge]) -> dict[Edge, Edge]:
        """Return for each bare edge the stored one with its relation and description, as far as there is one.

        Where several edges of one type and weight join the same ends, it is the first by relation and description.
        """
        asked = list(edges)
        stored = [(*(one[:2] if one.forward else one[1::-1]), one.type, one.weight) for one in asked]
        rows = self._database.rows(WORDS, {"edges": json.dumps(stored)}) if asked else []
        # Sorted backwards, so that the first of several is the last that is put in.
        return {asked[number]: asked[number]._replace(relation=how, description=text) for number, how, text in rows}

    def degrees(self, nodes: Collection[NodeId]) -> dict[NodeId, float]:
        """Return how many imports and co-changes touch each of the nodes that is a file and has any."""
        return DegreeStore(self._database).of(nodes)

    def counts(self) -> dict[str, int]:
        """Return how many valid edges there are of each type."""
        return dict(
            self._database.rows(
                """
                SELECT type, count(*)
                FROM graph_edges
                WHERE valid
                GROUP BY type
                ORDER BY type
                """
            )
        )

    def withheld(self, *, stale: bool = False) -> set[NodeId]:
        """Return the nodes of learnings that no answer shows: staged, superseded, retracted, removed or not present.

        With `stale`, superseded and retracted ones are not among them.
        """
        condition = HIDDEN if stale else WITHHELD
        return {node for (node,) in self._database.rows(f"SELECT node_id FROM learnings WHERE {condition}")}


_INVALIDATE = """
    UPDATE learning_edges
    SET invalidated_at = ?
    WHERE source = ? AND target = ? AND relation = ? AND edge_type = 'LINKS_TO'
"""

_BLAME = """
    INSERT INTO learning_edges (source, target, edge_type, created_at)
    VALUES (?, ?, 'INVALIDATED_BY', ?)
    ON CONFLICT (source, target, edge_type, relation) DO UPDATE SET invalidated_at = NULL
"""

_ASSERT = """
    INSERT INTO learning_edges (source, target, edge_type, relation, weight, created_at)
    VALUES (?, ?, 'LINKS_TO', ?, ?, ?)
    ON CONFLICT (source, target, edge_type, relation) DO UPDATE SET weight = excluded.weight, invalidated_at = NULL
    WHERE weight <> excluded.weight OR invalidated_at IS NOT NULL
"""
