"""Formats of transcripts: what the records of Claude Code, of Codex, and of every other agent tell.

A format is two functions: one knows its records, the other says what they tell. No format is anybody's promise, so
whatever has another shape than expected says nothing, and never fails.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.text import in_tag, without_tag
from tx_graph.work.values import EventKind, TranscriptFormat

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One thing that happened; `text` is whole, and `named` are paths as the call names them.

    `words` is a command line of which some words may be paths.
    """

    kind: EventKind
    text: str
    tool: str | None = None
    call: str | None = None
    failed: bool = False
    named: tuple[str, ...] = ()
    words: str = ""


@dataclass(slots=True, kw_only=True)
class Session:
    """What a transcript has said so far of the session: what the agent calls it, and where the agent stands."""

    id: str | None = None
    cwd: str | None = None

    def note(self, *, id: Any = None, cwd: Any = None) -> None:  # noqa: ANN401 - as records call it; anything
        """Take in what a record says, where that is text. The session's name is the first one."""
        if isinstance(id, str) and id and self.id is None:
            self.id = id
        if isinstance(cwd, str) and cwd:
            self.cwd = cwd


TEXT_PARTS = frozenset({"text", "input_text", "output_text", "summary_text"})
COMMAND_TOOLS = frozenset(
    """
    Bash bash container.exec exec_command execute_command local_shell run_shell_command run_terminal_cmd shell
    shell_command
    """.split()
)
"""Tools whose input is a command line."""
_COMMANDS = ("command", "cmd", "script")
_PATHS = ("file_path", "path", "notebook_path", "filePath", "filename", "file", "target_file", "paths")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "fish", "cmd", "powershell", "pwsh"})
_PATCHED = re.compile(r"^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$", re.MULTILINE)
_PATCH = "*** Begin Patch"
_MILLISECONDS = 100_000_000_000  # from here on a number is a time in milliseconds: in seconds it would be the year 5138
_DEEPEST = 20


def word(record: Record, name: str) -> str | None:
    """Return what a record says under a name where that is text: from others it may be anything."""
    found = record.get(name)
    return found if isinstance(found, str) else None


def text_of(content: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
    """Return what a message or an answer says: text, or the texts of its parts, one below the other."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return ""
    parts: list[str | None] = []
    for part in content:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, dict) and ("type" not in part or word(part, "type") in TEXT_PARTS):
            parts.append(word(part, "text"))
    return "\n".join(part for part in parts if part)


def told(value: Any) -> str:  # noqa: ANN401
    """Return the input of a tool as lines `name: value`, decoded: what is escaped would hide secrets."""
    return value if isinstance(value, str) else "\n".join(_lines(value, "", 0))


def _lines(value: Any, name: str, depth: int) -> Iterator[str]:  # noqa: ANN401
    if isinstance(value, dict | list) and depth < _DEEPEST:
        pairs = value.items() if isinstance(value, dict) else ((name, one) for one in value)
        for key, one in pairs:
            yield from _lines(one, str(key), depth + 1)
    elif value is not None and not isinstance(value, dict | list):
        shown = value if isinstance(value, str) else json.dumps(value)
        yield f"{name}: {shown}" if name else shown


def command_of(value: Any) -> str | None:  # noqa: ANN401
    """Return the command line in a tool's input, None where there is none."""
    found = value
    if isinstance(value, dict):
        found = next((value[name] for name in _COMMANDS if name in value), None)
    if isinstance(found, list) and all(isinstance(word, str) for word in found):
        match found:
            case [shell, "-c" | "-lc" | "/c", command] if re.split(r"[\\/]", shell)[-1] in _SHELLS:
                return str(command)
            case _:
                return shlex.join(found)
    return found if isinstance(found, str) else None


def paths_of(value: Any) -> tuple[str, ...]:  # noqa: ANN401
    """Return the paths that a tool's input names, also in a patch."""
    if isinstance(value, str):
        return tuple(_PATCHED.findall(value)) if _PATCH in value else ()
    if not isinstance(value, dict):
        return ()
    named = [value[name] for name in _PATHS if name in value]
    flat = [one for entry in named for one in (entry if isinstance(entry, list) else [entry])]
    patches = [path for entry in value.values() if isinstance(entry, str) for path in paths_of(entry)]
    return tuple(dict.fromkeys([one for one in flat if isinstance(one, str)] + patches))


def decoded(text: Any) -> Any:  # noqa: ANN401
    """Return what a text holds that is itself JSON, and else the text."""
    if isinstance(text, str) and text[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            return json.loads(text)
    return text


def time_of(record: Record) -> str | None:
    """Return when a record says that it was made, as UTC in ISO 8601; None where it says nothing that can be a time."""
    names = ("timestamp", "created_at", "createdAt", "time", "ts", "date")
    value = next((record[name] for name in names if name in record), None)
    with suppress(ValueError, OverflowError, OSError):
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
        else:
            return None
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        return f"{moment.year:04}-{moment:%m-%dT%H:%M:%SZ}"
    return None


def _call(tool: str | None, given: Any, call: str | None) -> Draft:  # noqa: ANN401
    """Return a call of a tool; a shell's command line is told as it was typed."""
    command = command_of(given) if tool in COMMAND_TOOLS else None
    text = told(given) if command is None else command
    return Draft(kind=EventKind.CALL, text=text, tool=tool, call=call, named=paths_of(given), words=command or "")


# Claude Code: `~/.claude/projects/<directory>/<session>.jsonl`.

_CLAUDE_SILENT = frozenset(
    """
    agent-color agent-name agent-setting ai-title atis-latch attachment attribution-snapshot bridge-session
    content-replacement context-collapse-commit context-collapse-snapshot custom-title file-history-delta
    file-history-snapshot frame-link last-prompt marble-origami-commit mode permission-mode pr-link progress
    queue-operation relocated result speculation-accept started summary system tag task-summary worktree-state
    """.split()
)
"""Types of records that are known to tell nothing that was said or done."""
_CLAUDE_CLAIMED = ("sessionId", "parentUuid", "leafUuid", "isSidechain")
_CLAUDE_REMINDER = "system-reminder"
_CLAUDE_ECHO = re.compile(
    r"\s*(?:<(?:local-command-|command-contents|bash-std|task-notification)|"
    r"Caveat: The messages below)"
)
"""How texts begin that the program put where the user's stand."""
_CLAUDE_NOTED = re.compile(r"\s*<user-memory-input>(.*?)</user-memory-input>", re.DOTALL)
"""What somebody typed behind `#`: it is kept as it was typed."""
_CLAUDE_TYPED = re.compile(r"\s*<bash-input>(.*?)</bash-input>\s*", re.DOTALL)


def claude_claims(record: Record) -> bool:
    """Whether only Claude Code writes records like this one."""
    kind = word(record, "type")
    return kind is not None and (
        any(name in record for name in _CLAUDE_CLAIMED) or (kind == "file-history-snapshot" and "snapshot" in record)
    )


def claude_read(record: Record, session: Session) -> list[Draft] | None:
    """Return what a record tells, None when nothing is known of its kind."""
    kind = word(record, "type")
    session.note(id=record.get("sessionId"), cwd=record.get("cwd"))
    if kind in _CLAUDE_SILENT:
        return []
    message = record.get("message")
    if kind not in ("user", "assistant") or not isinstance(message, dict):
        return None
    content = message.get("content")
    if kind == "assistant":
        text = text_of(content).strip()
        said = [Draft(kind=EventKind.AGENT, text=text)] if text else []
        calls = _claude_parts(content, "tool_use")
        return said + [_call(word(part, "name"), part.get("input"), word(part, "id")) for part in calls]
    beside, origin = record.get("toolUseResult"), record.get("origin")
    has_failed = isinstance(beside, str) and beside.startswith("Error:")
    if isinstance(beside, dict):
        has_failed = beside.get("interrupted") is True or beside.get("is_error") is True
    found = [
        Draft(
            kind=EventKind.RESULT,
            text=without_tag(text_of(part.get("content")), _CLAUDE_REMINDER).strip("\n"),
            call=word(part, "tool_use_id"),
            failed=part.get("is_error") is True or has_failed,
        )
        for part in _claude_parts(content, "tool_result")
    ]
    is_notice = isinstance(origin, dict) and origin.get("kind") == "task-notification"
    is_injected = is_notice or record.get("isMeta") or record.get("isCompactSummary")
    if not is_injected and (text := _claude_said(text_of(content))):
        # What a sub-agent is asked was written by the agent that started it.
        found.append(Draft(kind=EventKind.AGENT if record.get("isSidechain") else EventKind.USER, text=text))
    return found


def _claude_said(text: str) -> str:
    """Return what the user typed; empty where the program speaks in the user's place."""
    if "<" in text:
        text = without_tag(text, _CLAUDE_REMINDER)
        if noted := _CLAUDE_NOTED.match(text):
            return f"# {noted[1].strip()}"
        if typed := _CLAUDE_TYPED.fullmatch(text):
            return f"!{typed[1].strip()}"
        if (name := in_tag(text, "command-name")) is not None:
            return f"{name.strip()} {(in_tag(text, 'command-args') or '').strip()}".strip()
    return "" if _CLAUDE_ECHO.match(text) else text.strip()


def _claude_parts(content: Any, kind: str) -> list[dict[str, Any]]:  # noqa: ANN401
    if not isinstance(content, list):
        return []
    return [part for part in content if isinstance(part, dict) and part.get("type") == kind]


# Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, and the flat records of early versions. A rollout holds two
# logs, what the model sees (`response_item`) and what the terminal shows (`event_msg`); only the first is read, since
# the second says the same again.

_CODEX_ENVELOPES = frozenset(
    "session_meta turn_context response_item event_msg compacted world_state inter_agent_communication "
    "inter_agent_communication_metadata".split()
)
_CODEX_SILENT = frozenset(
    "reasoning tool_search_call tool_search_output web_search_call image_generation_call agent_message ghost_snapshot "
    "compaction compaction_summary context_compaction additional_tools".split()
)
"""Items that are known to tell nothing that is kept."""
_CODEX_ITEMS = frozenset(
    "message function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call tool_call "
    "tool_result".split()
)
_CODEX_ROLES = {"user": EventKind.USER, "assistant": EventKind.AGENT}
_CODEX_INJECTED = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|permissions instructions|INSTRUCTIONS|turn_aborted|skill|"
    r"user_shell_command|collaboration_mode|subagent_notification)|# AGENTS\.md instructions)"
)
"""How texts begin that the program put where the user's stand."""
_CODEX_CWD = re.compile(r"(?:<cwd>|Current working directory: )([^<\n]+)")
_CODEX_EXIT = re.compile(r"\A(?:.*\n){0,6}?(?:Exit code:|Process exited with code) (-?\d{1,10})\b")
"""What stands above the output of a command, within the first lines."""


def codex_claims(record: Record) -> bool:
    """Whether only Codex writes records like this one."""
    kind = word(record, "type")
    if kind in _CODEX_ENVELOPES:
        return isinstance(record.get("payload"), dict)
    if kind == "message":
        return isinstance(record.get("content"), list) and "role" in record
    if kind is None:
        return record.get("record_type") == "state" or ("instructions" in record and "id" in record)
    return kind in _CODEX_ITEMS and ("call_id" in record or "action" in record)


def codex_read(record: Record, session: Session) -> list[Draft] | None:
    """Return what a record tells, None when nothing is known of its kind."""
    kind, payload = word(record, "type"), record.get("payload")
    if kind in _CODEX_ENVELOPES and isinstance(payload, dict):
        if kind in ("session_meta", "turn_context"):
            session.note(id=payload.get("id"), cwd=payload.get("cwd"))
        return _codex_item(payload, session) if kind == "response_item" else []
    if kind is None and ("instructions" in record or record.get("record_type") == "state"):
        session.note(id=record.get("id"))
        return []
    return _codex_item(record, session)


def _codex_item(item: Record, session: Session) -> list[Draft] | None:
    kind = word(item, "type")
    if kind in _CODEX_SILENT:
        return []
    call = word(item, "call_id") or word(item, "id")
    if kind == "message":
        text = text_of(item.get("content")).strip()
        if item.get("role") == "user" and _CODEX_INJECTED.match(text):
            if found := _CODEX_CWD.search(text):
                session.note(cwd=found[1].strip())
            return []
        role = _CODEX_ROLES.get(word(item, "role") or "")
        return [Draft(kind=role, text=text)] if role and text else []
    if kind in ("function_call", "custom_tool_call", "tool_call"):
        function = item.get("function")
        name = word(item, "name") or (word(function, "name") if isinstance(function, dict) else None)
        return [_call(name, decoded(item.get("arguments", item.get("input"))), call)]
    if kind == "local_shell_call":
        return [_call("local_shell", item.get("action"), call)]
    if kind in ("function_call_output", "custom_tool_call_output", "tool_result"):
        return [_codex_answered(item)]
    return None


def _codex_answered(item: Record) -> Draft:
    """Return an answer: text, parts, JSON with the exit code beside it, or text with the exit code above it."""
    output = decoded(item.get("output", item.get("result")))
    text, code, succeeded = text_of(output), None, None
    if isinstance(output, dict) and "type" not in output:
        beside = output.get("metadata")
        code = beside.get("exit_code") if isinstance(beside, dict) else output.get("exitCode", output.get("exit_code"))
        succeeded = output.get("success")
        text = text_of(output.get("output", output.get("content"))) or told(output)
    elif found := _CODEX_EXIT.match(text):
        code = int(found[1])
    return Draft(
        kind=EventKind.RESULT,
        text=text.strip("\n"),
        call=word(item, "call_id"),
        failed=(isinstance(code, int) and code != 0) or succeeded is False,
    )


# Plain, for every other agent: one object a line with `role` and `content`, as chat APIs have them:
# `{"role": "user" | "assistant" | "tool", "content": text or parts, "timestamp"?, "cwd"?, "session"?, "name"?,
# "tool_calls"?, "tool_call_id"?, "is_error"?}`

_PLAIN_KINDS = {"user": EventKind.USER, "human": EventKind.USER, "assistant": EventKind.AGENT, "agent": EventKind.AGENT}
_PLAIN_ANSWERS = frozenset({"tool", "function"})
_PLAIN_SILENT = frozenset({"system", "developer"})


def plain_claims(record: Record) -> bool:
    """Whether it has a role and says something."""
    return word(record, "role") is not None and ("content" in record or "tool_calls" in record)


def plain_read(record: Record, session: Session) -> list[Draft] | None:
    """Return what a record tells, None when it has no role that we know."""
    role = word(record, "role")
    session.note(id=record.get("session"), cwd=record.get("cwd"))
    if role in _PLAIN_ANSWERS:
        answer = Draft(
            kind=EventKind.RESULT,
            text=text_of(record.get("content")).strip("\n"),
            tool=word(record, "name"),
            call=word(record, "tool_call_id"),
            failed=record.get("is_error") is True,
        )
        return [answer]
    if role in _PLAIN_SILENT:
        return []
    kind = _PLAIN_KINDS.get(role or "")
    if kind is None:
        return None
    text = text_of(record.get("content")).strip()
    calls = record.get("tool_calls")
    found = [Draft(kind=kind, text=text)] if text else []
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):  # the tool and its input may stand one level deeper, the input as text
            function = call.get("function")
            inner = function if isinstance(function, dict) else call
            given = decoded(inner.get("arguments", inner.get("input")))
            found.append(_call(word(inner, "name"), given, word(call, "id")))
    return found


class Adapter(NamedTuple):
    """Reads one format: `claims` knows its records, `read` says what they tell."""

    claims: Callable[[Record], bool]
    read: Callable[[Record, Session], list[Draft] | None]


ADAPTERS = {
    TranscriptFormat.CLAUDE_CODE: Adapter(claude_claims, claude_read),
    TranscriptFormat.CODEX: Adapter(codex_claims, codex_read),
    TranscriptFormat.PLAIN: Adapter(plain_claims, plain_read),
}
"""The most particular ones first: what nobody else claims may be plain."""


def format_of(records: Iterable[Record]) -> TranscriptFormat | None:
    """Return whose records these are, by the first that anybody claims; None where nobody does."""
    for record in records:
        for name, adapter in ADAPTERS.items():
            if adapter.claims(record):
                return name
    return None
