"""Lines of JSON as learnings: every field is checked, and nothing is looked up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tx_graph.domain.anchor import Anchor, AnchorRequest, AnchorType, parse_anchor, parse_lines
from tx_graph.domain.labels import clean_label
from tx_graph.domain.learning import Link, SourceType, Status
from tx_graph.domain.uid import is_uid
from tx_graph.errors import UsageError
from tx_graph.records.anchor_entry import ANCHOR_KEYS, read_anchor
from tx_graph.records.fields import choice, unit, utc_time
from tx_graph.services.learnings import Draft
from tx_graph.services.linking import parse_link, parse_relation

_OWN = frozenset(
    """content category keywords status confidence source_type source_ref anchors links uid created_at removed_at
    removal_reason superseded_by""".split()
)
_LOCAL = frozenset(
    """id updated_at usage_count helpful_score last_used_at feedback_score record verdict stale existed
    revived""".split()
)
"""What `learning:list --json` also prints, and an import leaves behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportLine:
    """What one line says: the learning to make, and what one that was made elsewhere has beyond that.

    The anchors that were `carried` came with their fingerprints; the targets of `links` are uids.
    """

    draft: Draft
    uid: str | None = None
    created_at: str | None = None
    removed_at: str | None = None
    removal_reason: str | None = None
    superseded_by: str | None = None
    carried: tuple[Anchor, ...] = ()
    links: tuple[Link, ...] = ()


def parse_line(text: str) -> ImportLine:
    """Return what one line of JSON says; what was superseded is so unless the line has another status.

    Raises:
        UsageError: It is no JSON object, or a field is unknown or not what it should be.
    """
    fields = _fields(text)
    anchors = [_anchor(entry) for entry in _list(fields, "anchors")]
    superseded_by = _uid(fields, "superseded_by")
    status = fields.get("status") or (Status.SUPERSEDED if superseded_by else Status.ACTIVE)
    return ImportLine(
        draft=Draft(
            content=_text(fields, "content") or "",
            category=_text(fields, "category"),
            keywords=[_word(word) for word in _list(fields, "keywords")],
            status=choice(Status, status, "status"),
            confidence=_number(fields.get("confidence", 1.0), "confidence"),
            source_type=choice(SourceType, fields.get("source_type") or SourceType.MANUAL, "source type"),
            source_ref=_text(fields, "source_ref"),
            anchors=[anchor for anchor in anchors if isinstance(anchor, AnchorRequest)],
        ),
        uid=_uid(fields, "uid"),
        created_at=_time(fields, "created_at"),
        removed_at=_time(fields, "removed_at"),
        removal_reason=_label(fields, "removal_reason"),
        superseded_by=superseded_by,
        carried=tuple(anchor for anchor in anchors if isinstance(anchor, Anchor)),
        links=tuple(_link(entry) for entry in _list(fields, "links")),
    )


def _fields(line: str) -> Mapping[str, Any]:
    try:
        fields = json.loads(line, parse_constant=_not_json)
    except json.JSONDecodeError as error:
        raise UsageError(f"it is not JSON: {error.msg} at column {error.colno}") from None
    except ValueError as error:
        raise UsageError(f"it has a number that is too long: {error}") from None
    except RecursionError:
        raise UsageError("it is nested too deeply") from None
    if not isinstance(fields, dict):
        raise UsageError("it is not a JSON object")
    if unknown := sorted(fields.keys() - _OWN - _LOCAL):
        raise UsageError(f"unknown field '{unknown[0]}'")
    return fields


def _not_json(text: str) -> float:
    raise UsageError(f"{text} is not JSON")


def _text(fields: Mapping[str, Any], key: str) -> str | None:
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"'{key}' must be text")
    return value


def _label(fields: Mapping[str, Any], key: str) -> str | None:
    value = _text(fields, key)
    return clean_label(value, what=key) if value is not None else None


def _list(fields: Mapping[str, Any], key: str) -> list[Any]:
    value = fields.get(key)
    if value is not None and not isinstance(value, list):
        raise UsageError(f"'{key}' must be a list")
    return value or []


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise UsageError("each of the 'keywords' must be text")
    return value


def _time(fields: Mapping[str, Any], key: str) -> str | None:
    value = _text(fields, key)
    return utc_time(value, key) if value is not None else None


def _number(value: object, what: str) -> float:
    """Return a number of JSON's; a record's, which `unit` reads too, may be spelled as text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"The {what} must be a number from 0 to 1.")
    return unit(value, what)


def _uid(fields: Mapping[str, Any], key: str) -> str | None:
    uid = _text(fields, key)
    if uid is not None and not is_uid(uid):
        raise UsageError(f"'{uid}' is no uid")
    return uid


def _anchor(entry: object) -> Anchor | AnchorRequest:
    """Return an anchor with the fingerprints it came with, or the request to take one now."""
    if isinstance(entry, str):
        return parse_anchor(entry)
    if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
        raise UsageError("an anchor must be PATH[::SYMBOL][:L1-L2] or an object with a 'path'")
    if entry.get("type") and any(entry.get(key) for key in ("fingerprints", "pinned", "invalidated")):
        return read_anchor({key: entry.get(key) for key in ANCHOR_KEYS if entry.get(key) is not None})
    symbol = _text(entry, "symbol")
    lines = parse_lines(str(entry["lines"])) if entry.get("lines") else None
    kind = choice(AnchorType, entry["type"], "anchor type") if entry.get("type") else None
    return AnchorRequest(path=entry["path"], symbol=symbol, lines=lines, type=kind)


def _link(entry: object) -> Link:
    link = parse_link(entry) if isinstance(entry, str) else None
    if link is None and isinstance(entry, dict):
        relation = parse_relation(str(entry.get("relation", "references")))
        weight = _number(entry.get("weight", 1.0), "weight")
        link = Link(target=str(entry.get("target", "")), relation=relation, weight=weight)
    if link is None or not is_uid(link.target):
        raise UsageError("a link must be UID[:relation] or an object whose 'target' is a uid")
    return link
