"""The edges of sections as a walk over documents asks for them, and the words of those that it ends up showing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from tx_graph.core.database import Store
from tx_graph.documents.document import LinkKind, SectionEdge
from tx_graph.documents.store import AMONG, listed
from tx_graph.graph.edges import SYMMETRIC, Direction, EdgeType, NodeId, Relation, Strand

_OF_DOCUMENTS = f"(SELECT node_id FROM sections WHERE document {AMONG})"
VECTORS, MANUAL, NOBODY = "vectors", "manual", "nobody"
"""Who says so where no model and no agent was asked; what nobody may say is a relation that somebody took back."""
_NO_MODEL = f"('{VECTORS}', '{MANUAL}', '{NOBODY}')"
_STANDS = """
    FROM extracted_edges e
    JOIN sections s ON s.node_id = e.source AND e.source_hash IN ('', s.content_hash)
    JOIN sections t ON t.node_id = e.target AND e.target_hash IN ('', t.content_hash)
"""
_HOLDS = f"""
    {_STANDS}
    LEFT JOIN extracted_edges taken ON taken.source = e.source AND taken.target = e.target
        AND taken.origin = '{NOBODY}' AND taken.relation IN ('', e.relation)
    WHERE taken.source IS NULL
"""
_INSERT = """
    INSERT INTO section_edges (source, target, relation, edge_type, weight, description, origin)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""


class SectionEdgeStore(Store):
    """Keeps the edges of sections; there is one for each source, target and relation."""

    def replace(self, documents: Collection[NodeId], edges: Iterable[SectionEdge]) -> None:
        """Make these and what was extracted the only edges of documents, the heaviest of each. Needs a transaction."""
        self._database.write(f"DELETE FROM section_edges WHERE source IN {_OF_DOCUMENTS}", listed(documents))
        # What was extracted from sections that say what they said then.
        rows = self._database.rows(
            f"""
            SELECT e.source, e.target, e.relation, e.weight, e.description, e.origin {_HOLDS}
              AND e.source IN {_OF_DOCUMENTS}
            ORDER BY e.source, e.target, e.relation
            """,
            listed(documents),
        )
        extracted = (SectionEdge._make((*row[:2], Relation(row[2]), *row[3:])) for row in rows)
        kept: dict[tuple[NodeId, NodeId, Relation], SectionEdge] = {}
        for edge in chain(edges, extracted):
            key = (edge.source, edge.target, edge.relation)
            if key not in kept or edge.weight > kept[key].weight:
                kept[key] = edge
        self._database.write_many(_INSERT, map(_row, kept.values()))

    def assert_edges(self, edges: Iterable[SectionEdge]) -> int:
        """Add what somebody said of sections as they are; the heavier stays. Return how many. Needs a transaction.

        What somebody took back is kept, and leads nowhere.
        """
        edges, taken = list(edges), self.taken_back()
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
            ((*edge[:2], edge.relation.value, *edge[3:]) for edge in edges),
        )
        self._database.write_many(
            f"""{_INSERT}
            ON CONFLICT (source, target, relation) DO UPDATE SET
                weight = excluded.weight, description = excluded.description, origin = excluded.origin
            WHERE excluded.weight > weight
            """,
            map(_row, there := [e for e in edges if not taken & {(*e[:2], ""), (*e[:2], e.relation.value)}]),
        )
        return len(there)

    def retract(self, origin: str) -> None:
        """Forget everything that somebody said; the edges that rest on it are `outdated` then. Needs a transaction."""
        self._database.write("DELETE FROM extracted_edges WHERE origin = ?", (origin,))

    def forget_said(
        self, *, between: Collection[NodeId] = (), by: str = "", within: str = "", across: Collection[str] | None = None
    ) -> int:
        """Forget what models and agents said, and return how much; the edges are `outdated` then. Needs a transaction.

        That is all of it between the sections of the document `within`, or `across` some documents (none: all) and
        others; or only what one said (`by`) between some sections.
        """
        if between:
            ends = f"origin = :by AND source {AMONG} AND target {AMONG}"
        elif across is None:
            own = (
                "IN (SELECT s.node_id FROM sections s JOIN documents d ON d.node_id = s.document WHERE d.path = :path)"
            )
            ends = f"source {own} AND target {own}"
        else:
            ends = f"""(source, target) IN (
                SELECT e.source, e.target
                FROM extracted_edges e
                JOIN sections s ON s.node_id = e.source
                JOIN sections t ON t.node_id = e.target
                JOIN documents a ON a.node_id = s.document
                JOIN documents b ON b.node_id = t.document
                WHERE a.node_id <> b.node_id AND (:is_all OR a.path {AMONG} OR b.path {AMONG})
            )"""
        asked = {**listed(between or across or ()), "by": by, "path": within, "is_all": not across}
        return self._database.write(f"DELETE FROM extracted_edges WHERE origin NOT IN {_NO_MODEL} AND {ends}", asked)

    def taken_back(self) -> set[tuple[NodeId, NodeId, str]]:
        """Return what somebody took back: source, target and relation, an empty one for any."""
        return set(
            self._database.rows(
                "SELECT source, target, relation FROM extracted_edges WHERE origin = ? ORDER BY 1, 2, 3", (NOBODY,)
            )
        )

    def settle_by_hand(self, rows: Iterable[tuple[NodeId, NodeId, str, float, str, str]]) -> None:
        """Make these all that people said: source, target, relation, weight, description, origin. In a transaction."""
        self._database.write("DELETE FROM extracted_edges WHERE origin IN (?, ?)", (MANUAL, NOBODY))
        self._database.write_many("INSERT INTO extracted_edges VALUES (?, ?, ?, ?, ?, ?, '', '')", rows)

    def said(self, source: NodeId, target: NodeId) -> list[tuple[str, str, float, str]]:
        """Return (origin, relation, weight, description) of what ties one section to another, taken back or not."""
        return self._database.rows(
            """
            SELECT origin, relation, weight, description FROM section_edges WHERE source = ?1 AND target = ?2
            UNION
            SELECT origin, relation, weight, description FROM extracted_edges WHERE source = ?1 AND target = ?2
            ORDER BY 1, 2
            """,
            (source, target),
        )

    def outdated(self) -> set[NodeId]:
        """Return the documents whose edges are not what was extracted of their texts: some changed, or came back."""
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
              AND (e.source, e.target, e.relation) NOT IN (SELECT source, target, relation FROM section_edges)
            """
        )
        return {document for (document,) in rows}

    def origins(self) -> dict[str, int]:
        """Return how many edges leave sections, by who said so."""
        return dict(self._database.rows("SELECT origin, count(*) FROM section_edges GROUP BY origin ORDER BY origin"))

    def prune(self) -> int:
        """Remove edges that no section holds, or said of what has changed; return how many. Needs a transaction."""
        stale = self._database.write(
            f"""
            DELETE FROM extracted_edges WHERE (source, target, relation, origin) NOT IN (
                SELECT e.source, e.target, e.relation, e.origin {_STANDS}
            )
            """
        )
        loose = self._database.write(
            """
            DELETE FROM section_edges
            WHERE source NOT IN (SELECT node_id FROM sections) OR target NOT IN (SELECT id FROM nodes)
            """
        )
        return stale + loose


def _row(edge: SectionEdge) -> tuple[NodeId, NodeId, str, str, float, str, str]:
    kind = EdgeType.SIMILAR_TO if edge.relation is Relation.SIMILAR_TO else EdgeType.LINKS_TO
    return (*edge[:2], edge.relation.value, kind.value, *edge[3:])


class SectionLink(NamedTuple):
    """A link of a section of the document at that path; where it leads to no `target`, `problem` may say why."""

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
    """A link with a predicate; `speaker` is the document, or the record of a decision in it, and so may `target` be."""

    document: NodeId
    section: NodeId
    speaker: NodeId
    kind: LinkKind
    written: str
    predicate: str
    target: NodeId | None
    title: str
    is_front: bool


class SectionLinkStore(Store):
    """Keeps the links of sections."""

    def forget(self, documents: Collection[NodeId]) -> None:
        """Drop the links of all sections of documents. Needs a transaction."""
        self._database.write(f"DELETE FROM section_links WHERE section IN {_OF_DOCUMENTS}", listed(documents))

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
        return self._links("1")

    def of_documents(self, documents: Collection[NodeId]) -> list[SectionLink]:
        """Return the links of the sections of some documents, by document and in source order."""
        return self._links(f"s.document {AMONG}", documents)

    def _links(self, narrowed: str, documents: Collection[NodeId] = ()) -> list[SectionLink]:
        rows = self._database.rows(
            f"""
            SELECT k.section, k.position, d.path, k.kind, k.written, k.text, k.predicate, k.line, k.target, k.problem
            FROM section_links k
            JOIN sections s ON s.node_id = k.section
            JOIN documents d ON d.node_id = s.document
            WHERE {narrowed}
            ORDER BY d.path, k.line, s.position, k.position
            """,
            listed(documents),
        )
        return [SectionLink._make((*row[:3], LinkKind(row[3]), *row[4:])) for row in rows]

    def typed(self, documents: Collection[NodeId]) -> list[TypedLink]:
        """Return the links with a predicate of some documents, by document and in source order."""
        rows = self._database.rows(
            f"""
            SELECT s.document, k.section, coalesce(ds.decision, s.document), k.kind, k.written, k.predicate,
                coalesce(dt.decision, t.document, k.target), s.title, s.parent IS NULL AND k.line < s.line_start
            FROM section_links k
            JOIN sections s ON s.node_id = k.section
            LEFT JOIN decision_sections ds ON ds.section = k.section
            LEFT JOIN sections t ON t.node_id = k.target
            LEFT JOIN decision_sections dt ON dt.section = k.target
            WHERE k.predicate <> '' AND s.document {AMONG}
            ORDER BY s.document, s.position, k.position
            """,
            listed(documents),
        )
        return [TypedLink._make((*row[:3], LinkKind(row[3]), *row[4:8], bool(row[8]))) for row in rows]

    def problems(self) -> list[SectionLink]:
        """Return the links that lead nowhere although they should, by document and in source order."""
        return self._links("k.problem IS NOT NULL")


REPLACING = ("supersedes", "supercedes", "replaces", "obsoletes")
"""Predicates of a note that says that its target no longer holds."""
REPLACED = ("superseded_by", "superceded_by", "superseded", "replaced_by", "obsoleted_by")
"""Predicates of a note that says so of its own subject."""
_STATUS = "status"
"""The title under which a decision tells whether it still holds: what stands there is said of all of it."""

_ABOVE = f"""
    WITH RECURSIVE above (start, node, parent) AS (
        SELECT node_id, node_id, parent FROM sections WHERE node_id {AMONG}
        UNION ALL
        SELECT above.start, s.node_id, s.parent FROM above JOIN sections s ON s.node_id = above.parent
    )
"""


def _written(predicates: Collection[str]) -> str:
    """Return predicates as SQL: written out, the planner looks each up in the index of typed links."""
    return "('" + "', '".join(predicates) + "')"


_MOST_ROWS = 5_000
"""Edges that one step reads each way, the heaviest: a file that every section names leads to all of them."""


class SectionTie(NamedTuple):
    """An edge of a section as an answer tells it; stored from `source` to `target`. `origin` is who says so."""

    source: NodeId
    target: NodeId
    relation: str
    weight: float
    description: str
    origin: str = "structure"

    @property
    def dullness(self) -> int:
        """How little it tells: 0 what somebody described, 1 a link, 2 where a section stands, or mere likeness."""
        if self.origin == VECTORS or (self.relation in ("part_of", "sequence") and not self.description):
            return 2
        return 0 if self.description and self.origin not in ("structure", "link") else 1


_TIE = f"SELECT {', '.join(SectionTie._fields)}"


class SectionWalk(Store):
    """Follows sections up and down their documents and along their edges, a whole frontier at once."""

    def speakers(self, nodes: Collection[NodeId]) -> dict[NodeId, NodeId]:
        """Return what speaks for each section: itself if it has text, else the first below it that has, if any."""
        rows = self._database.rows(
            f"""
            WITH RECURSIVE below (start, node, is_silent, position) AS (
                SELECT node_id, node_id, text = '', position FROM sections WHERE node_id {AMONG}
                UNION ALL
                SELECT below.start, s.node_id, s.text = '', s.position
                FROM below
                JOIN sections s ON s.parent = below.node
                WHERE below.is_silent
            )
            SELECT start, node, min(position) FROM below WHERE NOT is_silent GROUP BY start
            """,
            listed(nodes),
        )
        return {start: node for start, node, _ in rows}

    def documents_with_successors(self) -> set[NodeId]:
        """Return the documents in which anything may have been superseded: in all others everything holds."""
        rows = self._database.rows(
            f"""
            SELECT s.document
            FROM section_links k
            CROSS JOIN sections s ON s.node_id = k.target
            WHERE k.predicate IN {_written(REPLACING)} AND k.predicate > ''
            UNION
            SELECT s.document
            FROM section_links k
            CROSS JOIN sections s ON s.node_id = k.section
            WHERE k.predicate IN {_written(REPLACED)} AND k.predicate > ''
            """
        )
        return {document for (document,) in rows}

    def superseded_by(self, nodes: Collection[NodeId]) -> dict[NodeId, str]:
        """Return what took the place of sections; a note speaks of all below it, one under `Status` of all around."""
        others = self._database.rows(
            f"""
            {_ABOVE}
            SELECT a.start, n.key
            FROM above a
            CROSS JOIN section_links k ON k.target = a.node  -- in this order: few nodes, each looked up
            JOIN nodes n ON n.id = k.section
            WHERE k.predicate IN (SELECT value FROM json_each(:predicates))
            ORDER BY a.start, n.key
            """,
            listed(nodes) | {"predicates": json.dumps(REPLACING)},
        )
        own = self._database.rows(
            f"""
            {_ABOVE}, noted (subject, successor) AS (
                SELECT CASE WHEN lower(s.title) = '{_STATUS}' AND s.parent IS NOT NULL THEN s.parent ELSE s.node_id END,
                       ifnull(n.key, k.written)
                FROM section_links k
                JOIN sections s ON s.node_id = k.section
                LEFT JOIN nodes n ON n.id = k.target
                WHERE k.predicate IN (SELECT value FROM json_each(:predicates))
                  AND s.document IN (SELECT document FROM sections WHERE node_id {AMONG})
            )
            SELECT a.start, noted.successor
            FROM above a
            JOIN noted ON noted.subject = a.node
            ORDER BY a.start, noted.successor
            """,
            listed(nodes) | {"predicates": json.dumps(REPLACED)},
        )
        return dict(reversed([*others, *own]))  # the first that is told of each

    def leaving(
        self, frontier: Collection[NodeId], *, relations: Collection[Relation], direction: Direction, least: float = 0.0
    ) -> list[Strand]:
        """Return the edges that lead away from the frontier, or turned do so; what two share counts both ways."""
        asked = {
            **listed(frontier),
            "relations": json.dumps(list(relations)),
            "symmetric": json.dumps(list(SYMMETRIC)),
            "least": least,
            "most": _MOST_ROWS,
        }
        found: list[Strand] = []
        for forward, against in ((True, Direction.IN), (False, Direction.OUT)):
            start, end = ("source", "target") if forward else ("target", "source")
            only = "AND edge_type IN (SELECT value FROM json_each(:symmetric))" if direction is against else ""
            rows = self._database.rows(
                f"""
                SELECT {start}, {end}, weight, edge_type
                FROM section_edges
                WHERE {start} {AMONG} AND weight >= :least
                  AND relation IN (SELECT value FROM json_each(:relations)) {only}
                ORDER BY weight DESC, {start}, {end}
                LIMIT :most
                """,
                asked,
            )
            by_type: dict[str, list[tuple[NodeId, NodeId, float]]] = defaultdict(list)
            for *row, kind in rows:
                by_type[kind].append((row[0], row[1], row[2]))
            found += [Strand(kind, forward, typed) for kind, typed in sorted(by_type.items())]
        return found

    def ties(self, nodes: Collection[NodeId], others: Collection[NodeId]) -> list[SectionTie]:
        """Return the edges between some nodes and others, whichever way they lead, heaviest first."""
        return self._ties(
            f"""
            FROM section_edges
            WHERE source {AMONG} AND target IN (SELECT value FROM json_each(:others))
            UNION
            {_TIE}
            FROM section_edges
            WHERE target {AMONG} AND source IN (SELECT value FROM json_each(:others))
            ORDER BY weight DESC, source, target, relation
            """,
            listed(nodes) | {"others": json.dumps(list(others))},
        )

    def around(self, nodes: Collection[NodeId]) -> list[SectionTie]:
        """Return the edges that leave nodes or lead there, without those of their headings, the most telling first."""
        found = self._ties(
            f"""
            FROM section_edges
            WHERE (source {AMONG} OR target {AMONG}) AND origin <> 'structure'
            ORDER BY weight DESC, source, target, relation
            """,
            listed(nodes),
        )
        return sorted(found, key=attrgetter("dullness"))

    def taken_back(self, nodes: Collection[NodeId]) -> list[SectionTie]:
        """Return what somebody took back of nodes, either way; an empty relation stands for any."""
        return self._ties(
            f"""
            FROM extracted_edges
            WHERE (source {AMONG} OR target {AMONG}) AND origin = :nobody
            ORDER BY source, target, relation
            """,
            listed(nodes) | {"nobody": NOBODY},
        )

    def _ties(self, chosen: str, asked: Mapping[str, str]) -> list[SectionTie]:
        return [SectionTie._make(row) for row in self._database.rows(f"{_TIE} {chosen}", asked)]
