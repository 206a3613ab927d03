"""The log of what happened to anchors; it outlives them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from tx_graph.anchors.verdict import AnchorEvent, Drift, EventKind, Reason
from tx_graph.core.database import Database
from tx_graph.graph.edges import NodeId
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints, Invalidation


class AnchorLog:
    """Keeps events, each with the anchor as it was."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(self, events: Iterable[tuple[NodeId, AnchorEvent]]) -> None:
        """Add events of anchors of these learnings. Needs a transaction."""
        self._database.write_many(_INSERT, [_parameters(learning, event) for learning, event in events])

    def explain(self, learning: NodeId, anchor: Anchor, commit: str) -> None:
        """Name the commit behind the last finding about an anchor; it may be made after that. Needs a transaction."""
        self._database.write(
            """
            UPDATE invalidation_log
            SET commit_sha = :commit
            WHERE id = (
                SELECT max(id)
                FROM invalidation_log
                WHERE learning = :learning AND anchor_type = :type AND anchor_value = :value
                  AND event IN ('drifted', 'invalid')
            )
            """,
            {"learning": learning, "type": anchor.type.value, "value": anchor.spec, "commit": commit},
        )

    def of(self, learning: NodeId) -> list[AnchorEvent]:
        """Return the events of a learning's anchors, oldest first."""
        return [event for _, event in self._select("learning = :learning", learning=learning)]

    def at_path(self, path: str) -> list[tuple[NodeId, AnchorEvent]]:
        """Return the events of anchors that were in a file or came there, with their learnings, oldest first.

        `path` may also be a directory; the whole repository is the empty text.
        """
        return self._select(
            """
            :path IN ('', json_extract(anchor, '$.path'), new_place)
            OR substr(json_extract(anchor, '$.path'), 1, length(:path) + 1) = :path || '/'
            OR substr(new_place, 1, length(:path) + 1) IN (:path || ':', :path || '/')
            """,
            path=path,
        )

    def _select(self, condition: str, **parameters: object) -> list[tuple[NodeId, AnchorEvent]]:
        rows = self._database.rows(
            f"""
            SELECT learning, at, event, anchor, detected_by, old_status, new_status, drift, reason, detail,
                   commit_sha, new_place, new_hash
            FROM invalidation_log
            WHERE {condition}
            ORDER BY id
            """,
            parameters,
        )
        return [(row[0], _event(row[1:])) for row in rows]


_INSERT = """
    INSERT INTO invalidation_log (
        learning, anchor_type, anchor_value, at, event, detected_by, old_status, new_status, drift, reason, detail,
        commit_sha, old_place, new_place, old_hash, new_hash, anchor
    )
    VALUES (
        :learning, :type, :value, :at, :event, :detected_by, :old_status, :new_status, :drift, :reason, :detail,
        :commit, :old_place, :new_place, :old_hash, :new_hash, :anchor
    )
"""


def _parameters(learning: NodeId, event: AnchorEvent) -> dict[str, Any]:
    anchor = event.anchor
    return {
        "learning": learning,
        "type": anchor.type.value,
        "value": anchor.spec,
        "at": event.at,
        "event": event.kind.value,
        "detected_by": event.detected_by,
        "old_status": event.old_status,
        "new_status": event.new_status,
        "drift": event.drift.value if event.drift else None,
        "reason": event.reason.value if event.reason else None,
        "detail": event.detail,
        "commit": event.commit,
        "old_place": anchor.spec,
        "new_place": event.new_place,
        "old_hash": anchor.fingerprints.content if anchor.fingerprints else None,
        "new_hash": event.new_hash,
        "anchor": json.dumps(asdict(anchor), ensure_ascii=False),
    }


def _event(row: Sequence[Any]) -> AnchorEvent:
    at, kind, anchor, detected_by, old, new, drift, reason, detail, commit, place, found = row
    return AnchorEvent(
        at=at,
        kind=EventKind(kind),
        anchor=_anchor(json.loads(anchor)),
        detected_by=detected_by,
        old_status=old,
        new_status=new,
        drift=Drift(drift) if drift else None,
        reason=Reason(reason) if reason else None,
        detail=detail,
        commit=commit,
        new_place=place,
        new_hash=found,
    )


def _anchor(fields: Mapping[str, Any]) -> Anchor:
    taken, dead = fields["fingerprints"], fields["invalidated"]
    return Anchor(
        path=fields["path"],
        type=AnchorType(fields["type"]),
        symbol=fields["symbol"],
        lines=tuple(fields["lines"]) if fields["lines"] else None,
        text=fields["text"],
        fingerprints=Fingerprints(**taken) if taken else None,
        pinned=fields["pinned"],
        invalidated=Invalidation(**dead) if dead else None,
    )
