"""Claude Code's transcripts: `~/.claude/projects/<directory>/<session>.jsonl`.

The format is nobody's promise, so whatever has another shape than expected says nothing, and never fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tx_graph.work.telemetry import EventKind
from tx_graph.work.transcripts.content import (
    COMMAND_TOOLS,
    Draft,
    Record,
    Session,
    command_of,
    paths_of,
    text_of,
    told,
    word,
)

_SILENT = frozenset(
    """
    agent-color agent-name agent-setting ai-title atis-latch attachment attribution-snapshot bridge-session
    content-replacement context-collapse-commit context-collapse-snapshot custom-title file-history-delta
    file-history-snapshot frame-link last-prompt marble-origami-commit mode permission-mode pr-link progress
    queue-operation relocated result speculation-accept started summary system tag task-summary worktree-state
    """.split()
)
"""Types of records that are known to tell nothing that was said or done."""
_CLAIMED = ("sessionId", "parentUuid", "leafUuid", "isSidechain")
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_ECHO = re.compile(
    r"\s*(?:<(?:local-command-|command-contents|bash-std|task-notification)|"
    r"Caveat: The messages below)"
)
"""How texts begin that the program put where the user's stand."""
_COMMAND = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_NOTED = re.compile(r"\s*<user-memory-input>(.*?)</user-memory-input>", re.DOTALL)
"""What somebody typed behind `#`: it is kept as it was typed."""
_TYPED = re.compile(r"\s*<bash-input>(.*?)</bash-input>\s*", re.DOTALL)


def claims(record: Record) -> bool:
    """Whether only Claude Code writes records like this one."""
    kind = word(record, "type")
    return kind is not None and (
        any(name in record for name in _CLAIMED) or (kind == "file-history-snapshot" and "snapshot" in record)
    )


def read(record: Record, session: Session) -> list[Draft] | None:
    """Return what a record tells, None when nothing is known of its kind."""
    kind = word(record, "type")
    session.note(id=record.get("sessionId"), cwd=record.get("cwd"))
    if kind in _SILENT:
        return []
    message = record.get("message")
    if kind not in ("user", "assistant") or not isinstance(message, dict):
        return None
    if kind == "assistant":
        return list(_of_agent(message.get("content")))
    return list(_of_user(message.get("content"), record))


def _of_agent(content: Any) -> Iterator[Draft]:  # noqa: ANN401 - whatever JSON can hold
    if text := text_of(content).strip():
        yield Draft(kind=EventKind.AGENT, text=text)
    for part in _parts(content, "tool_use"):
        tool, given = word(part, "name"), part.get("input")
        command = command_of(given) if tool in COMMAND_TOOLS else None
        yield Draft(
            kind=EventKind.CALL,
            text=told(given) if command is None else command,
            tool=tool,
            call=word(part, "id"),
            named=paths_of(given),
            words=command or "",
        )


def _of_user(content: Any, record: Record) -> Iterator[Draft]:  # noqa: ANN401
    for part in _parts(content, "tool_result"):
        yield Draft(
            kind=EventKind.RESULT,
            text=_REMINDER.sub("", text_of(part.get("content"))).strip("\n"),
            call=word(part, "tool_use_id"),
            failed=part.get("is_error") is True or _has_failed(record.get("toolUseResult")),
        )
    text = _said(text_of(content))
    if text and not _is_injected(record):
        # What a sub-agent is asked was written by the agent that started it.
        yield Draft(kind=EventKind.AGENT if record.get("isSidechain") else EventKind.USER, text=text)


def _is_injected(record: Record) -> bool:
    """Whether the program wrote what stands where the user's words do."""
    origin = record.get("origin")
    is_notice = isinstance(origin, dict) and origin.get("kind") == "task-notification"
    return is_notice or bool(record.get("isMeta") or record.get("isCompactSummary"))


def _said(text: str) -> str:
    """Return what the user typed; empty where the program speaks in the user's place."""
    if "<" in text:
        text = _REMINDER.sub("", text)
        if noted := _NOTED.match(text):
            return f"# {noted[1].strip()}"
        if typed := _TYPED.fullmatch(text):
            return f"!{typed[1].strip()}"
        if name := _COMMAND.search(text):
            given = _ARGUMENTS.search(text)
            return f"{name[1].strip()} {given[1].strip() if given else ''}".strip()
    return "" if _ECHO.match(text) else text.strip()


def _has_failed(told_apart: Any) -> bool:  # noqa: ANN401
    """Whether what is kept beside an answer says so."""
    if isinstance(told_apart, dict):
        return told_apart.get("interrupted") is True or told_apart.get("is_error") is True
    return isinstance(told_apart, str) and told_apart.startswith("Error:")


def _parts(content: Any, kind: str) -> list[dict[str, Any]]:  # noqa: ANN401
    if not isinstance(content, list):
        return []
    return [part for part in content if isinstance(part, dict) and part.get("type") == kind]
