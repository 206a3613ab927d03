"""Transcripts and their events as rows, and as those read them who look for what sessions teach."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

from tx_graph.core.database import Store
from tx_graph.core.dataclass import dataclass, fields
from tx_graph.core.shape import Answer
from tx_graph.graph.edges import NodeId
from tx_graph.work.values import Event, EventKind, StoredEvent, TranscriptFormat

_EVENT_FIELDS = tuple(one.name for one in fields(Event))
_EVENT = f"e.id, t.run, {', '.join(f'e.{name}' for name in _EVENT_FIELDS)}"
_ENDING = 300  # characters of what an agent said before a user answered: its end says what it was about
_LONGEST = 8_000
"""Characters of one event that those read who look for what it teaches: commands, and where outputs say what failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRow:
    """A transcript as far as it was read; `id` is 0 until it is stored. Times are UTC in ISO 8601."""

    path: str
    format: TranscriptFormat
    run: int
    ingested_at: str
    id: int = 0
    session: str | None = None
    cwd: str | None = None
    size: int = 0
    mtime_ns: int = -1
    read_bytes: int = 0
    read_hash: str = ""
    lines: int = 0
    unknown: int = 0
    malformed: int = 0
    redacted: int = 0


_FIELDS = tuple(one.name for one in fields(TranscriptRow))
_COLUMNS = ", ".join(f"t.{name}" for name in _FIELDS)
_NEW = [name for name in _FIELDS if name != "id"]
_CHANGING = [name for name in _NEW if name not in ("path", "run")]


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptTally(Answer):
    """A transcript with what is kept of it: events, those that failed, and how many there are of each kind."""

    JSON: ClassVar = (
        "path=row.path format=row.format run=row.run session=row.session cwd=row.cwd bytes=row.read_bytes "
        "lines=row.lines unknown=row.unknown malformed=row.malformed redacted=row.redacted events failed first_at "
        "last_at ingested_at=row.ingested_at"
    )

    row: TranscriptRow
    events: int
    failed: int
    first_at: str | None
    last_at: str | None


class Session(NamedTuple):
    """One transcript that was read: its run, and what the agent calls the session, or else its file's name.

    `cwd` is where the agent stood, None where the transcript does not say.
    """

    run: int
    node: NodeId
    name: str
    cwd: str | None = None


class Taught(NamedTuple):
    """A learning that comes from a session, by the reference in its record; `is_removed` where it was turned down."""

    node: NodeId
    source: str
    is_removed: bool


class TelemetryStore(Store):
    """Reads and writes transcripts and their events; what writes needs a transaction."""

    def by_path(self, path: str) -> TranscriptRow | None:
        """Return what is known of the transcript at an absolute path, None when it was never read."""
        row = self._database.row(f"SELECT {_COLUMNS} FROM transcripts t WHERE path = ?", (path,))
        return None if row is None else _transcript_from(row)

    def add(self, row: TranscriptRow) -> int:
        """Write a new transcript; return its number."""
        self._database.write(
            f"""
            INSERT INTO transcripts ({", ".join(_NEW)}) VALUES ({", ".join(f":{name}" for name in _NEW)})
            """,
            _parameters(row),
        )
        return int(self._database.value("SELECT last_insert_rowid()"))

    def advance(self, row: TranscriptRow, *, since: TranscriptRow) -> bool:
        """Write how far a transcript was read, unless somebody else read on in it `since`; return whether it was so."""
        changed = self._database.write(
            f"""
            UPDATE transcripts
            SET {", ".join(f"{name} = :{name}" for name in _CHANGING)}
            WHERE id = :id AND read_bytes = :before_bytes AND read_hash = :before_hash
            """,
            _parameters(row) | {"id": since.id, "before_bytes": since.read_bytes, "before_hash": since.read_hash},
        )
        return changed == 1

    def add_events(self, transcript: int, events: Iterable[Event], *, fallback: str) -> None:
        """Write events in order; those without a time have that of `fallback`."""
        names = ("transcript", *_EVENT_FIELDS)
        self._database.write_many(
            f"INSERT INTO telemetry_events ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})",
            (
                {name: getattr(one, name) for name in _EVENT_FIELDS}
                | {"transcript": transcript, "at": one.at or fallback}
                | {"paths": json.dumps(one.paths, ensure_ascii=False) if one.paths else "[]"}
                for one in events
            ),
        )

    def forget_events(self, transcript: int) -> None:
        """Remove all events of a transcript."""
        self._database.write("DELETE FROM telemetry_events WHERE transcript = ?", (transcript,))

    def prune(self, before: str) -> int:
        """Remove the events that happened before a time; return how many those were."""
        return self._database.write("DELETE FROM telemetry_events WHERE at < ?", (before,))

    def count(self) -> int:
        """Return how many events there are."""
        return int(self._database.value("SELECT count(*) FROM telemetry_events"))

    def tallies(self, runs: Collection[int] | None = None, *, limit: int = -1) -> list[TranscriptTally]:
        """Return transcripts with what is kept of them, only those of these runs if any are named, newest first."""
        rows = self._database.rows(
            f"""
            SELECT {_COLUMNS}, count(e.id), coalesce(sum(e.failed), 0), min(e.at), max(e.at)
            FROM transcripts t
            LEFT JOIN telemetry_events e ON e.transcript = t.id
            WHERE :runs IS NULL OR t.run IN (SELECT value FROM json_each(:runs))
            GROUP BY t.id
            ORDER BY t.run DESC
            LIMIT :limit
            """,
            {"runs": None if runs is None else json.dumps(list(runs)), "limit": limit},
        )
        return [
            TranscriptTally(row=_transcript_from(row), events=events, failed=failed, first_at=first, last_at=last)
            for *row, events, failed, first, last in rows
        ]

    def last(
        self, *, run: int | None, kinds: Collection[EventKind] = (), failed: bool = False, limit: int
    ) -> list[StoredEvent]:
        """Return the last events, oldest first: those of a run, of these kinds, or that failed, where that is asked."""
        rows = self._database.rows(
            f"""
            SELECT {_EVENT}
            FROM telemetry_events e
            JOIN transcripts t ON t.id = e.transcript
            WHERE (:run IS NULL OR t.run = :run)
              AND (:kinds = '[]' OR e.kind IN (SELECT value FROM json_each(:kinds)))
              AND e.failed >= :failed
            ORDER BY e.id DESC
            LIMIT :limit
            """,
            {"run": run, "kinds": json.dumps([kind.value for kind in kinds]), "failed": int(failed), "limit": limit},
        )
        return [StoredEvent(id=row[0], run=row[1], event=_event_from(row[2:])) for row in reversed(rows)]

    def sessions(self) -> list[Session]:
        """Return the sessions of which events are kept, those of the newest runs first."""
        rows = self._database.rows(
            """
            SELECT t.run, r.node_id, coalesce(t.session, t.path), t.cwd
            FROM transcripts t
            JOIN runs r ON r.id = t.run
            WHERE EXISTS (SELECT 1 FROM telemetry_events e WHERE e.transcript = t.id)
            ORDER BY t.run DESC, t.id DESC
            """
        )
        return [Session(run, node, name.replace("\\", "/").rpartition("/")[2], cwd) for run, node, name, cwd in rows]

    def events_of(self, run: int) -> list[Event]:
        """Return the events of a run in their order; agents' words have only their end, and what went well no text."""
        rows = self._database.rows(
            """
            SELECT e.kind,
                   CASE WHEN e.kind = 'agent' THEN substr(e.text, -:ending)
                        WHEN e.kind = 'result' AND NOT e.failed THEN ''
                        ELSE substr(e.text, 1, :longest) END,
                   e.line, e.at, e.tool, e.call, e.failed, e.paths
            FROM telemetry_events e
            JOIN transcripts t ON t.id = e.transcript
            WHERE t.run = :run
            ORDER BY e.transcript, e.id
            """,
            {"run": run, "longest": _LONGEST, "ending": _ENDING},
        )
        return [_event_from(row) for row in rows]

    def taught(self) -> list[Taught]:
        """Return the learnings that come from sessions, oldest first."""
        rows = self._database.rows(
            """
            SELECT node_id, source_ref, removed_at IS NOT NULL
            FROM learnings
            WHERE present = 1 AND source_type = 'transcript' AND source_ref IS NOT NULL
            ORDER BY id
            """
        )
        return [Taught(node, source, bool(removed)) for node, source, removed in rows]


def _parameters(row: TranscriptRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _FIELDS} | {"format": row.format.value}


def _transcript_from(row: Any) -> TranscriptRow:
    found = dict(zip(_FIELDS, row, strict=False))
    return TranscriptRow(**found | {"format": TranscriptFormat(found["format"])})


def _event_from(row: Sequence[Any]) -> Event:
    found = dict(zip(_EVENT_FIELDS, row, strict=True))
    kind, paths = EventKind(found["kind"]), tuple(json.loads(found["paths"]))
    return Event(**found | {"kind": kind, "failed": bool(found["failed"]), "paths": paths})
