"""An entity as text: its names and type as front matter, and what it is as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tx_graph.domain.entity import DEFAULT_TYPE, Entity, clean_aliases, clean_name, clean_type
from tx_graph.domain.learning import clean_content
from tx_graph.domain.uid import slug
from tx_graph.errors import UsageError
from tx_graph.records.fields import FieldError
from tx_graph.records.front_matter import (
    RecordFormat,
    cleaned,
    conflict_line,
    field_of,
    label_of,
    parsed,
    rendered,
    time_of,
)
from tx_graph.records.layout import ENTITIES

_KEYS = frozenset("aliases created_at merged_into name type uid".split())


def record_description(text: str) -> str:
    """Return a description as a record can hold it, empty for none.

    Raises:
        UsageError: It is too long or no text, or has the markers of a merge conflict.
    """
    if not text.strip():
        return ""
    description = clean_content(text)
    if conflict_line(description) is not None:
        raise UsageError("The description has git's conflict markers; a record with them is skipped.")
    return description


def entity_file_name(entity: Entity) -> str:
    """Return the name of a new record, `<uid>-<slug>.md`; it stays when the entity is edited."""
    return f"{entity.uid}-{slug(entity.name, otherwise='entity')}.md"


def render_entity(entity: Entity) -> str:
    """Return the record's text."""
    fields = {
        "uid": entity.uid,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(clean_aliases(entity.aliases, name=entity.name)),
        "created_at": entity.created_at,
        "merged_into": entity.merged_into,
    }
    return rendered(fields, entity.description)


def parse_entity(data: bytes) -> Entity:
    """Return the entity that a record's bytes hold.

    Raises:
        MalformedRecord: The bytes are no record of an entity.
    """
    return parsed(data, _entity, keys=_KEYS)


def _entity(fields: Mapping[str, Any], body: str) -> Entity:
    name, into = _name(fields, "name"), label_of(fields, "merged_into")
    try:
        kind = clean_type(label_of(fields, "type") or DEFAULT_TYPE)
    except UsageError as error:
        raise FieldError("type", error.message) from None
    aliases = [cleaned("aliases", alias) for alias in field_of(fields, "aliases", list, [])]
    return Entity(
        uid=str(fields["uid"]),
        name=name,
        type=kind,
        aliases=clean_aliases(aliases, name=name),
        description=clean_content(body) if body.strip() else "",
        created_at=time_of(fields, "created_at", required=True) or "",
        merged_into=_name(fields, "merged_into") if into is not None else None,
    )


def _name(fields: Mapping[str, Any], key: str) -> str:
    try:
        return clean_name(label_of(fields, key) or "")
    except UsageError as error:
        raise FieldError(key, error.message) from None


def _canonical(entity: Entity) -> Entity:
    return replace(entity, aliases=clean_aliases(entity.aliases, name=entity.name))


ENTITY_FORMAT: RecordFormat[Entity] = RecordFormat(
    directory=ENTITIES,
    parse=parse_entity,
    render=render_entity,
    file_name=entity_file_name,
    uid=lambda entity: entity.uid,
    canonical=_canonical,
)
"""Entities as records."""
