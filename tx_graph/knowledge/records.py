"""Entities and facts as text: front matter, with a description or a literal value as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import DEFAULT_TYPE, clean_predicate, slug
from tx_graph.core.place import ENTITIES, FACTS
from tx_graph.knowledge.entity import Entity, clean_aliases, clean_name, clean_type
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import Fact, FactSource, FactStatus, clean_value
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.records.front_matter import (
    FieldError,
    RecordFormat,
    choice,
    cleaned,
    conflict_line,
    field_of,
    label_of,
    parsed,
    rendered,
    time_of,
    unit,
)
from tx_graph.records.kinds import record_sync
from tx_graph.records.learning import clean_content
from tx_graph.records.sync import RecordSync


def record_description(text: str) -> str:
    """Return a description as a record can hold it, empty for none."""
    return _unconflicted(clean_content(text), "description") if text.strip() else ""


def record_value(text: str) -> str:
    """Return a literal value as a record can hold it: clean, and not to be taken for an unresolved merge."""
    return _unconflicted(clean_value(text), "value")


def _unconflicted(text: str, what: str) -> str:
    if conflict_line(text) is not None:
        raise UsageError(f"The {what} has git's conflict markers; a record with them is skipped.")
    return text


_ENTITY_KEYS = frozenset(one.name for one in fields_of(Entity)) - {"description"}


def _rendered_entity(entity: Entity) -> str:
    fields = {name: getattr(entity, name) for name in _ENTITY_KEYS}
    fields["aliases"] = list(clean_aliases(entity.aliases, name=entity.name))
    return rendered(fields, entity.description)


def _read_entity(fields: Mapping[str, Any], body: str) -> Entity:
    name = _checked(fields, "name", clean_name)
    kind = _checked(fields, "type", clean_type, DEFAULT_TYPE)
    aliases = [cleaned("aliases", alias) for alias in field_of(fields, "aliases", list, [])]
    return Entity(
        uid=str(fields["uid"]),
        name=name,
        type=kind,
        aliases=clean_aliases(aliases, name=name),
        description=clean_content(body) if body.strip() else "",
        created_at=time_of(fields, "created_at", required=True) or "",
        merged_into=_checked(fields, "merged_into", clean_name) if fields.get("merged_into") else None,
    )


def _checked(fields: Mapping[str, Any], key: str, clean: Callable[[str], str], otherwise: str = "") -> str:
    try:
        return clean(label_of(fields, key) or otherwise)
    except UsageError as error:
        raise FieldError(key, error.message) from None


ENTITY_FORMAT: RecordFormat[Entity] = RecordFormat(
    directory=ENTITIES,
    parse=lambda data: parsed(data, _read_entity, keys=_ENTITY_KEYS),
    render=_rendered_entity,
    file_name=lambda entity: f"{entity.uid}-{slug(entity.name, otherwise='entity')}.md",
    uid=lambda entity: entity.uid,
    canonical=lambda entity: replace(entity, aliases=clean_aliases(entity.aliases, name=entity.name)),
)
"""Entities as records. The name of a file stays when the entity is edited."""


_FACT_KEYS = frozenset(one.name for one in fields_of(Fact)) - {"value", "source_ref"}


def _rendered_fact(fact: Fact) -> str:
    source = {"type": fact.source.value, "ref": fact.source_ref}
    fields = {name: getattr(fact, name) for name in _FACT_KEYS} | {
        "confidence": float(fact.confidence),
        "status": fact.status.value,
        "source": {key: value for key, value in source.items() if value is not None},
    }
    return rendered(fields, fact.value or "")


def _read_fact(fields: Mapping[str, Any], body: str) -> Fact:
    source = field_of(fields, "source", dict, {})
    named = label_of(fields, "object")
    if named is not None and body.strip():
        raise FieldError("object", "it has both an object and a value; a fact has one of them")
    return Fact(
        uid=str(fields["uid"]),
        subject=_checked(fields, "subject", clean_name),
        predicate=_checked(fields, "predicate", clean_predicate),
        object=_checked(fields, "object", clean_name) if named is not None else None,
        value=clean_value(body) if named is None else None,
        confidence=unit(fields.get("confidence") or 1.0, "confidence"),
        status=choice(FactStatus, fields.get("status") or FactStatus.STAGED, "status"),
        source=choice(FactSource, source.get("type") or FactSource.USER_EDIT, "source", what="source type"),
        source_ref=label_of(source, "ref"),
        created_at=time_of(fields, "created_at", required=True) or "",
        valid_until=time_of(fields, "valid_until"),
        superseded_by=label_of(fields, "superseded_by"),
    )


FACT_FORMAT: RecordFormat[Fact] = RecordFormat(
    directory=FACTS,
    parse=lambda data: parsed(data, _read_fact, keys=_FACT_KEYS),
    render=_rendered_fact,
    file_name=lambda one: (
        f"{one.uid}-{slug(f'{one.subject} {one.predicate} {one.object or one.value}', otherwise='fact')}.md"
    ),
    uid=lambda fact: fact.uid,
    canonical=lambda fact: fact,
)
"""Facts as records."""


def entity_sync(kernel: Kernel) -> RecordSync[Entity]:
    """Return what keeps entities and their records equal."""
    return record_sync(kernel, EntityStore(kernel.database), ENTITY_FORMAT)


def fact_sync(kernel: Kernel) -> RecordSync[Fact]:
    """Return what keeps facts and their records equal."""
    return record_sync(kernel, FactStore(kernel.database), FACT_FORMAT)
