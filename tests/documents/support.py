"""What the tests about documents look at, by names instead of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tx_graph.core.database import Database

LONG = "## Long\n\n" + "\n\n".join(f"Paragraph {n} says that {'word ' * 90}ends." for n in range(20)) + "\n"
"""A section of about 2,300 tokens: more than one part."""


def _key(column: str) -> str:
    return f"(SELECT kind || ':' || key FROM nodes WHERE id = {column})"


DOCUMENTS = {
    "documents": "SELECT path, format, title, content_hash, problems FROM documents ORDER BY path",
    "unread": "SELECT path, problem FROM unread_documents ORDER BY path",
    "sections": f"""
        SELECT {_key("node_id")}, {_key("document")}, {_key("parent")}, position, part, level,
               title, slug, labels, line_start, line_end, content_hash, text
        FROM sections ORDER BY 2, position""",
    "chunks": f"""
        SELECT {_key("section")}, position, content_hash, c.headings, c.text, f.headings, f.text
        FROM chunks c LEFT JOIN chunks_fts f ON f.rowid = c.id ORDER BY 1, position""",
    "words": "SELECT count(*) FROM chunks_fts",
    "links": f"""
        SELECT {_key("section")}, position, kind, written, text, predicate, line, {_key("target")}, problem
        FROM section_links ORDER BY 1, position""",
    "edges": f"""
        SELECT {_key("source")}, {_key("target")}, relation, edge_type, weight, description, origin
        FROM section_edges ORDER BY 1, 2, 3""",
    "nodes": "SELECT key FROM nodes WHERE kind = 'section' ORDER BY key",
}
_LIVE = "present = 1 AND status IN ('staged', 'confirmed')"
_SPOKEN = f"(SELECT subject FROM facts WHERE {_LIVE} UNION SELECT object FROM facts WHERE {_LIVE})"
FACTS = {
    "facts": f"""
        SELECT uid, {_key("subject")}, predicate, {_key("object")}, value, subject_name, object_name, confidence,
            status, source, source_ref, relation, valid_until, {_key("document")}, {_key("section")}
        FROM facts WHERE {_LIVE} ORDER BY uid""",
    "entities": f"SELECT key, name, type, mentions FROM entities WHERE node_id IN {_SPOKEN} ORDER BY key",
    "aliases": f"SELECT alias, {_key('entity')} FROM entity_aliases ORDER BY 1, 2",
    "declared": f"SELECT {_key('document')}, name, type, aliases FROM entity_documents ORDER BY 1",
    "statements": f"""
        SELECT {_key("document")}, position, {_key("section")}, predicate, value, confidence
        FROM document_statements ORDER BY 1, 2""",
    "mentions": f"""
        SELECT {_key("entity")}, {_key("node")}, origin, times, weight
        FROM mentions WHERE entity IN {_SPOKEN} ORDER BY 1, 2""",
}


def dump(root: Path, queries: Mapping[str, str] = DOCUMENTS) -> dict[str, list[tuple[object, ...]]]:
    """Return everything that the database holds about documents, or what it knows now of `FACTS`."""
    with Database.open(root / ".tx" / "graph.db") as database:
        return {name: database.rows(query) for name, query in queries.items()}
