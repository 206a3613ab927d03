"""Documents as rows: which files were read as documents, and which could not be."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from tx_graph.domain.document import Format
from tx_graph.domain.edges import NodeId
from tx_graph.storage.database import Database


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
            f"SELECT {_COLUMNS} FROM documents WHERE path IN (SELECT value FROM json_each(:paths)) ORDER BY path",
            {"paths": json.dumps(list(paths))},
        )
        return {row[1]: _document(row) for row in rows}

    def every(self) -> list[DocumentRow]:
        """Return every document, by path."""
        return [_document(row) for row in self._database.rows(f"SELECT {_COLUMNS} FROM documents ORDER BY path")]

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


_COLUMNS = "node_id, path, format, title, size, mtime_ns, content_hash, problems, aliases"


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
