"""Codex's transcripts: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, and the flat records of early versions.

A rollout holds two logs, what the model sees (`response_item`) and what the terminal shows (`event_msg`); only the
first is read, since the second says the same again.
"""

from __future__ import annotations

import re
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

_ENVELOPES = frozenset(
    "session_meta turn_context response_item event_msg compacted world_state inter_agent_communication "
    "inter_agent_communication_metadata".split()
)
_SILENT = frozenset(
    "reasoning tool_search_call tool_search_output web_search_call image_generation_call agent_message ghost_snapshot "
    "compaction compaction_summary context_compaction additional_tools".split()
)
"""Items that are known to tell nothing that is kept."""
_ITEMS = frozenset(
    "message function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call tool_call "
    "tool_result".split()
)
_ROLES = {"user": EventKind.USER, "assistant": EventKind.AGENT}
_INJECTED = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|permissions instructions|INSTRUCTIONS|turn_aborted|skill|"
    r"user_shell_command|collaboration_mode|subagent_notification)|# AGENTS\.md instructions)"
)
"""How texts begin that the program put where the user's stand."""
_CWD = re.compile(r"(?:<cwd>|Current working directory: )([^<\n]+)")
_EXIT = re.compile(r"\A(?:.*\n){0,6}?(?:Exit code:|Process exited with code) (-?\d+)")
"""What stands above the output of a command, within the first lines."""


def claims(record: Record) -> bool:
    """Whether only Codex writes records like this one."""
    kind = word(record, "type")
    if kind in _ENVELOPES:
        return isinstance(record.get("payload"), dict)
    if kind == "message":
        return isinstance(record.get("content"), list) and "role" in record
    if kind is None:
        return record.get("record_type") == "state" or ("instructions" in record and "id" in record)
    return kind in _ITEMS and ("call_id" in record or "action" in record)


def read(record: Record, session: Session) -> list[Draft] | None:
    """Return what a record tells, None when nothing is known of its kind."""
    kind, payload = word(record, "type"), record.get("payload")
    if kind in _ENVELOPES and isinstance(payload, dict):
        if kind in ("session_meta", "turn_context"):
            session.note(id=payload.get("id"), cwd=payload.get("cwd"))
        return _item(payload, session) if kind == "response_item" else []
    if kind is None and ("instructions" in record or record.get("record_type") == "state"):
        session.note(id=record.get("id"))
        return []
    return _item(record, session)


def _item(item: Record, session: Session) -> list[Draft] | None:
    kind = word(item, "type")
    if kind in _SILENT:
        return []
    if kind == "message":
        return _message(item, session)
    if kind in ("function_call", "custom_tool_call", "tool_call"):
        return [_called(item)]
    if kind == "local_shell_call":
        return [_call(item, "local_shell", item.get("action"))]
    if kind in ("function_call_output", "custom_tool_call_output", "tool_result"):
        return [_answered(item)]
    return None


def _message(item: Record, session: Session) -> list[Draft]:
    text = text_of(item.get("content")).strip()
    if item.get("role") == "user" and _INJECTED.match(text):
        if found := _CWD.search(text):
            session.note(cwd=found[1].strip())
        return []
    kind = _ROLES.get(word(item, "role") or "")
    return [Draft(kind=kind, text=text)] if kind and text else []


def _called(item: Record) -> Draft:
    function = item.get("function")
    name = word(item, "name") or (word(function, "name") if isinstance(function, dict) else None)
    return _call(item, name, decoded(item.get("arguments", item.get("input"))))


def _call(item: Record, tool: str | None, given: Any) -> Draft:  # noqa: ANN401 - whatever JSON can hold
    command = command_of(given) if tool in COMMAND_TOOLS else None
    return Draft(
        kind=EventKind.CALL,
        text=told(given) if command is None else command,
        tool=tool,
        call=word(item, "call_id") or word(item, "id"),
        named=paths_of(given),
        words=command or "",
    )


def _answered(item: Record) -> Draft:
    """Return an answer: text, parts, JSON with the exit code beside it, or text with the exit code above it."""
    output = decoded(item.get("output", item.get("result")))
    text, code, succeeded = text_of(output), None, None
    if isinstance(output, dict) and "type" not in output:
        beside = output.get("metadata")
        code = beside.get("exit_code") if isinstance(beside, dict) else output.get("exitCode", output.get("exit_code"))
        succeeded = output.get("success")
        text = text_of(output.get("output", output.get("content"))) or told(output)
    elif found := _EXIT.match(text):
        code = int(found[1])
    return Draft(
        kind=EventKind.RESULT,
        text=text.strip("\n"),
        call=word(item, "call_id"),
        failed=(isinstance(code, int) and code != 0) or succeeded is False,
    )
