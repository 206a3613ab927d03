"""A fact as text: who is said what and by whom as front matter, and a literal value as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tx_graph.domain.entity import clean_name
from tx_graph.domain.fact import Fact, FactSource, FactStatus, clean_predicate, clean_value
from tx_graph.domain.uid import slug
from tx_graph.errors import UsageError
from tx_graph.records.fields import FieldError, choice, unit
from tx_graph.records.front_matter import (
    RecordFormat,
    conflict_line,
    field_of,
    label_of,
    parsed,
    rendered,
    time_of,
)
from tx_graph.records.layout import FACTS

_KEYS = frozenset("confidence created_at object predicate source status subject superseded_by uid valid_until".split())


def record_value(text: str) -> str:
    """Return a literal value as a record can hold it: clean, and not to be taken for an unresolved merge.

    Raises:
        UsageError: It is empty, too long or no text, or has the markers of a merge conflict.
    """
    value = clean_value(text)
    if conflict_line(value) is not None:
        raise UsageError("The value has git's conflict markers; a record with them is skipped.")
    return value


def fact_file_name(fact: Fact) -> str:
    """Return the name of a new record, `<uid>-<slug>.md`; it stays when the fact's status changes."""
    return f"{fact.uid}-{slug(f'{fact.subject} {fact.predicate} {fact.object or fact.value}', otherwise='fact')}.md"


def render_fact(fact: Fact) -> str:
    """Return the record's text."""
    source = {"type": fact.source.value, "ref": fact.source_ref}
    fields = {
        "uid": fact.uid,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "object": fact.object,
        "confidence": float(fact.confidence),
        "status": fact.status.value,
        "source": {key: value for key, value in source.items() if value is not None},
        "created_at": fact.created_at,
        "valid_until": fact.valid_until,
        "superseded_by": fact.superseded_by,
    }
    return rendered(fields, fact.value or "")


def parse_fact(data: bytes) -> Fact:
    """Return the fact that a record's bytes hold.

    Raises:
        MalformedRecord: The bytes are no record of a fact.
    """
    return parsed(data, _fact, keys=_KEYS)


def _fact(fields: Mapping[str, Any], body: str) -> Fact:
    source = field_of(fields, "source", dict, {})
    named = label_of(fields, "object")
    if named is not None and body.strip():
        raise FieldError("object", "it has both an object and a value; a fact has one of them")
    return Fact(
        uid=str(fields["uid"]),
        subject=_name(fields, "subject"),
        predicate=_predicate(fields),
        object=_name(fields, "object") if named is not None else None,
        value=clean_value(body) if named is None else None,
        confidence=unit(fields.get("confidence") or 1.0, "confidence"),
        status=choice(FactStatus, fields.get("status") or FactStatus.STAGED, "status"),
        source=choice(FactSource, source.get("type") or FactSource.USER_EDIT, "source", what="source type"),
        source_ref=label_of(source, "ref"),
        created_at=time_of(fields, "created_at", required=True) or "",
        valid_until=time_of(fields, "valid_until"),
        superseded_by=label_of(fields, "superseded_by"),
    )


def _name(fields: Mapping[str, Any], key: str) -> str:
    try:
        return clean_name(label_of(fields, key) or "")
    except UsageError as error:
        raise FieldError(key, error.message) from None


def _predicate(fields: Mapping[str, Any]) -> str:
    try:
        return clean_predicate(label_of(fields, "predicate") or "")
    except UsageError as error:
        raise FieldError("predicate", error.message) from None


FACT_FORMAT: RecordFormat[Fact] = RecordFormat(
    directory=FACTS,
    parse=parse_fact,
    render=render_fact,
    file_name=fact_file_name,
    uid=lambda fact: fact.uid,
    canonical=lambda fact: fact,
)
"""Facts as records."""
