"""A learning as text: what people curate of it as front matter, and its content as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import is_uid
from tx_graph.core.place import LEARNINGS
from tx_graph.graph.edges import Relation
from tx_graph.records import front_matter as fm
from tx_graph.records.anchor import distinct_anchors
from tx_graph.records.learning import FIELDS, Learning, Link, SourceType, Status, StoredLearning, clean_content
from tx_graph.records.learning_store import LearningStore
from tx_graph.records.sync import RecordSync

_TIMES = frozenset({"created_at", "removed_at"})
_ODD = frozenset("uid content keywords status confidence source_type source_ref anchors links".split())
"""What is read and written in a way of its own; every other field holds a line of text, or nothing."""
_PLAIN = tuple(name for name in FIELDS if name not in _ODD)


def canonical(learning: Learning) -> Learning:
    """Return the learning as its record gives it back: anchors and links in order. Equal ones have equal records."""
    return replace(learning, anchors=distinct_anchors(learning.anchors), links=distinct_links(learning.links))


def record_content(text: str) -> str:
    """Return `text` as a record can hold it: clean, and not to be taken for an unresolved merge."""
    content = clean_content(text)
    if (line := fm.conflict_line(content)) is not None:
        raise UsageError(
            f"The content has git's conflict markers, from its line {line + 1} on; a record with them is skipped.",
            hint="Resolve the conflict; to write about markers, indent them.",
        )
    return content


def _written(learning: Learning) -> tuple[Mapping[str, Any], str]:
    fields = {name: getattr(learning, name) for name in _PLAIN} | {
        "uid": learning.uid,
        "keywords": list(learning.keywords),
        "status": learning.status.value,
        "confidence": float(learning.confidence),
        "source": fm.source_field(learning.source_type.value, learning.source_ref),
        "anchors": [fm.anchor_fields(anchor) for anchor in distinct_anchors(learning.anchors)],
        "links": [
            {"target": link.target, "relation": link.relation.value, "weight": float(link.weight)}
            for link in distinct_links(learning.links)
        ],
    }
    return fields, learning.content


def _read(fields: Mapping[str, Any], content: str) -> Learning:
    source = fm.field_of(fields, "source", dict, {})
    plain: dict[str, Any] = {
        name: fm.time_of(fields, name, required=name == "created_at") if name in _TIMES else fm.label_of(fields, name)
        for name in _PLAIN
    }
    return Learning(
        **plain,
        uid=str(fields["uid"]),
        content=clean_content(content),
        keywords=tuple(dict.fromkeys(fm.cleaned("keywords", one) for one in fm.field_of(fields, "keywords", list, []))),
        status=fm.choice(Status, fields.get("status") or Status.ACTIVE, "status"),
        confidence=fm.unit(fields.get("confidence") or 1.0, "confidence"),
        source_type=fm.choice(SourceType, source.get("type") or SourceType.MANUAL, "source", what="source type"),
        source_ref=fm.cleaned("source", source["ref"]) if source.get("ref") else None,
        anchors=distinct_anchors(map(fm.read_anchor, fm.field_of(fields, "anchors", list, []))),
        links=distinct_links(map(_read_link, fm.field_of(fields, "links", list, []))),
    )


def _read_link(entry: Any) -> Link:
    if not isinstance(entry, dict) or not is_uid(str(entry.get("target", ""))):
        raise fm.FieldError("links", "each link needs a 'target' that is a uid")
    return Link(
        target=str(entry["target"]),
        relation=fm.choice(Relation, entry.get("relation") or Relation.REFERENCES, "links", what="relation"),
        weight=fm.unit(entry.get("weight") or 1.0, "links", what="weight"),
    )


def distinct_links(links: Iterable[Link]) -> tuple[Link, ...]:
    """Return the links in order; of two with the same target and relation the later one stays."""
    by_key = {(link.target, link.relation): link for link in links}
    return tuple(by_key[key] for key in sorted(by_key))


_TELLING = frozenset({SourceType.MANUAL, SourceType.AGENT, SourceType.TASK, SourceType.RUN})
"""Where the reference of a source is what somebody typed; elsewhere it holds hashes."""


def _told(learning: Learning) -> tuple[str, ...]:
    reasons = [anchor.invalidated.reason for anchor in learning.anchors if anchor.invalidated]
    ref = learning.source_ref if learning.source_type in _TELLING else None
    others = (learning.category, ref, learning.removal_reason, *reasons)
    return (learning.content, *learning.keywords, *filter(None, others))


LEARNING_FORMAT: fm.RecordFormat[Learning] = fm.RecordFormat(
    directory=LEARNINGS,
    keys=frozenset(FIELDS) - {"content", "source_type", "source_ref"} | {"source"},
    read=_read,
    written=_written,
    title=lambda learning: learning.content,
    otherwise="learning",
    told=_told,
    canonical=canonical,
)
"""Learnings as records."""


def learning_sync(kernel: Kernel) -> RecordSync[Learning]:
    """Return what keeps learnings and their records equal."""
    return RecordSync(kernel, LearningStore(kernel.database), LEARNING_FORMAT)


def rewritten(
    kernel: Kernel, stored: StoredLearning, learning: Learning, *, force: bool | None = None
) -> StoredLearning:
    """Return a learning as it is once its record says `learning`; the record stays if it says so already."""
    if canonical(learning) != canonical(stored.learning):
        kernel.one(learning_sync).write(learning, record=stored.record, force=force)
    return LearningStore(kernel.database).by_numbers([stored.id])[0]
