"""Documents and their sections as rows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple, TypedDict

from tx_graph.core.database import Database, Store
from tx_graph.core.kernel import Kernel
from tx_graph.documents.document import Format, Unit, section_key
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import Lookup, Node, NodeKind, Reference


class DocumentRow(NamedTuple):
    """A document as it was last read: `content_hash` is the SHA-256 of its file, `aliases` its other names."""

    node: NodeId
    path: str
    title: str
    size: int
    mtime_ns: int
    content_hash: str
    format: Format
    problems: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


class SectionRow(NamedTuple):
    """A section as it was last read, without text where parts have it; the document's own row has no parent."""

    node: NodeId
    document: NodeId
    parent: NodeId | None
    position: int
    part: int
    level: int
    title: str
    slug: str
    line_start: int
    line_end: int
    content_hash: str
    text: str
    labels: tuple[str, ...]


_DOCUMENT = ", ".join(("node_id", *DocumentRow._fields[1:]))
_SECTION = ", ".join(("node_id", *SectionRow._fields[1:]))
AMONG = "IN (SELECT value FROM json_each(:listed))"  # the condition that a column has one of the values of `listed`


def listed(values: Iterable[str | NodeId]) -> dict[str, str]:
    """Return values as the parameter of `AMONG`."""
    return {"listed": json.dumps(list(values))}


def _upsert(table: str, columns: str) -> str:
    """Return the statement that inserts or updates rows by their node."""
    names = columns.split(", ")
    updates = ", ".join(f"{name} = excluded.{name}" for name in names[1:])
    marks = ", ".join("?" for _ in names)
    return f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT (node_id) DO UPDATE SET {updates}"


class Sizes(TypedDict):
    """How many documents, headings in them, and pieces for search there are."""

    documents: int
    sections: int
    chunks: int


class DocumentStore(Store):
    """Keeps what is known of documents as files."""

    def save(self, documents: Iterable[DocumentRow]) -> None:
        """Insert or update documents. Needs a transaction."""
        self._database.write_many(
            _upsert("documents", _DOCUMENT),
            (
                (*one[:6], one.format.value, json.dumps(one.problems), json.dumps(one.aliases, ensure_ascii=False))
                for one in documents
            ),
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
        return {row.path: row for row in self._rows(f"path {AMONG}", paths)}

    def every(self) -> list[DocumentRow]:
        """Return every document, by path."""
        return self._rows("1")

    def _rows(self, narrowed: str, paths: Collection[str] = ()) -> list[DocumentRow]:
        rows = self._database.rows(f"SELECT {_DOCUMENT} FROM documents WHERE {narrowed} ORDER BY path", listed(paths))
        return [
            DocumentRow._make((*row, Format(form), tuple(json.loads(problems)), tuple(json.loads(aliases))))
            for *row, form, problems, aliases in rows
        ]

    def count(self) -> int:
        """Return how many documents there are."""
        return int(self._database.value("SELECT count(*) FROM documents"))

    def sizes(self) -> Sizes:
        """Return how many documents, headings in them (`sections`) and `chunks` there are."""
        row = self._database.row(
            """
            SELECT (SELECT count(*) FROM documents),
                   (SELECT count(*) FROM sections WHERE part = 0 AND parent IS NOT NULL),
                   (SELECT count(*) FROM chunks)
            """
        )
        documents, sections, chunks = row or (0, 0, 0)
        return {"documents": documents, "sections": sections, "chunks": chunks}

    def note_unread(self, files: Iterable[tuple[str, int, int, str]]) -> None:
        """Remember files that could not be read: path, size, mtime_ns and why. Needs a transaction."""
        self._database.write_many(
            "INSERT OR REPLACE INTO unread_documents (path, size, mtime_ns, problem) VALUES (?, ?, ?, ?)", files
        )

    def forget_unread(self, paths: Iterable[str]) -> None:
        """Forget that files could not be read. Needs a transaction."""
        self._database.write_many("DELETE FROM unread_documents WHERE path = ?", ((path,) for path in paths))

    def unread(self) -> dict[str, str]:
        """Return why each of these files could not be read, as a sentence's end, by path."""
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
        found = self._nodes.ensure(NodeKind.SECTION, new) | {key: node for node, key in keys.items()}
        self._database.write(
            """
            UPDATE file_anchors
            SET symbol_node = (SELECT id FROM nodes WHERE kind = 'section' AND key = anchor_value)
            WHERE anchor_type = 'symbol' AND symbol_node IS NULL
            """
        )
        return found

    def save(self, sections: Iterable[SectionRow]) -> None:
        """Insert or update sections. Needs a transaction."""
        self._database.write_many(
            _upsert("sections", _SECTION),
            ((*row[:-1], json.dumps(row.labels) if row.labels else "[]") for row in sections),
        )

    def remove(self, nodes: Collection[NodeId]) -> None:
        """Forget sections, and the nodes of those that are no files. Needs a transaction."""
        gone = [(node,) for node in nodes]
        self._database.write_many("DELETE FROM sections WHERE node_id = ?", gone)
        self._database.write_many("UPDATE file_anchors SET symbol_node = NULL WHERE symbol_node = ?", gone)
        self._database.write_many("DELETE FROM nodes WHERE id = ? AND kind = 'section'", gone)

    def prune_nodes(self) -> int:
        """Remove the nodes of sections that no document has any more; return how many. Needs a transaction."""
        lost = "kind = 'section' AND id NOT IN (SELECT node_id FROM sections)"
        tied = f"symbol_node IN (SELECT id FROM nodes WHERE {lost})"
        self._database.write(f"UPDATE file_anchors SET symbol_node = NULL WHERE {tied}")
        return self._database.write(f"DELETE FROM nodes WHERE {lost}")

    def of_documents(self, documents: Collection[NodeId]) -> dict[NodeId, list[SectionRow]]:
        """Return the sections of each document, in the order of the source."""
        found: dict[NodeId, list[SectionRow]] = defaultdict(list)
        rows = self._database.rows(
            f"SELECT {_SECTION} FROM sections WHERE document {AMONG} ORDER BY document, position", listed(documents)
        )
        for *row, labels in rows:
            found[row[1]].append(SectionRow._make((*row, tuple(json.loads(labels)))))
        return found

    def trees(self, documents: Collection[NodeId]) -> dict[NodeId, list[tuple[NodeId, NodeId | None]]]:
        """Return (section, parent) of every section of each document, in the order of the source."""
        found: dict[NodeId, list[tuple[NodeId, NodeId | None]]] = defaultdict(list)
        rows = self._database.rows(
            f"SELECT document, node_id, parent FROM sections WHERE document {AMONG} ORDER BY document, position",
            listed(documents),
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
        return self._units("1" if paths is None else f"d.path {AMONG}", paths or ())

    def units_by_nodes(self, nodes: Collection[NodeId]) -> dict[NodeId, Unit]:
        """Return those of the nodes that are sections or parts with text."""
        return {unit.node: unit for unit in self._units(f"s.node_id {AMONG}", nodes)}

    def _units(self, narrowed: str, among: Collection[str] | Collection[NodeId]) -> list[Unit]:
        rows = self._database.rows(
            f"""
            SELECT s.node_id, d.path, s.parent, s.part, s.slug, s.title, s.text, s.content_hash,
                   s.line_start, s.line_end
            FROM sections s
            JOIN documents d ON d.node_id = s.document
            WHERE s.text <> '' AND {narrowed}
            ORDER BY d.path, s.position
            """,
            listed(among),
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
            for node, path, parent, part, slug, title, text, content_hash, first, last in rows
        ]

    def found(self, keys: Collection[str]) -> dict[str, NodeId]:
        """Return the sections of these keys; a document's own is its path."""
        rows = f"SELECT n.key, s.node_id FROM sections s JOIN nodes n ON n.id = s.node_id WHERE n.key {AMONG}"
        return dict(self._database.rows(rows, listed(keys)))

    def hashes(self, nodes: Collection[NodeId]) -> dict[NodeId, str]:
        """Return the hash of what each of the sections says."""
        rows = f"SELECT node_id, content_hash FROM sections WHERE node_id {AMONG}"
        return dict(self._database.rows(rows, listed(nodes)))

    def with_text(self, hashes: Collection[str]) -> dict[str, NodeId]:
        """Return the only section that says what has each of these hashes."""
        rows = f"""
            SELECT content_hash, min(node_id)
            FROM sections
            WHERE content_hash {AMONG}
            GROUP BY content_hash
            HAVING count(*) = 1
        """
        return dict(self._database.rows(rows, listed(hashes)))

    def headings(self, nodes: Collection[NodeId]) -> dict[NodeId, tuple[str, ...]]:
        """Return the titles that lead down to each section, the document's first and its own last, each once."""
        rows = self._database.rows(
            f"""
            WITH RECURSIVE above (start, node, parent, title, distance) AS (
                SELECT node_id, node_id, parent, title, 0 FROM sections WHERE node_id {AMONG}
                UNION ALL
                SELECT above.start, s.node_id, s.parent, s.title, above.distance + 1
                FROM above
                JOIN sections s ON s.node_id = above.parent
            )
            SELECT start, title FROM above WHERE title <> '' ORDER BY start, distance DESC
            """,
            listed(nodes),
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


class SectionLookup(Lookup):
    """Looks sections up, by their documents and slugs."""

    def __init__(self, kernel: Kernel) -> None:
        self._database = kernel.database
        self._checkout = kernel.checkout

    def nodes(self, reference: Reference) -> list[Node]:
        """Return the first section that this may name, seen from where one stands."""
        path, _, part = reference.text.rpartition("#")
        keys = [f"{one}#{part}" for one in self._checkout.tree.candidates(path)] if path and part else []
        known = NodeStore(self._database).find(NodeKind.SECTION, keys)
        return [Node(kind=NodeKind.SECTION, key=key, ref=key, id=known[key]) for key in keys if key in known][:1]

    def nearest(self, text: str) -> list[str]:
        """Return sections of the document that a reference names, those that are called most like it first."""
        path, _, part = text.rpartition("#")
        nodes, documents = NodeStore(self._database), self._checkout.tree.candidates(path) if path else []
        found = [key for one in documents for key in nodes.beginning(NodeKind.SECTION, f"{one}#", limit=500)]
        return sorted(found, key=lambda key: -SequenceMatcher(None, part, key.rpartition("#")[2]).ratio())[:5]

    def text(self, ref: str) -> str:
        """Return the title of a document or section."""
        return SectionStore(self._database).title(ref)
