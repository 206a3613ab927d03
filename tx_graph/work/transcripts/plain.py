"""Plain transcripts, for every other agent: one object a line with `role` and `content`, as chat APIs have them.

`{"role": "user" | "assistant" | "tool", "content": text or parts, "timestamp"?, "cwd"?, "session"?, "name"?,
"tool_calls"?, "tool_call_id"?, "is_error"?}`
"""

from __future__ import annotations

from typing import Any

from tx_graph.work.telemetry import EventKind
from tx_graph.work.transcripts.content import (
    COMMAND_TOOLS,
    Draft,
    Record,
    Session,
    command_of,
    decoded,
    paths_of,
    text_of,
    told,
    word,
)

_KINDS = {"user": EventKind.USER, "human": EventKind.USER, "assistant": EventKind.AGENT, "agent": EventKind.AGENT}
_ANSWERS = frozenset({"tool", "function"})
_SILENT = frozenset({"system", "developer"})


def claims(record: Record) -> bool:
    """Whether it has a role and says something."""
    return word(record, "role") is not None and ("content" in record or "tool_calls" in record)


def read(record: Record, session: Session) -> list[Draft] | None:
    """Return what a record tells, None when it has no role that we know."""
    role = word(record, "role")
    session.note(id=record.get("session"), cwd=record.get("cwd"))
    if role in _ANSWERS:
        return [_answer(record)]
    if role in _SILENT:
        return []
    kind = _KINDS.get(role or "")
    if kind is None:
        return None
    text = text_of(record.get("content")).strip()
    calls = record.get("tool_calls")
    said = [Draft(kind=kind, text=text)] if text else []
    return said + [_called(call) for call in (calls if isinstance(calls, list) else []) if isinstance(call, dict)]


def _answer(record: Record) -> Draft:
    return Draft(
        kind=EventKind.RESULT,
        text=text_of(record.get("content")).strip("\n"),
        tool=word(record, "name"),
        call=word(record, "tool_call_id"),
        failed=record.get("is_error") is True,
    )


def _called(call: dict[str, Any]) -> Draft:
    """Return a call as chat APIs write it: the tool and its input may stand one level deeper, the input as text."""
    function = call.get("function")
    inner = function if isinstance(function, dict) else call
    name = word(inner, "name")
    given = decoded(inner.get("arguments", inner.get("input")))
    command = command_of(given) if name in COMMAND_TOOLS else None
    return Draft(
        kind=EventKind.CALL,
        text=told(given) if command is None else command,
        tool=name,
        call=word(call, "id"),
        named=paths_of(given),
        words=command or "",
    )
