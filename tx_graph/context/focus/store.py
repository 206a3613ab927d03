"""Sections as the focus view sees them: parts are one with their section, and a lone heading with its document.

Most documents begin with the one heading that all else stands below: the document and that heading are the same thing,
and go by the document's name. The `home` of a section is itself, or the section or document that it is one with.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

from tx_graph.code.file_store import span_below
from tx_graph.code.imports import ImportType
from tx_graph.context.focus.pointing import Tie
from tx_graph.core.database import Store
from tx_graph.graph.edge_statements import SHOWN
from tx_graph.graph.edges import NodeId

_LAST = "\U0010ffff"  # sorts after every name
_PAGE = 64  # paths to read at once
_MOST_IMPORTERS = 1_000  # importers of one file that are looked at: no budget has room for more


class Entry(NamedTuple):
    """What lies in a directory, by its path; `document` is the node of a file that was read as one."""

    path: str
    is_directory: bool
    document: NodeId | None

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]


class FocusFiles(Store):
    """Answers what lies in a directory, and what a file imports and is imported by."""

    def entries(self, directory: str, *, most: int | None = None) -> list[Entry]:
        """Return what lies in a directory (empty: the root) at the last index or ingest, by name, `most` at most.

        Files are read as they lie side by side; whatever lies deeper is leapt over, so that a root with a hundred
        thousand files below it costs what it holds itself.
        """
        low, high = span_below(directory)
        found: dict[str, Entry] = {}
        after, sql, page = low, _NEXT, min(most or _PAGE, _PAGE)
        while rows := self._database.rows(sql, {"low": low, "after": after, "high": high, "last": _LAST, "page": page}):
            entries = [_entry(*row, start=len(low)) for row in rows]
            found |= {entry.path: entry for entry in entries}
            last = entries[-1]  # not that of all found: what is file and directory keeps its first place there
            after = f"{last.path}/{_LAST}" if last.is_directory else last.path
            sql = _LEAPS if last.is_directory else _NEXT
            if most is not None and len(found) >= most:
                break
        return sorted(found.values(), key=lambda entry: entry.name)[:most]

    def documents(self, paths: Collection[str]) -> dict[str, NodeId]:
        """Return the nodes of those of these files that were read as documents."""
        rows = self._database.rows(
            "SELECT path, node_id FROM documents WHERE path IN (SELECT value FROM json_each(:paths))",
            {"paths": json.dumps(list(paths))},
        )
        return dict(rows)

    def ties(self, path: str, *, into: bool = False) -> list[Tie]:
        """Return the imports of a file, or those `into` it by others, by path."""
        own, other = ("target_file", "source_file") if into else ("source_file", "target_file")
        rows = self._database.rows(
            f"""
            SELECT o.path, i.import_type, ifnull(c.correlation_score, 0)
            FROM files f
            JOIN file_imports i ON i.{own} = f.node_id
            JOIN files o ON o.node_id = i.{other}
            LEFT JOIN file_cochanges c ON c.file_a = iif(f.path < o.path, f.node_id, o.node_id)
                AND c.file_b = iif(f.path < o.path, o.node_id, f.node_id)
            WHERE f.path = :path
            ORDER BY o.path
            LIMIT :most
            """,
            {"path": path, "most": _MOST_IMPORTERS},
        )
        return [Tie(other, ImportType(kind), score) for other, kind, score in rows]

    def nearest_directories(self, text: str) -> list[str]:
        """Return the directories whose paths are most like `text`, at most five."""
        from difflib import get_close_matches

        paths = (path for (path,) in self._database.rows("SELECT path FROM files UNION SELECT path FROM documents"))
        known = {above for path in paths for above in _directories_of(path)}
        return get_close_matches(text.rstrip("/"), sorted(known), n=5)


_NEXT = """
    SELECT p.path, d.node_id
    FROM (
        SELECT path FROM files WHERE path > :after AND path < :high
        UNION
        SELECT path FROM documents WHERE path > :after AND path < :high
        ORDER BY path
        LIMIT :page
    ) p
    LEFT JOIN documents d ON d.path = p.path
    ORDER BY p.path
"""
_FIRST = """(
    SELECT min(path)
    FROM (
        SELECT min(path) AS path FROM files WHERE path > {after} AND path < :high
        UNION ALL
        SELECT min(path) FROM documents WHERE path > {after} AND path < :high
    )
)"""
_REST = "substr(leap.path, length(:low) + 1)"
_BEHIND = f"iif(instr({_REST}, '/'), :low || substr({_REST}, 1, instr({_REST}, '/')) || :last, leap.path)"
_LEAPS = f"""
    WITH RECURSIVE leap (path) AS (
        SELECT {_FIRST.format(after=":after")}
        UNION ALL
        SELECT {_FIRST.format(after=_BEHIND)} FROM leap WHERE leap.path IS NOT NULL LIMIT :page
    )
    SELECT leap.path, d.node_id
    FROM leap
    LEFT JOIN documents d ON d.path = leap.path
    WHERE leap.path IS NOT NULL
    ORDER BY leap.path
"""


def _entry(path: str, document: NodeId | None, *, start: int) -> Entry:
    slash = path.find("/", start)
    return Entry(path if slash < 0 else path[:slash], slash >= 0, document if slash < 0 else None)


def _directories_of(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]


_LEAD = 1_000  # characters of a learning to read where only its beginning is shown


class LearningLink(NamedTuple):
    """A LINKS_TO edge between two learnings."""

    source: NodeId
    target: NodeId
    relation: str


class LearningNote(NamedTuple):
    """What is to say of a learning; `successor` is the number of the one that took its place."""

    node: NodeId
    number: int
    content: str
    status: str
    is_removed: int
    successor: int | None


class FocusLearnings(Store):
    """Answers where learnings belong. Withheld ones are in no list."""

    def anchored_to(self, node: NodeId) -> list[NodeId]:
        """Return the learnings that are anchored to a file or symbol, by number; anchors by glob are left out."""
        rows = self._database.rows(
            f"""
            SELECT DISTINCT l.node_id, l.id
            FROM (
                SELECT learning FROM file_anchors WHERE file_node = :node AND status <> 'invalid'
                UNION
                SELECT learning FROM file_anchors WHERE symbol_node = :node AND status <> 'invalid'
            ) a
            JOIN learnings l ON l.node_id = a.learning
            WHERE {SHOWN}
            ORDER BY l.id
            """,
            {"node": node},
        )
        return [learning for learning, _ in rows]

    def place(self, learning: NodeId) -> tuple[str, bool] | None:
        """Return what a learning is anchored to above all: a path, or a glob (True); None without anchors."""
        found: tuple[str, bool] | None = self._database.row(
            """
            SELECT file_path, anchor_type = 'glob'
            FROM file_anchors
            WHERE learning = :learning
            ORDER BY anchor_type = 'glob', status = 'invalid', weight DESC, id
            LIMIT 1
            """,
            {"learning": learning},
        )
        return None if found is None else (found[0], bool(found[1]))

    def links(self, learning: NodeId, *, to_it: bool = False) -> list[LearningLink]:
        """Return the links of a learning to others, or those of others to it, by relation and number."""
        own, other = ("target", "source") if to_it else ("source", "target")
        rows = self._database.rows(
            f"""
            SELECT e.source, e.target, e.relation
            FROM learning_edges e
            JOIN learnings l ON l.node_id = e.{other}
            WHERE e.{own} = :learning AND e.edge_type = 'LINKS_TO' AND e.invalidated_at IS NULL AND {SHOWN}
            ORDER BY e.relation, l.id
            """,
            {"learning": learning},
        )
        return [LearningLink._make(row) for row in rows]

    def notes(self, nodes: Collection[NodeId], *, is_whole: bool = False) -> dict[NodeId, LearningNote]:
        """Return what is to say of each of the nodes that is a learning: all, or not much more than how it begins."""
        rows = self._database.rows(
            """
            SELECT l.node_id, l.id, substr(l.content, 1, :most), l.status, l.removed_at IS NOT NULL, s.id
            FROM learnings l
            LEFT JOIN learnings s ON s.uid = l.superseded_by
            WHERE l.present = 1 AND l.node_id IN (SELECT value FROM json_each(:nodes))
            """,
            {"nodes": json.dumps(list(nodes)), "most": 2**31 if is_whole else _LEAD},
        )
        return {row[0]: LearningNote._make(row) for row in rows}


_MOST_MENTIONS = 500  # links to one node that are looked at: no budget has room for more
"""Characters of a section to read where only its beginning is shown, heading included."""
_AMONG = "IN (SELECT value FROM json_each(:nodes))"


def _is_lone(heading: str) -> str:
    """Return the condition that a row of sections is the only one in a document that says nothing before it."""
    return f"""(
        {heading}.parent = {heading}.document AND {heading}.part = 0
        AND (SELECT text = '' FROM sections WHERE node_id = {heading}.document)
        AND NOT EXISTS (SELECT 1 FROM sections o WHERE o.parent = {heading}.document AND o.node_id <> {heading}.node_id)
    )"""


_LONE = f"SELECT h.node_id FROM sections h WHERE h.parent = :node AND {_is_lone('h')}"
_HELD = f"""
    own (node) AS (SELECT :node UNION {_LONE}),
    held (node) AS (
        SELECT node FROM own
        UNION
        SELECT p.node_id FROM own JOIN sections p ON p.parent = own.node AND p.part > 0
    )
"""
"""The rows that are one with a document or section."""


class Home(NamedTuple):
    """A document or section that is nothing's part."""

    node: NodeId
    is_document: bool


class TypedLink(NamedTuple):
    """A link with a predicate, by its place, as it is `written`; `text` are the words that carry it."""

    section: NodeId
    position: int
    predicate: str
    written: str
    text: str
    target: NodeId


class Mention(NamedTuple):
    """A link to something by its place, with the home of the section that it stands in."""

    home: Home
    section: NodeId
    position: int
    predicate: str


class SectionNote(NamedTuple):
    """What is to say of a home. `slug` is empty for a document, and so is `parent_slug` where that is the parent.

    `body` is the row whose own text it is, and `heading` the title that stands above it there. The document had this
    size, time of change (ns) and SHA-256 when it was read.
    """

    node: NodeId
    document: NodeId
    body: NodeId
    path: str
    slug: str
    title: str
    heading: str
    text: str
    parent_slug: str
    parent_title: str
    size: int
    mtime_ns: int
    content_hash: str


_SAID = "origin NOT IN ('structure', 'link') AND (description <> '' OR relation NOT IN ('similar_to', 'sequence'))"


class Described(NamedTuple):
    """A relation with the focus; not `forward` where it leads from the other node to the focus."""

    relation: str
    description: str
    weight: float
    origin: str
    forward: bool


class EntityNote(NamedTuple):
    """What is to say of an entity."""

    node: NodeId
    name: str
    type: str
    description: str


class FocusEntities(Store):
    """Answers what is known of entities: the facts that hold of them, and who speaks of them."""

    def notes(self, nodes: Collection[NodeId]) -> dict[NodeId, EntityNote]:
        """Return what is to say of each of the nodes that is an entity."""
        rows = self._database.rows(
            f"SELECT node_id, name, type, description FROM entities WHERE node_id {_AMONG}",
            {"nodes": json.dumps(list(nodes))},
        )
        return {row[0]: EntityNote._make(row) for row in rows}

    def facts(self, entity: NodeId, *, to_it: bool = False) -> list[tuple[NodeId | None, str, str, Described]]:
        """Return (other entity, its name or the value, status, relation) of its facts, or of those about it."""
        own, other, name = ("object", "subject", "subject_name") if to_it else ("subject", "object", "object_name")
        rows = self._database.rows(
            f"""
            SELECT {other}, ifnull({name}, value), status, predicate, confidence, source
            FROM facts
            WHERE {own} = :entity AND present = 1 AND status IN ('staged', 'confirmed')
            ORDER BY confidence DESC, id
            LIMIT {_MOST_MENTIONS}
            """,
            {"entity": entity},
        )
        return [
            (node, said, status, Described(predicate, "", confidence, source, not to_it))
            for node, said, status, predicate, confidence, source in rows
        ]

    def speakers(self, entity: NodeId) -> list[NodeId]:
        """Return the sections, learnings and files that speak of an entity, the most telling first."""
        rows = self._database.rows(
            f"""
            SELECT m.node
            FROM mentions m
            JOIN nodes n ON n.id = m.node
            LEFT JOIN learnings l ON l.node_id = m.node
            WHERE m.entity = :entity AND (l.node_id IS NULL OR {SHOWN})
            ORDER BY m.weight DESC, n.kind, n.key
            LIMIT {_MOST_MENTIONS}
            """,
            {"entity": entity},
        )
        return [node for (node,) in rows]

    def mentioned(self, node: NodeId) -> list[NodeId]:
        """Return the entities that a section, learning or file speaks of, the most telling first; no documents."""
        rows = self._database.rows(
            f"""
            WITH {_HELD}
            SELECT m.entity
            FROM mentions m
            WHERE m.node IN (SELECT node FROM held)
              AND NOT EXISTS (SELECT 1 FROM mentions i WHERE i.entity = m.entity AND i.origin = 'identity')
            GROUP BY m.entity
            ORDER BY max(m.weight) DESC, m.entity
            """,
            {"node": node},
        )
        return [entity for (entity,) in rows]


class FocusSections(Store):
    """Answers who is above, below and beside a section, and what points at it."""

    def homes(self, nodes: Collection[NodeId]) -> dict[NodeId, Home]:
        """Return the home of each of the nodes that is a document, section or part."""
        rows = self._database.rows(
            f"""
            WITH whole AS MATERIALIZED (
                SELECT s.node_id AS node, u.node_id, u.document, u.parent IS NULL OR {_is_lone("u")} AS is_document
                FROM sections s
                JOIN sections u ON u.node_id = iif(s.part > 0, s.parent, s.node_id)
                WHERE s.node_id {_AMONG}
            )
            SELECT node, iif(is_document, document, node_id), is_document FROM whole
            """,
            {"nodes": json.dumps(list(nodes))},
        )
        return {node: Home(home, bool(is_document)) for node, home, is_document in rows}

    def path(self, document: NodeId) -> str | None:
        """Return the path of a document, None where it is none any more."""
        found: str | None = self._database.value("SELECT path FROM documents WHERE node_id = ?", (document,))
        return found

    def above(self, node: NodeId) -> Home | None:
        """Return the home of what a section stands below; None for a document."""
        parent = self._database.value("SELECT parent FROM sections WHERE node_id = ?", (node,))
        return None if parent is None else self.homes([parent])[parent]

    def below(self, node: NodeId) -> list[NodeId]:
        """Return the sections right below a document or section, in the order of the source."""
        rows = self._database.rows(
            f"""
            SELECT node_id
            FROM sections
            WHERE parent = ifnull(({_LONE}), :node) AND part = 0
            ORDER BY position
            """,
            {"node": node},
        )
        return [child for (child,) in rows]

    def typed_links(self, node: NodeId) -> list[TypedLink]:
        """Return the typed links of a document or section that lead somewhere, in the order of the source."""
        rows = self._database.rows(
            f"""
            WITH {_HELD}
            SELECT k.section, k.position, k.predicate, k.written, k.text, k.target
            FROM held
            CROSS JOIN section_links k ON k.section = held.node
            JOIN sections s ON s.node_id = k.section
            WHERE k.predicate <> '' AND k.target IS NOT NULL
            ORDER BY k.line, s.position, k.position
            """,
            {"node": node},
        )
        return [TypedLink._make(row) for row in rows]

    def mentions(self, node: NodeId) -> list[Mention]:
        """Return the links of others to a document, section, file or symbol, by document and in source order.

        Of very many only some are there, always the same ones.
        """
        rows = self._database.rows(
            f"""
            WITH {_HELD},
            mention (section, position) AS MATERIALIZED (
                SELECT k.section, k.position
                FROM held
                CROSS JOIN section_links k ON k.target = held.node
                WHERE k.section NOT IN (SELECT node FROM held)
                ORDER BY k.section, k.position
                LIMIT {_MOST_MENTIONS}
            )
            SELECT k.section, k.position, k.predicate
            FROM mention m
            CROSS JOIN section_links k ON k.section = m.section AND k.position = m.position
            JOIN sections s ON s.node_id = k.section
            JOIN documents d ON d.node_id = s.document
            ORDER BY d.path, k.line, s.position, k.position
            """,
            {"node": node},
        )
        homes = self.homes({section for section, _, _ in rows})
        return [Mention(homes[section], section, position, predicate) for section, position, predicate in rows]

    def links(self, node: NodeId) -> list[NodeId]:
        """Return what a document or section links to or names without a predicate, in the order of the source."""
        rows = self._database.rows(
            f"""
            WITH {_HELD}
            SELECT k.target
            FROM held
            CROSS JOIN section_links k ON k.section = held.node
            JOIN sections s ON s.node_id = k.section
            WHERE k.predicate = '' AND k.target IS NOT NULL AND k.target NOT IN (SELECT node FROM held)
            ORDER BY k.line, s.position, k.position
            LIMIT {_MOST_MENTIONS}
            """,
            {"node": node},
        )
        return [target for (target,) in dict.fromkeys(rows)]

    def described(self, node: NodeId) -> list[tuple[NodeId, Described]]:
        """Return what somebody said of a document or section and another one, the heaviest first; no mere likeness."""
        rows = self._database.rows(
            f"""
            WITH {_HELD}
            SELECT target, relation, description, weight, origin, 1 AS forward
            FROM section_edges
            WHERE source IN (SELECT node FROM held) AND {_SAID}
            UNION ALL
            SELECT source, relation, description, weight, origin, 0
            FROM section_edges
            WHERE target IN (SELECT node FROM held) AND {_SAID}
            ORDER BY weight DESC, forward DESC, 1, relation
            LIMIT {_MOST_MENTIONS}
            """,
            {"node": node},
        )
        return [(row[0], Described(row[1], row[2], row[3], row[4], bool(row[5]))) for row in rows]

    def notes(self, nodes: Collection[NodeId], *, is_whole: bool = False) -> dict[NodeId, SectionNote]:
        """Return what is to say of each of the nodes that is a home: all of it, or not much more than how it begins."""
        length = 2**31 if is_whole else _LEAD
        rows = self._database.rows(
            f"""
            WITH named AS MATERIALIZED (
                SELECT s.node_id, s.document, s.parent, s.title, s.slug,
                       p.parent IS NULL OR {_is_lone("p")} AS is_on_top, p.slug AS parent_slug, p.title AS parent_title,
                       ifnull((SELECT h.node_id FROM sections h WHERE h.parent = s.node_id AND {_is_lone("h")}),
                              s.node_id) AS body
                FROM sections s
                LEFT JOIN sections p ON p.node_id = s.parent
                WHERE s.node_id {_AMONG}
            )
            SELECT s.node_id, s.document, s.body, d.path, s.slug, iif(s.parent IS NULL, d.title, s.title), b.title,
                   iif(b.text <> '', substr(b.text, 1, :length), ifnull((
                       SELECT group_concat(text, char(10, 10))
                       FROM (
                           SELECT substr(text, 1, :length) AS text
                           FROM sections
                           WHERE parent = b.node_id AND part > 0
                           ORDER BY position
                           LIMIT :parts
                       )
                   ), '')),
                   iif(s.is_on_top, '', s.parent_slug),
                   iif(s.is_on_top, d.title, s.parent_title),
                   d.size, d.mtime_ns, d.content_hash
            FROM named s
            CROSS JOIN documents d ON d.node_id = s.document
            CROSS JOIN sections b ON b.node_id = s.body
            """,
            {"nodes": json.dumps(list(nodes)), "length": length, "parts": -1 if is_whole else 1},
        )
        return {row[0]: SectionNote._make(row) for row in rows}
