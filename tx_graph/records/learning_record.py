"""A learning as text: what people curate of it as front matter, and its content as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tx_graph.core.errors import UsageError
from tx_graph.core.labels import is_uid, slug
from tx_graph.core.place import LEARNINGS
from tx_graph.graph.edges import Relation
from tx_graph.records.anchor import distinct_anchors
from tx_graph.records.front_matter import (
    FieldError,
    RecordFormat,
    anchor_fields,
    choice,
    cleaned,
    conflict_line,
    field_of,
    label_of,
    parsed,
    read_anchor,
    rendered,
    time_of,
    unit,
)
from tx_graph.records.learning import FIELDS, Learning, Link, SourceType, Status, clean_content

_TIMES = frozenset({"created_at", "removed_at"})
_ODD = frozenset("uid content keywords status confidence source_type source_ref anchors links".split())
"""What is read and written in a way of its own; every other field holds a line of text, or nothing."""
_PLAIN = tuple(name for name in FIELDS if name not in _ODD)
_KEYS = frozenset(FIELDS) - {"content", "source_type", "source_ref"} | {"source"}


def canonical(learning: Learning) -> Learning:
    """Return the learning as its record gives it back: anchors and links in order. Equal ones have equal records."""
    return replace(learning, anchors=distinct_anchors(learning.anchors), links=distinct_links(learning.links))


def record_content(text: str) -> str:
    """Return `text` as a record can hold it: clean, and not to be taken for an unresolved merge."""
    content = clean_content(text)
    if (line := conflict_line(content)) is not None:
        raise UsageError(
            f"The content has git's conflict markers, from its line {line + 1} on; a record with them is skipped.",
            hint="Resolve the conflict; to write about markers, indent them.",
        )
    return content


def file_name(learning: Learning) -> str:
    """Return the name of a new record, `<uid>-<slug>.md`; it stays when the content is edited."""
    return f"{learning.uid}-{slug(learning.content)}.md"


def render(learning: Learning) -> str:
    """Return the record's text."""
    source = {"type": learning.source_type.value, "ref": learning.source_ref}
    front_matter = {name: getattr(learning, name) for name in _PLAIN} | {
        "uid": learning.uid,
        "keywords": list(learning.keywords),
        "status": learning.status.value,
        "confidence": float(learning.confidence),
        "source": {key: value for key, value in source.items() if value is not None},
        "anchors": [anchor_fields(anchor) for anchor in distinct_anchors(learning.anchors)],
        "links": [
            {"target": link.target, "relation": link.relation.value, "weight": float(link.weight)}
            for link in distinct_links(learning.links)
        ],
    }
    return rendered(front_matter, learning.content)


def parse(data: bytes) -> Learning:
    """Return the learning that a record's bytes hold."""
    return parsed(data, _learning, keys=_KEYS)


def _learning(fields: Mapping[str, Any], content: str) -> Learning:
    source = field_of(fields, "source", dict, {})
    plain: dict[str, Any] = {
        name: time_of(fields, name, required=name == "created_at") if name in _TIMES else label_of(fields, name)
        for name in _PLAIN
    }
    return Learning(
        **plain,
        uid=str(fields["uid"]),
        content=clean_content(content),
        keywords=tuple(dict.fromkeys(cleaned("keywords", word) for word in field_of(fields, "keywords", list, []))),
        status=choice(Status, fields.get("status") or Status.ACTIVE, "status"),
        confidence=unit(fields.get("confidence") or 1.0, "confidence"),
        source_type=choice(SourceType, source.get("type") or SourceType.MANUAL, "source", what="source type"),
        source_ref=cleaned("source", source["ref"]) if source.get("ref") else None,
        anchors=distinct_anchors(read_anchor(entry) for entry in field_of(fields, "anchors", list, [])),
        links=distinct_links(read_link(entry) for entry in field_of(fields, "links", list, [])),
    )


def read_link(entry: Any) -> Link:
    """Return the link that an entry of a record describes."""
    if not isinstance(entry, dict) or not is_uid(str(entry.get("target", ""))):
        raise FieldError("links", "each link needs a 'target' that is a uid")
    return Link(
        target=str(entry["target"]),
        relation=choice(Relation, entry.get("relation") or Relation.REFERENCES, "links", what="relation"),
        weight=unit(entry.get("weight") or 1.0, "links", what="weight"),
    )


def distinct_links(links: Iterable[Link]) -> tuple[Link, ...]:
    """Return the links in order; of two with the same target and relation the later one stays."""
    by_key = {(link.target, link.relation): link for link in links}
    return tuple(by_key[key] for key in sorted(by_key))


LEARNING_FORMAT: RecordFormat[Learning] = RecordFormat(
    directory=LEARNINGS,
    parse=parse,
    render=render,
    file_name=file_name,
    uid=lambda learning: learning.uid,
    canonical=canonical,
)
"""Learnings as records."""
