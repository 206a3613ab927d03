"""Entities and facts as text: what people curate of them as front matter, and what they wrote of them as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import DEFAULT_TYPE, clean_predicate
from tx_graph.core.place import ENTITIES, FACTS
from tx_graph.knowledge.entity import Entity, clean_aliases, clean_name, clean_type
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import Fact, FactSource, FactStatus, clean_value
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.records import front_matter as fm
from tx_graph.records.learning import clean_content
from tx_graph.records.sync import RecordSync


def record_description(text: str) -> str:
    """Return a description as a record can hold it, empty for none."""
    return _storable(text, clean_content, what="description") if text.strip() else ""


def record_value(text: str) -> str:
    """Return a literal value as a record can hold it: clean, and not to be taken for an unresolved merge."""
    return _storable(text, clean_value, what="value")


def _storable(text: str, clean: Callable[[str], str], *, what: str) -> str:
    cleaned = clean(text)
    if fm.conflict_line(cleaned) is not None:
        raise UsageError(f"The {what} has git's conflict markers; a record with them is skipped.")
    return cleaned


def _name(fields: Mapping[str, Any], key: str) -> str:
    return fm.checked(key, clean_name, fm.label_of(fields, key) or "")


def _read_entity(fields: Mapping[str, Any], body: str) -> Entity:
    name, into = _name(fields, "name"), fm.label_of(fields, "merged_into")
    kind = fm.checked("type", clean_type, fm.label_of(fields, "type") or DEFAULT_TYPE)
    aliases = [fm.cleaned("aliases", alias) for alias in fm.field_of(fields, "aliases", list, [])]
    return Entity(
        uid=str(fields["uid"]),
        name=name,
        type=kind,
        aliases=clean_aliases(aliases, name=name),
        description=clean_content(body) if body.strip() else "",
        created_at=fm.time_of(fields, "created_at", required=True) or "",
        merged_into=_name(fields, "merged_into") if into is not None else None,
    )


_ENTITY_KEYS = frozenset(one.name for one in fields_of(Entity)) - {"description"}


def _written_entity(entity: Entity) -> tuple[Mapping[str, Any], str]:
    fields = {name: getattr(entity, name) for name in _ENTITY_KEYS}
    fields["aliases"] = list(clean_aliases(entity.aliases, name=entity.name))
    return fields, entity.description


ENTITY_FORMAT: fm.RecordFormat[Entity] = fm.RecordFormat(
    directory=ENTITIES,
    keys=_ENTITY_KEYS,
    read=_read_entity,
    written=_written_entity,
    title=lambda entity: entity.name,
    otherwise="entity",
    told=lambda entity: (entity.name, *entity.aliases, entity.description),
    canonical=lambda entity: replace(entity, aliases=clean_aliases(entity.aliases, name=entity.name)),
)
"""Entities as records."""


def _read_fact(fields: Mapping[str, Any], body: str) -> Fact:
    source = fm.field_of(fields, "source", dict, {})
    named = fm.label_of(fields, "object")
    if named is not None and body.strip():
        raise fm.FieldError("object", "it has both an object and a value; a fact has one of them")
    status = fm.choice(FactStatus, fields.get("status") or FactStatus.STAGED, "status")
    # What retracts a fact for its age stands apart from its status, so that git merges it with whatever people say of
    # the fact meanwhile; what they say has the last word.
    faded_at = fm.time_of(fields, "faded_at") if status is FactStatus.STAGED else None
    return Fact(
        uid=str(fields["uid"]),
        subject=_name(fields, "subject"),
        predicate=fm.checked("predicate", clean_predicate, fm.label_of(fields, "predicate") or ""),
        object=_name(fields, "object") if named is not None else None,
        value=clean_value(body) if named is None else None,
        confidence=fm.unit(fields.get("confidence") or 1.0, "confidence"),
        status=status if faded_at is None else FactStatus.RETRACTED,
        source=fm.choice(FactSource, source.get("type") or FactSource.USER_EDIT, "source", what="source type"),
        source_ref=fm.label_of(source, "ref"),
        source_print=fm.text_of(fields, "source_print"),
        created_at=fm.time_of(fields, "created_at", required=True) or "",
        valid_until=faded_at or fm.time_of(fields, "valid_until"),
        superseded_by=fm.label_of(fields, "superseded_by"),
        faded_at=faded_at,
    )


_FACT_KEYS = frozenset(one.name for one in fields_of(Fact)) - {"value", "source_ref"}


def _written_fact(fact: Fact) -> tuple[Mapping[str, Any], str]:
    fields = {name: getattr(fact, name) for name in _FACT_KEYS} | {
        "confidence": float(fact.confidence),
        "status": FactStatus.STAGED.value if fact.faded_at else fact.status.value,
        "valid_until": None if fact.faded_at else fact.valid_until,
        "source": fm.source_field(fact.source.value, fact.source_ref),
    }
    return fields, fact.value or ""


def _told_fact(fact: Fact) -> tuple[str, ...]:
    said = fact.object or fact.value or ""
    ref = fact.source_ref if fact.source in (FactSource.USER_EDIT, FactSource.CONVERSATION) else None
    return (f"{fact.subject} {fact.predicate.replace('_', ' ')}: {said}", said, *filter(None, [ref]))


FACT_FORMAT: fm.RecordFormat[Fact] = fm.RecordFormat(
    directory=FACTS,
    keys=_FACT_KEYS,
    read=_read_fact,
    written=_written_fact,
    title=lambda fact: f"{fact.subject} {fact.predicate} {fact.object or fact.value}",
    otherwise="fact",
    told=_told_fact,
)
"""Facts as records."""


def entity_sync(kernel: Kernel) -> RecordSync[Entity]:
    """Return what keeps entities and their records equal."""
    return RecordSync(kernel, EntityStore(kernel.database), ENTITY_FORMAT)


def fact_sync(kernel: Kernel) -> RecordSync[Fact]:
    """Return what keeps facts and their records equal."""
    return RecordSync(kernel, FactStore(kernel.database), FACT_FORMAT)
