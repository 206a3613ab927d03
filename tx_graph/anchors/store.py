"""Rows that verification keeps: the log of what happened to anchors, which outlives them, and the files it read."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import asdict
from enum import Enum
from typing import Any, NamedTuple

from tx_graph.anchors.verdict import AnchorEvent, EventKind, LinkEvent, LinkEventKind
from tx_graph.core.database import Store
from tx_graph.graph.edges import NodeId, Relation
from tx_graph.records.anchor import Anchor, AnchorType, Drift, Fingerprints, Invalidation, Reason

_FACTS = ("at", "event", "detected_by", "old_status", "new_status", "drift", "reason", "detail", "commit_sha")
_COLUMNS = (*_FACTS, "new_place", "new_hash", "anchor")
_FIELDS = tuple({"event": "kind", "commit_sha": "commit"}.get(column, column) for column in _COLUMNS)
"""What is read of an event, and its name there; the place and the hash of before stand in its anchor, too."""
_INSERTED = ("learning", "anchor_type", "anchor_value", "old_place", "old_hash", *_COLUMNS)


class AnchorLog(Store):
    """Keeps events, each with the anchor as it was."""

    def append(self, learning: NodeId, events: Iterable[AnchorEvent]) -> None:
        """Add events of the anchors of a learning. Needs a transaction."""
        self._database.write_many(
            f"INSERT INTO invalidation_log ({', '.join(_INSERTED)}) VALUES ({', '.join('?' * len(_INSERTED))})",
            [
                (
                    learning,
                    one.anchor.type.value,
                    one.anchor.spec,
                    one.anchor.spec,
                    one.anchor.fingerprints.content if one.anchor.fingerprints else None,
                    *(_stored(getattr(one, name)) for name in _FIELDS),
                )
                for one in events
            ],
        )

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
        return [event for _, event in self._select("learning = ?", learning)]

    def at_path(self, path: str) -> list[tuple[NodeId, AnchorEvent]]:
        """Return the events of anchors that were in a file or came there, with their learnings, oldest first.

        `path` may also be a directory; the whole repository is the empty text, wherever the code went.
        """
        return self._select(
            """
            ?1 IN ('', json_extract(anchor, '$.path'), new_place)
            OR substr(json_extract(anchor, '$.path'), 1, length(?1) + 1) = ?1 || '/'
            OR substr(new_place, 1, length(?1) + 1) IN (?1 || ':', ?1 || '#', ?1 || '/')
            """,
            path,
        )

    def _select(self, condition: str, parameter: object) -> list[tuple[NodeId, AnchorEvent]]:
        rows = self._database.rows(
            f"SELECT learning, {', '.join(_COLUMNS)} FROM invalidation_log WHERE {condition} ORDER BY id", (parameter,)
        )
        found = []
        for learning, *facts in rows:
            event: dict[str, Any] = dict(zip(_FIELDS, facts, strict=True))
            anchor = json.loads(event["anchor"])
            taken, dead = anchor["fingerprints"], anchor["invalidated"]
            anchor |= {
                "type": AnchorType(anchor["type"]),
                "lines": tuple(anchor["lines"]) if anchor["lines"] else None,
                "fingerprints": Fingerprints(**taken) if taken else None,
                "invalidated": Invalidation(**dead) if dead else None,
            }
            event |= {
                "kind": EventKind(event["kind"]),
                "drift": Drift(event["drift"]) if event["drift"] else None,
                "reason": Reason(event["reason"]) if event["reason"] else None,
                "anchor": Anchor(**anchor),
            }
            found.append((learning, AnchorEvent(**event)))
        return found


class LinkLog(Store):
    """Keeps what somebody did to links between learnings."""

    def append(self, source: NodeId, events: Iterable[LinkEvent]) -> None:
        """Add events of the links of a learning. Needs a transaction."""
        self._database.write_many(
            """
            INSERT INTO link_log (source, target, relation, weight, at, event, detected_by)
            SELECT :source, id, :relation, :weight, :at, :kind, :detected_by
            FROM nodes
            WHERE kind = 'learning' AND key = :target
            """,
            [
                {**asdict(one), "source": source, "relation": one.relation.value, "kind": one.kind.value}
                for one in events
            ],
        )

    def of(self, learning: NodeId | None) -> list[tuple[NodeId, LinkEvent]]:
        """Return the events of the links from and to a learning, or of all, with the learnings they leave."""
        rows = self._database.rows(
            """
            SELECT l.source, l.at, l.event, n.key, l.relation, l.weight, l.detected_by
            FROM link_log l
            JOIN nodes n ON n.id = l.target
            WHERE :learning IS NULL OR :learning IN (l.source, l.target)
            ORDER BY l.id
            """,
            {"learning": learning},
        )
        return [
            (
                source,
                LinkEvent(at=at, kind=LinkEventKind(kind), target=to, relation=Relation(how), weight=w, detected_by=by),
            )
            for source, at, kind, to, how, w, by in rows
        ]


def _stored(value: Any) -> Any:
    if isinstance(value, Anchor):
        return json.dumps(asdict(value), ensure_ascii=False)
    return value.value if isinstance(value, Enum) else value


class SeenFile(NamedTuple):
    """A file as it was read: size in bytes, when it last changed in ns, and the SHA-256 of its bytes."""

    path: str
    size: int
    changed_ns: int
    content_hash: str

    @property
    def stamp(self) -> tuple[int, int]:
        """What is compared with a file's stamp."""
        return self.size, self.changed_ns


class AnchoredFileStore(Store):
    """Keeps stamps and hashes, so that what did not change need not be read again."""

    def of(self, paths: Collection[str]) -> dict[str, SeenFile]:
        """Return those of these files that were ever read, by path."""
        rows = self._database.rows(
            """
            SELECT path, size, changed_ns, content_hash
            FROM anchored_files
            WHERE path IN (SELECT value FROM json_each(:paths))
            """,
            {"paths": json.dumps(list(paths))},
        )
        return {row[0]: SeenFile._make(row) for row in rows}

    def save(self, files: Iterable[SeenFile]) -> None:
        """Keep files as they were read now. Needs a transaction."""
        self._database.write_many(
            """
            INSERT INTO anchored_files (path, size, changed_ns, content_hash) VALUES (?, ?, ?, ?)
            ON CONFLICT (path) DO UPDATE SET
                size = excluded.size, changed_ns = excluded.changed_ns, content_hash = excluded.content_hash
            """,
            list(files),
        )
