"""What the tests about statements look at, by names instead of numbers."""

from __future__ import annotations

from pathlib import Path

from tx_graph.core.database import Database

_KEY = "(SELECT kind || ':' || key FROM nodes WHERE id = {})"
_LIVE = "present = 1 AND status IN ('staged', 'confirmed')"
_SPOKEN = f"(SELECT subject FROM facts WHERE {_LIVE} UNION SELECT object FROM facts WHERE {_LIVE})"
QUERIES = {
    "facts": f"""
        SELECT uid, {_KEY.format("subject")}, predicate, {_KEY.format("object")}, value, subject_name, object_name,
            confidence, status, source, source_ref, relation, valid_until, {_KEY.format("document")},
            {_KEY.format("section")}
        FROM facts WHERE {_LIVE} ORDER BY uid""",
    "entities": f"SELECT key, name, type, mentions FROM entities WHERE node_id IN {_SPOKEN} ORDER BY key",
    "aliases": f"SELECT alias, {_KEY.format('entity')} FROM entity_aliases ORDER BY 1, 2",
    "declared": f"SELECT {_KEY.format('document')}, name, type, aliases FROM entity_documents ORDER BY 1",
    "statements": f"""
        SELECT {_KEY.format("document")}, position, {_KEY.format("section")}, predicate, value, confidence
        FROM document_statements ORDER BY 1, 2""",
    "mentions": f"""
        SELECT {_KEY.format("entity")}, {_KEY.format("node")}, origin, times, weight
        FROM mentions WHERE entity IN {_SPOKEN} ORDER BY 1, 2""",
}


def dump(root: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all that holds now of facts, the entities in them, and what speaks of these."""
    with Database.open(root / ".tx" / "graph.db") as database:
        return {name: database.rows(query) for name, query in QUERIES.items()}
