"""Telemetry: what agents did, as their transcripts tell it. Raw, much, and soon forgotten (PRD-014, layer 1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TranscriptFormat(StrEnum):
    """Whose transcripts they are."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    PLAIN = "plain"


class EventKind(StrEnum):
    """What happened: the user or the agent said something, a tool was called, or it answered."""

    USER = "user"
    AGENT = "agent"
    CALL = "call"
    RESULT = "result"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened in a session, with all secrets taken out.

    `text` is what was said, the command or input of a call, or what came back; `call` ties a result to its call;
    `paths` are files of the repository that a call names, relative to its root; `at` is UTC in ISO 8601, None where
    the transcript does not say; `line` is that of the transcript, from 1.
    """

    kind: EventKind
    text: str
    line: int
    at: str | None = None
    tool: str | None = None
    call: str | None = None
    failed: bool = False
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent:
    """An event with its place in this database: its number and that of the run (one session) it belongs to."""

    id: int
    run: int
    event: Event
