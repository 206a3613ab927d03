"""Facts and entities in words and as JSON objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.faces.cli.render.shapes import Shape
from tx_graph.faces.cli.render.terminal import print_table, printable, shortened

if TYPE_CHECKING:
    from tx_graph.knowledge.entity import StoredEntity
    from tx_graph.knowledge.fact import StoredFact
    from tx_graph.knowledge.facts import Scored


_TOLD = 60
"""Columns of what a fact says in a table."""
_ORIGIN = _ALSO = 40
"""Columns of who says so, and of the other names of an entity."""


def shape(stored: StoredFact, *, score: float | None = None) -> Shape:
    """Return a fact; its score only where one was found out."""
    fact = stored.fact
    found: Shape = {
        "id": stored.id,
        "uid": fact.uid,
        "ref": stored.ref,
        "subject": stored.subject_name,
        "predicate": fact.predicate,
        "object": stored.object_name,
        "value": fact.value,
        "confidence": fact.confidence,
        "status": fact.status.value,
        "source": fact.source.value,
        "source_ref": fact.source_ref,
        "created_at": fact.created_at,
        "valid_until": fact.valid_until,
        "superseded_by": fact.superseded_by,
        "access_count": stored.accesses,
        "last_accessed_at": stored.last_accessed_at,
        "record": f".tx/facts/{stored.record}" if stored.record else None,
    }
    return found if score is None else found | {"score": round(score, 6)}


def scored_shape(one: Scored) -> Shape:
    """Return a fact with its score."""
    return shape(one.stored, score=one.score)


def entity_shape(entity: StoredEntity) -> Shape:
    """Return an entity."""
    return {
        "ref": entity.ref,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
        "description": entity.description,
        "uid": entity.uid,
        "created_at": entity.created_at,
        "facts": entity.facts,
        "mentions": entity.mentions,
    }


def sentence(stored: StoredFact) -> str:
    """Return what a fact says on one line: `DuckDB depends_on: SQLite`."""
    told = " ".join(stored.told.split())
    return printable(f"{stored.subject_name} {stored.fact.predicate}: {told}")


def origin(stored: StoredFact) -> str:
    """Return who says so: `user_edit`, or `file docs/adr/003.md`."""
    return " ".join(part for part in (stored.fact.source.value, stored.fact.source_ref) if part)


def print_many(facts: Sequence[Scored]) -> None:
    """Print facts as a table."""
    columns = [
        ("#", [str(one.stored.id) for one in facts]),
        ("score", [f"{one.score:.2f}" for one in facts]),
        ("status", [one.stored.fact.status.value for one in facts]),
        ("fact", [shortened(sentence(one.stored), _TOLD) for one in facts]),
        ("source", [shortened(origin(one.stored), _ORIGIN) for one in facts]),
        ("since", [one.stored.fact.created_at[:10] for one in facts]),
    ]
    if any(one.stored.fact.valid_until for one in facts):
        columns.append(("until", [(one.stored.fact.valid_until or "")[:10] for one in facts]))
    names, cells = [name for name, _ in columns], [cells for _, cells in columns]
    print_table(names, list(zip(*cells, strict=True)), right=["#", "score"])


def print_entities(entities: Sequence[StoredEntity]) -> None:
    """Print entities as a table."""
    rows = [
        (
            entity.type,
            shortened(entity.name, _TOLD),
            shortened(", ".join(entity.aliases), _ALSO),
            str(entity.facts),
            str(entity.mentions),
        )
        for entity in entities
    ]
    print_table(["type", "name", "also", "facts", "mentions"], rows, right=["facts", "mentions"])
