"""What the tests about documents look at, by names instead of numbers."""

from __future__ import annotations

from pathlib import Path

from tx_graph.core.database import Database

LONG = "## Long\n\n" + "\n\n".join(f"Paragraph {n} says that {'word ' * 90}ends." for n in range(20)) + "\n"
"""A section of about 2,300 tokens: more than one part."""

_KEY = "(SELECT kind || ':' || key FROM nodes WHERE id = {})"
QUERIES = {
    "documents": "SELECT path, format, title, content_hash, problems FROM documents ORDER BY path",
    "unread": "SELECT path, problem FROM unread_documents ORDER BY path",
    "sections": f"""
        SELECT {_KEY.format("node_id")}, {_KEY.format("document")}, {_KEY.format("parent")}, position, part, level,
               title, slug, labels, line_start, line_end, content_hash, text
        FROM sections ORDER BY 2, position""",
    "chunks": f"""
        SELECT {_KEY.format("section")}, position, content_hash, c.headings, c.text, f.headings, f.text
        FROM chunks c LEFT JOIN chunks_fts f ON f.rowid = c.id ORDER BY 1, position""",
    "words": "SELECT count(*) FROM chunks_fts",
    "links": f"""
        SELECT {_KEY.format("section")}, position, kind, written, text, predicate, line,
               {_KEY.format("target")}, problem
        FROM section_links ORDER BY 1, position""",
    "edges": f"""
        SELECT {_KEY.format("source")}, {_KEY.format("target")}, relation, edge_type, weight, description, origin
        FROM section_edges ORDER BY 1, 2, 3""",
    "nodes": "SELECT key FROM nodes WHERE kind = 'section' ORDER BY key",
}


def dump(root: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return everything that the database holds about documents."""
    with Database.open(root / ".tx" / "graph.db") as database:
        return {name: database.rows(query) for name, query in QUERIES.items()}
