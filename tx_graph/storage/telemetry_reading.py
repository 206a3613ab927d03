"""Telemetry as those read it who look for what it teaches: session by session, and no more of each than they need."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.domain.telemetry import Event, EventKind
from tx_graph.storage.database import Database

_LONGEST = 8_000
"""Characters of one event: what users type, commands, and where outputs say what went wrong."""


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

    number: int
    node: NodeId
    source: str
    is_removed: bool


class TelemetryReading:
    """Reads events of sessions; what an agent said, and what calls returned that went well, is left in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
        return [Session(run, node, _short(name), cwd) for run, node, name, cwd in rows]

    def events(self, run: int) -> list[Event]:
        """Return the events of a run in their order; only what users said, calls and failures have their text."""
        rows = self._database.rows(
            """
            SELECT e.kind, iif(e.kind = 'agent' OR e.kind = 'result' AND NOT e.failed, '', substr(e.text, 1, :longest)),
                   e.line, e.at, e.tool, e.call, e.failed, e.paths
            FROM telemetry_events e
            JOIN transcripts t ON t.id = e.transcript
            WHERE t.run = :run
            ORDER BY e.transcript, e.id
            """,
            {"run": run, "longest": _LONGEST},
        )
        return [_event_from(row) for row in rows]

    def taught(self) -> list[Taught]:
        """Return the learnings that come from sessions, oldest first."""
        rows = self._database.rows(
            """
            SELECT id, node_id, source_ref, removed_at IS NOT NULL
            FROM learnings
            WHERE present = 1 AND source_type = 'transcript' AND source_ref IS NOT NULL
            ORDER BY id
            """
        )
        return [Taught(number, node, source, bool(removed)) for number, node, source, removed in rows]


def _short(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2]


def _event_from(row: Sequence[Any]) -> Event:
    return Event(
        kind=EventKind(row[0]),
        text=row[1],
        line=row[2],
        at=row[3],
        tool=row[4],
        call=row[5],
        failed=bool(row[6]),
        paths=tuple(json.loads(row[7])),
    )
