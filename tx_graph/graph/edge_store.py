"""Edges as rows: the asserted ones, and the view over every layer that a walk reads."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import nlargest
from operator import itemgetter
from typing import Any

from tx_graph.core.database import Database, Store
from tx_graph.graph.edge_statements import COUNT, COUNT_ALL, HAVE_ROWS, HIDDEN, WITHHELD, WORDS, Lane, lanes
from tx_graph.graph.edges import EDGE_SOURCES, Direction, Edge, EdgeType, NodeId, Relation, Strand
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind

HUB = 200
"""A file with more neighbours than this is a hub: a walk follows only so many of its edges of one kind, one way. It is
twice what an answer shows at most by default, so what is left out is hardly missed. An index of the schema has it."""
_FEW = 5_000  # files up to which it is faster to count their edges alone than those of all (0.2 s for a million edges)


class DegreeStore(Store):
    """Keeps the degree of every file: its imports and co-changes, both ways."""

    def partners(self, files: Collection[NodeId]) -> set[NodeId]:
        """Return the files that these import or that import them: what a change of their imports concerns as well."""
        if len(files) > _FEW:
            return set()
        rows = self._database.rows(
            f"""
            SELECT target_file FROM file_imports WHERE source_file {_AMONG}
            UNION
            SELECT source_file FROM file_imports WHERE target_file {_AMONG}
            """,
            _among(files),
        )
        return {file for (file,) in rows}

    def recount(self, files: Collection[NodeId] | None = None) -> None:
        """Count the edges of these files again, or of all. Needs a transaction."""
        if files is None or len(files) > _FEW:
            self._database.write("DELETE FROM file_degrees")
            self._database.write(COUNT_ALL)
            return
        if not files:
            return
        self._database.write(COUNT, _among(files))
        self._database.write(f"DELETE FROM file_degrees WHERE degree = 0 AND file {_AMONG}", _among(files))

    def of(self, nodes: Collection[NodeId]) -> dict[NodeId, float]:
        """Return the degree of each of the nodes that has one."""
        # In the order of a join each node is one look-up; IN would sort the nodes first.
        joined = "SELECT file, degree FROM json_each(:files) CROSS JOIN file_degrees ON file = value"
        return dict(self._database.rows(joined, _among(nodes)))


_AMONG = "IN (SELECT value FROM json_each(:files))"


def _among(files: Collection[NodeId]) -> dict[str, str]:
    return {"files": json.dumps(list(files))}


_MOST_ROWS = 20 * HUB  # rows of one lane to read before it is looked at whether a few nodes have nearly all of them


class StrandReader:
    """Reads strands for one walk: it need not see what changes meanwhile."""

    def __init__(self, database: Database) -> None:
        self._database = database
        hubs = database.rows(f"SELECT file FROM file_degrees WHERE degree > {HUB}")
        self._hubs = {file for (file,) in hubs}
        has_rows = dict(zip(EDGE_SOURCES, database.rows(HAVE_ROWS)[0], strict=True))
        some_files_are_gone = bool(database.rows("SELECT EXISTS (SELECT 1 FROM gone_files)")[0][0])
        self._lanes = [lane for lane in lanes(some_files_are_gone=some_files_are_gone) if has_rows[lane.source]]

    def leaving(
        self,
        frontier: Collection[NodeId],
        *,
        types: Collection[EdgeType],
        direction: Direction,
        least: float = 0.0,
        is_capped: bool = True,
        only_code: bool = False,
        only_to_learnings: bool = False,
    ) -> list[Strand]:
        """Return the valid edges of these types that lead away from the frontier; lighter ones than `least` may lack.

        Edges stored the other way round come turned; symmetric ones count both ways. One question per lane, whatever
        the size of the frontier. With `is_capped` a node gives no more than `HUB` edges of one lane: its heaviest.
        With `only_code` the edges of sections and entities are not read, with `only_to_learnings` none of a table
        in which no edge ends at a learning.
        """
        hubs = self._hubs.intersection(frontier) if is_capped else set()
        everybody, others = json.dumps(list(frontier)), json.dumps([node for node in frontier if node not in hubs])
        asked: dict[str, Any] = {"least": least, "fan_out": HUB}
        read, found = self._database.rows, list[Strand]()
        for lane in self._lanes:
            is_beside = only_code and lane.source.is_beyond_code
            followed = lane.followed(types, direction)
            if is_beside or (only_to_learnings and not lane.source.touches_learnings) or not followed or not frontier:
                continue
            asked["types"] = json.dumps(followed)
            plain, cut = lane.plain(has_least=least > 0), 0
            if not is_capped:
                rows = read(plain, asked | {"nodes": everybody, "most": -1})
            elif lane.source.is_counted:
                # Its hubs are known: these alone are asked for their heaviest edges.
                rows = read(plain, asked | {"nodes": others, "most": -1}) if len(hubs) < len(frontier) else []
                heaviest = read(lane.capped(), asked | {"nodes": json.dumps(list(hubs))}) if hubs else []
                cut = sum(number >= HUB for number in Counter(map(itemgetter(0), heaviest)).values())
                rows += heaviest
            else:
                rows = read(plain, asked | {"nodes": everybody, "most": _MOST_ROWS})
                if len(rows) == _MOST_ROWS:
                    rows = read(lane.capped(), asked | {"nodes": everybody})
                rows, cut = _trimmed(rows)
            found += _strands(lane, rows, cut)
        return found


def _strands(lane: Lane, rows: Sequence[Any], cut: int) -> Iterator[Strand]:
    if lane.kind and rows:
        yield Strand(lane.kind.value, lane.forward, rows, cut)
        return
    by_type: dict[str, list[tuple[NodeId, NodeId, float]]] = defaultdict(list)
    for source, target, weight, kind in rows:
        by_type[kind].append((source, target, weight))
    for number, (kind, typed) in enumerate(sorted(by_type.items())):
        yield Strand(kind, lane.forward, typed, 0 if number else cut)


def _trimmed(rows: list[Any]) -> tuple[list[Any], int]:
    """Return the rows without the lightest of those nodes that have more than their share, and how many such are."""
    numbers = Counter(map(itemgetter(0), rows)) if len(rows) >= HUB else {}
    many = {node for node, number in numbers.items() if number >= HUB}
    if not many:
        return rows, 0
    kept = [row for row in rows if row[0] not in many]
    for node in sorted(many):
        kept += nlargest(HUB, (row for row in rows if row[0] == node), key=itemgetter(2, 1))
    return kept, len(many)


class EdgeStore(Store):
    """Writes asserted edges and answers a whole frontier at once."""

    def replace_links(self, source: NodeId, links: Iterable[tuple[NodeId, Relation, float]], *, now: str) -> None:
        """Make these the only valid LINKS_TO edges that leave `source`: target, relation, weight. Needs a transaction.

        What goes is invalidated at `now` and kept; what comes back is valid again, as old as it was.
        """
        rows = [(source, target, relation.value, weight, now) for target, relation, weight in links]
        kept = {(target, relation) for _, target, relation, _, _ in rows}
        valid = self._database.rows(
            """
            SELECT target, relation
            FROM learning_edges
            WHERE source = ? AND edge_type = 'LINKS_TO' AND invalidated_at IS NULL
            """,
            (source,),
        )
        gone = [(now, source, *end) for end in valid if end not in kept]
        self._database.write_many(_INVALIDATE, gone)
        self._database.write_many(_ASSERT, rows)

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

    def links_of(self, sources: Collection[NodeId]) -> dict[NodeId, list[tuple[str, Relation, float]]]:
        """Return the links that leave each learning, by target: its uid, the relation and the weight."""
        found: dict[NodeId, list[tuple[str, Relation, float]]] = defaultdict(list)
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
            found[source].append((target, Relation(relation), weight))
        return found

    def leaving(
        self,
        frontier: Collection[NodeId],
        *,
        types: Collection[EdgeType],
        direction: Direction,
        as_stored: bool = False,
    ) -> list[Edge]:
        """Return the valid edges of these types that lead away from the frontier.

        Edges stored the other way round come turned (`forward` False); symmetric ones count both ways. With
        `as_stored` none comes turned. One question per lane, whatever the size of the frontier.
        """
        nodes, found = json.dumps(list(frontier)), list[Edge]()
        for lane in lanes(some_files_are_gone=True):
            if (lane.forward or not as_stored) and (followed := lane.followed(types, direction)):
                found += map(
                    Edge._make, self._database.rows(lane.whole(), {"nodes": nodes, "types": json.dumps(followed)})
                )
        return found

    def worded(self, edges: Collection[Edge]) -> dict[Edge, Edge]:
        """Return for each bare edge the stored one with its relation and description, as far as there is one.

        Where several edges of one type and weight join the same ends, it is the first by relation and description.
        """
        asked = list(edges)
        stored = [(*(one[:2] if one.forward else one[1::-1]), one.type, one.weight) for one in asked]
        rows = self._database.rows(WORDS, {"edges": json.dumps(stored)}) if asked else []
        # Sorted backwards, so that the first of several is the last that is put in.
        return {asked[number]: asked[number]._replace(relation=how, description=text) for number, how, text in rows}

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
