"""Imports learnings from JSON lines, all or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tx_graph.domain.anchor import Anchor, AnchorRequest, AnchorType, parse_anchor, parse_lines
from tx_graph.domain.learning import Learning, Link, SourceType, Status
from tx_graph.domain.uid import is_uid
from tx_graph.errors import TxError, UsageError
from tx_graph.ports import Progress, no_progress
from tx_graph.records.format import ANCHOR_KEYS, distinct_links, is_time, read_anchor
from tx_graph.services.learnings import Draft, Learnings, distinct
from tx_graph.services.linking import parse_link, parse_relation
from tx_graph.services.record_sync import RecordSync
from tx_graph.storage.learnings import LearningStore

_MOST_SHOWN = 10
_OWN = frozenset(
    """content category keywords status confidence source_type source_ref anchors links uid created_at""".split()
)
_LOCAL = frozenset(
    """id updated_at removed_at superseded_by usage_count helpful_score last_used_at feedback_score record verdict
    existed revived""".split()
)
"""What `learning:list --json` also prints, and an import leaves behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did; `duplicates` had the content of a learning that exists, or of an earlier line."""

    added: int
    duplicates: int
    lines: int


class Importing:
    """Adds many learnings at once."""

    def __init__(self, *, learnings: Learnings, store: LearningStore, sync: RecordSync) -> None:
        self._learnings = learnings
        self._store = store
        self._sync = sync

    def run(self, lines: Iterable[str], *, progress: Progress = no_progress) -> ImportReport:
        """Add one learning per line of JSON; exact duplicates are left out.

        Raises:
            UsageError: Some lines are no learnings; nothing was added. The message names the lines.
            StorageError: The records or the database cannot be written; nothing was added.
        """
        read: list[Learning] = []
        problems: list[str] = []
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                read.append(self._learning(line))
            except TxError as error:
                problems.append(f"line {number}: {error.message}")
        _refuse(problems, len(read) + len(problems))
        with self._sync.exclusively():
            new = self._unknown(read)
            self._check_uids(new)
            self._sync.write_new(new, progress=lambda done: progress(done, len(new)))
        return ImportReport(added=len(new), duplicates=len(read) - len(new), lines=len(read))

    def _unknown(self, learnings: list[Learning]) -> list[Learning]:
        """Return the learnings whose content neither exists nor stands on an earlier line."""
        existing = {content for _, _, content in self._store.labels()}
        first: dict[str, Learning] = {}
        for learning in learnings:
            if learning.content not in existing:
                first.setdefault(learning.content, learning)
        return list(first.values())

    def _learning(self, line: str) -> Learning:
        fields = _fields(line)
        prepared = self._learnings.prepared(
            Draft(
                content=_text(fields, "content") or "",
                category=_text(fields, "category"),
                keywords=[_word(word) for word in _list(fields, "keywords")],
                status=_choice(Status, fields.get("status") or Status.ACTIVE, "status"),
                confidence=_number(fields.get("confidence", 1.0), "confidence"),
                source_type=_choice(SourceType, fields.get("source_type") or SourceType.MANUAL, "source type"),
                source_ref=_text(fields, "source_ref"),
                anchors=[
                    found for entry in _list(fields, "anchors") if isinstance(found := _anchor(entry), AnchorRequest)
                ],
            )
        )
        kept = [found for entry in _list(fields, "anchors") if isinstance(found := _anchor(entry), Anchor)]
        return replace(
            prepared,
            uid=_uid(fields) or prepared.uid,
            created_at=_time(fields) or prepared.created_at,
            anchors=distinct([*prepared.anchors, *kept]),
            links=distinct_links(_link(entry) for entry in _list(fields, "links")),
        )

    def _check_uids(self, learnings: list[Learning]) -> None:
        """Refuse uids that exist already, and links to learnings that neither exist nor come with this import."""
        seen: set[str] = set()
        for learning in learnings:
            if learning.uid in seen or self._store.by_uid_prefix(learning.uid):
                raise UsageError(f"Two learnings would have the uid {learning.uid}; nothing was imported.")
            seen.add(learning.uid)
        targets = {link.target for learning in learnings for link in learning.links}
        for target in sorted(targets - seen):
            if not self._store.by_uid_prefix(target):
                raise UsageError(f"A link leads to '{target}', which is no learning's uid; nothing was imported.")


def _refuse(problems: list[str], count: int) -> None:
    if not problems:
        return
    shown = problems[:_MOST_SHOWN]
    if len(problems) > len(shown):
        shown.append(f"… and {len(problems) - len(shown)} more")
    listing = "\n  ".join(shown)
    raise UsageError(f"{len(problems)} of {count} lines cannot be imported, so nothing was:\n  {listing}")


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


def _list(fields: Mapping[str, Any], key: str) -> list[Any]:
    value = fields.get(key)
    if value is not None and not isinstance(value, list):
        raise UsageError(f"'{key}' must be a list")
    return value or []


def _word(value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError("each of the 'keywords' must be text")
    return value


def _time(fields: Mapping[str, Any]) -> str | None:
    value = _text(fields, "created_at")
    if value is not None and not is_time(value):
        raise UsageError(f"'created_at' must be a UTC time such as 2026-11-20T22:00:00Z, not '{value}'")
    return value


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise UsageError(f"the {what} must be a number from 0 to 1")
    return float(value)


def _choice(kind: Any, value: Any, what: str) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise UsageError(f"'{value}' is no {what}; choose from {', '.join(kind)}") from None


def _uid(fields: Mapping[str, Any]) -> str | None:
    uid = _text(fields, "uid")
    if uid is not None and not is_uid(uid):
        raise UsageError(f"'{uid}' is no uid")
    return uid


def _anchor(entry: Any) -> Anchor | AnchorRequest:
    """Return an anchor with the fingerprint it came with, or the request to take one now."""
    if isinstance(entry, str):
        return parse_anchor(entry)
    if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
        raise UsageError("an anchor must be PATH[::SYMBOL][:L1-L2] or an object with a 'path'")
    if entry.get("fingerprint") and entry.get("type"):
        return read_anchor({key: entry.get(key) for key in ANCHOR_KEYS if entry.get(key) is not None})
    symbol = _text(entry, "symbol")
    lines = parse_lines(str(entry["lines"])) if entry.get("lines") else None
    kind = _choice(AnchorType, entry["type"], "anchor type") if entry.get("type") else None
    return AnchorRequest(path=entry["path"], symbol=symbol, lines=lines, type=kind)


def _link(entry: Any) -> Link:
    link = parse_link(entry) if isinstance(entry, str) else None
    if link is None and isinstance(entry, dict):
        relation = parse_relation(str(entry.get("relation", "references")))
        weight = _number(entry.get("weight", 1.0), "weight")
        link = Link(target=str(entry.get("target", "")), relation=relation, weight=weight)
    if link is None or not is_uid(link.target):
        raise UsageError("a link must be UID[:relation] or an object whose 'target' is a uid")
    return link
