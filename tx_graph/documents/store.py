"""Sections as rows: the trees of all documents."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tx_graph.core.database import Database
from tx_graph.documents.document import Format, Unit, section_key
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A document as it was last read. `content_hash` is the SHA-256 of its file, in hexadecimal.

    `aliases` are other names that its front matter gives it.
    """

    node: NodeId
    path: str
    format: Format
    title: str
    size: int
    mtime_ns: int
    content_hash: str
    problems: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadDocument:
    """A file that could not be read as a document, as it was then, and why as a sentence's end."""

    path: str
    size: int
    mtime_ns: int
    problem: str


class DocumentStore:
    """Keeps what is known of documents as files."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, documents: Iterable[DocumentRow]) -> None:
        """Insert or update documents. Needs a transaction."""
        self._database.write_many(
            """
            INSERT INTO documents (node_id, path, format, title, size, mtime_ns, content_hash, problems, aliases)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (node_id) DO UPDATE SET
                format = excluded.format, title = excluded.title, size = excluded.size, mtime_ns = excluded.mtime_ns,
                content_hash = excluded.content_hash, problems = excluded.problems, aliases = excluded.aliases
            """,
            map(_row, documents),
        )

    def touch(self, stamps: Iterable[tuple[NodeId, int]]) -> None:
        """Take note of new times of change (ns) of documents that say what they said. Needs a transaction."""
        self._database.write_many(
            "UPDATE documents SET mtime_ns = ? WHERE node_id = ?", ((mtime_ns, node) for node, mtime_ns in stamps)
        )

    def remove(self, nodes: Collection[NodeId]) -> None:
        """Forget documents; their sections must be gone already. Needs a transaction."""
        self._database.write_many("DELETE FROM documents WHERE node_id = ?", ((node,) for node in nodes))

    def stamps(self) -> dict[str, tuple[int, int]]:
        """Return size and time of change (ns) of every document, and of every file that could not be read as one."""
        rows = self._database.rows(
            "SELECT path, size, mtime_ns FROM documents UNION ALL SELECT path, size, mtime_ns FROM unread_documents"
        )
        return {path: (size, mtime_ns) for path, size, mtime_ns in rows}

    def nodes(self) -> dict[str, NodeId]:
        """Return the node of every document by its path."""
        return dict(self._database.rows("SELECT path, node_id FROM documents ORDER BY path"))

    def titles(self) -> dict[str, str]:
        """Return the title of every document by its path."""
        return dict(self._database.rows("SELECT path, title FROM documents ORDER BY path"))

    def by_paths(self, paths: Collection[str]) -> dict[str, DocumentRow]:
        """Return those of the documents that there are, by path."""
        rows = self._database.rows(
            f"SELECT {_DOCUMENTS_COLUMNS} FROM documents WHERE path IN (SELECT value FROM json_each(:paths))"
            " ORDER BY path",
            {"paths": json.dumps(list(paths))},
        )
        return {row[1]: _document(row) for row in rows}

    def every(self) -> list[DocumentRow]:
        """Return every document, by path."""
        return [
            _document(row) for row in self._database.rows(f"SELECT {_DOCUMENTS_COLUMNS} FROM documents ORDER BY path")
        ]

    def count(self) -> int:
        """Return how many documents there are."""
        return int(self._database.value("SELECT count(*) FROM documents"))

    def sizes(self) -> dict[str, int]:
        """Return how many documents, headings in them (`sections`) and `chunks` there are."""
        row = self._database.row(
            """
            SELECT (SELECT count(*) FROM documents),
                   (SELECT count(*) FROM sections WHERE part = 0 AND parent IS NOT NULL),
                   (SELECT count(*) FROM chunks)
            """
        )
        return dict(zip(("documents", "sections", "chunks"), row or (), strict=True))

    def note_unread(self, files: Iterable[UnreadDocument]) -> None:
        """Remember files that could not be read. Needs a transaction."""
        self._database.write_many(
            "INSERT OR REPLACE INTO unread_documents (path, size, mtime_ns, problem) VALUES (?, ?, ?, ?)",
            ((file.path, file.size, file.mtime_ns, file.problem) for file in files),
        )

    def forget_unread(self, paths: Iterable[str]) -> None:
        """Forget that files could not be read. Needs a transaction."""
        self._database.write_many("DELETE FROM unread_documents WHERE path = ?", ((path,) for path in paths))

    def unread(self) -> dict[str, str]:
        """Return why each of these files could not be read, by path."""
        return dict(self._database.rows("SELECT path, problem FROM unread_documents ORDER BY path"))

    def readable_state(self) -> str:
        """Return what changes whenever a file or symbol that links may lead to comes, goes or changes."""
        row = self._database.row(
            """
            SELECT count(*), ifnull(sum(node_id), 0), ifnull(sum(size), 0), ifnull(sum(mtime_ns / 1000 % 1000000007), 0)
            FROM files
            """
        )
        return ":".join(map(str, row or ()))


_DOCUMENTS_COLUMNS = "node_id, path, format, title, size, mtime_ns, content_hash, problems, aliases"


def _row(one: DocumentRow) -> tuple[object, ...]:
    lists = (json.dumps(one.problems), json.dumps(one.aliases, ensure_ascii=False))
    return (one.node, one.path, one.format.value, one.title, one.size, one.mtime_ns, one.content_hash, *lists)


def _document(row: tuple[NodeId, str, str, str, int, int, str, str, str]) -> DocumentRow:
    node, path, form, title, size, mtime_ns, content_hash, problems, aliases = row
    return DocumentRow(
        node=node,
        path=path,
        format=Format(form),
        title=title,
        size=size,
        mtime_ns=mtime_ns,
        content_hash=content_hash,
        problems=tuple(json.loads(problems)),
        aliases=tuple(json.loads(aliases)),
    )


_AMONG = "IN (SELECT value FROM json_each(:nodes))"
_SECTIONS_COLUMNS = (
    "node_id, document, parent, position, part, level, title, slug, labels, line_start, line_end, content_hash, text"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRow:
    """A section as it was last read; the row of the document itself has its document as node, and no parent.

    `labels` are other names by which links reach it. `text` is empty where parts have it.
    """

    node: NodeId
    document: NodeId
    parent: NodeId | None
    position: int
    part: int
    level: int
    title: str
    slug: str
    labels: tuple[str, ...]
    line_start: int
    line_end: int
    content_hash: str
    text: str


class SectionStore:
    """Keeps the sections of documents."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._nodes = NodeStore(database)

    def named(self, keys: Mapping[NodeId, str], new: Iterable[str]) -> dict[str, NodeId]:
        """Give kept sections these keys, and register new ones; return the nodes of all. Needs a transaction."""
        # Two sections may swap their names, so that neither is free when the other takes it.
        self._database.write_many("UPDATE nodes SET key = '\x01' || id WHERE id = ?", ((node,) for node in keys))
        self._database.write_many("UPDATE nodes SET key = ? WHERE id = ?", ((key, node) for node, key in keys.items()))
        return self._nodes.ensure(NodeKind.SECTION, new) | {key: node for node, key in keys.items()}

    def save(self, sections: Iterable[SectionRow]) -> None:
        """Insert or update sections. Needs a transaction."""
        self._database.write_many(
            f"""
            INSERT INTO sections ({_SECTIONS_COLUMNS})
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (node_id) DO UPDATE SET
                document = excluded.document, parent = excluded.parent, position = excluded.position,
                part = excluded.part, level = excluded.level, title = excluded.title, slug = excluded.slug,
                labels = excluded.labels, line_start = excluded.line_start, line_end = excluded.line_end,
                content_hash = excluded.content_hash, text = excluded.text
            """,
            (
                (
                    row.node,
                    row.document,
                    row.parent,
                    row.position,
                    row.part,
                    row.level,
                    row.title,
                    row.slug,
                    json.dumps(row.labels) if row.labels else "[]",
                    row.line_start,
                    row.line_end,
                    row.content_hash,
                    row.text,
                )
                for row in sections
            ),
        )

    def remove(self, nodes: Collection[NodeId]) -> None:
        """Forget sections, and the nodes of those that are no files. Needs a transaction."""
        gone = [(node,) for node in nodes]
        self._database.write_many("DELETE FROM sections WHERE node_id = ?", gone)
        self._database.write_many("DELETE FROM nodes WHERE id = ? AND kind = 'section'", gone)

    def prune_nodes(self) -> int:
        """Remove the nodes of sections that no document has any more; return how many. Needs a transaction."""
        return self._database.write(
            "DELETE FROM nodes WHERE kind = 'section' AND id NOT IN (SELECT node_id FROM sections)"
        )

    def of_documents(self, documents: Collection[NodeId]) -> dict[NodeId, list[SectionRow]]:
        """Return the sections of each document, in the order of the source."""
        found: dict[NodeId, list[SectionRow]] = defaultdict(list)
        rows = self._database.rows(
            f"SELECT {_SECTIONS_COLUMNS} FROM sections WHERE document {_AMONG} ORDER BY document, position",
            {"nodes": json.dumps(list(documents))},
        )
        for row in map(_section, rows):
            found[row.document].append(row)
        return found

    def trees(self, documents: Collection[NodeId]) -> dict[NodeId, list[tuple[NodeId, NodeId | None]]]:
        """Return (section, parent) of every section of each document, in the order of the source."""
        found: dict[NodeId, list[tuple[NodeId, NodeId | None]]] = defaultdict(list)
        rows = self._database.rows(
            f"SELECT document, node_id, parent FROM sections WHERE document {_AMONG} ORDER BY document, position",
            {"nodes": json.dumps(list(documents))},
        )
        for document, node, parent in rows:
            found[document].append((node, parent))
        return found

    def names(self) -> list[tuple[str, str, str, str, NodeId]]:
        """Return (document's path, key, slug, labels as JSON, node) of every section that is no part."""
        return self._database.rows(
            """
            SELECT d.path, n.key, s.slug, s.labels, s.node_id
            FROM sections s
            JOIN documents d ON d.node_id = s.document
            JOIN nodes n ON n.id = s.node_id
            WHERE s.part = 0
            ORDER BY d.path, s.position
            """
        )

    def units(self, paths: Collection[str] | None = None) -> list[Unit]:
        """Return every section and part that has text, by document and in source order; None: of all documents."""
        narrowed = "1" if paths is None else "d.path IN (SELECT value FROM json_each(:paths))"
        return self._units(narrowed, {"paths": json.dumps(list(paths or ()))})

    def units_by_nodes(self, nodes: Collection[NodeId]) -> dict[NodeId, Unit]:
        """Return those of the nodes that are sections or parts with text."""
        found = self._units(f"s.node_id {_AMONG}", {"nodes": json.dumps(list(nodes))})
        return {unit.node: unit for unit in found}

    def _units(self, narrowed: str, parameters: Mapping[str, str]) -> list[Unit]:
        rows = self._database.rows(
            f"""
            SELECT s.node_id, d.path, s.part, s.slug, s.level, s.title, s.text, s.content_hash,
                   s.line_start, s.line_end, s.parent
            FROM sections s
            JOIN documents d ON d.node_id = s.document
            WHERE s.text <> '' AND {narrowed}
            ORDER BY d.path, s.position
            """,
            parameters,
        )
        headings = self.headings([row[0] for row in rows])
        return [
            Unit(
                node=node,
                ref=path if parent is None else section_key(path, slug, part),
                document=path,
                title=title,
                headings=headings[node],
                text=text,
                content_hash=content_hash,
                line_start=first,
                line_end=last,
            )
            for node, path, part, slug, _, title, text, content_hash, first, last, parent in rows
        ]

    def headings(self, nodes: Collection[NodeId]) -> dict[NodeId, tuple[str, ...]]:
        """Return the titles that lead down to each section, the document's first and its own last, each once."""
        rows = self._database.rows(
            f"""
            WITH RECURSIVE above (start, node, parent, title, distance) AS (
                SELECT node_id, node_id, parent, title, 0 FROM sections WHERE node_id {_AMONG}
                UNION ALL
                SELECT above.start, s.node_id, s.parent, s.title, above.distance + 1
                FROM above
                JOIN sections s ON s.node_id = above.parent
            )
            SELECT start, title FROM above WHERE title <> '' ORDER BY start, distance DESC
            """,
            {"nodes": json.dumps(list(nodes))},
        )
        found: dict[NodeId, dict[str, None]] = {node: {} for node in nodes}
        for node, title in rows:
            found[node][title] = None
        return {node: tuple(titles) for node, titles in found.items()}

    def title(self, ref: str) -> str:
        """Return the title of a document or section, by its reference; empty where there is none."""
        asked = """
            SELECT ifnull(d.title, s.title)
            FROM nodes n
            JOIN sections s ON s.node_id = n.id
            LEFT JOIN documents d ON d.node_id = n.id
            WHERE n.kind IN ('file', 'section') AND n.key = ?
            """
        return str(self._database.value(asked, (ref,)) or "")

    def count(self) -> int:
        """Return how many headings there are in all documents."""
        return int(self._database.value("SELECT count(*) FROM sections WHERE part = 0 AND parent IS NOT NULL"))


def _section(row: tuple[int, int, int | None, int, int, int, str, str, str, int, int, str, str]) -> SectionRow:
    return SectionRow(
        node=row[0],
        document=row[1],
        parent=row[2],
        position=row[3],
        part=row[4],
        level=row[5],
        title=row[6],
        slug=row[7],
        labels=tuple(json.loads(row[8])),
        line_start=row[9],
        line_end=row[10],
        content_hash=row[11],
        text=row[12],
    )
