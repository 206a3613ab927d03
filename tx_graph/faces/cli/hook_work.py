"""What a hook does: read what the client says on stdin, ask the workspace, answer as the client wants it."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tx_graph.core.errors import NotInitialised, RepositoryError

if TYPE_CHECKING:
    from tx_graph.core.kernel import Kernel

Explain = Callable[[str], None]


class Caller(StrEnum):
    """Clients that have hooks."""

    CLAUDE_CODE = "claude-code"
    CURSOR = "cursor"
    CODEX = "codex"
    VSCODE = "vscode"
    GEMINI = "gemini"


class Event(StrEnum):
    """What may have happened."""

    SESSION_START = "session-start"
    PROMPT = "prompt"
    BEFORE_EDIT = "before-edit"
    FILE_OPENED = "file-opened"
    SESSION_END = "session-end"


_MOST_BYTES = 16 << 20
"""Some clients send all that a tool gave; what is longer than this is read to its end and not understood."""
_CHUNK = 1 << 16
_NAMES: dict[str, dict[str, str]] = {
    Caller.CLAUDE_CODE: {
        Event.SESSION_START: "SessionStart",
        Event.PROMPT: "UserPromptSubmit",
        Event.BEFORE_EDIT: "PreToolUse",
        Event.FILE_OPENED: "PostToolUse",
        Event.SESSION_END: "SessionEnd",
    },
    Caller.CURSOR: {Event.SESSION_START: "sessionStart", Event.FILE_OPENED: "postToolUse"},
    Caller.CODEX: {
        Event.SESSION_START: "SessionStart",
        Event.PROMPT: "UserPromptSubmit",
        Event.BEFORE_EDIT: "PreToolUse",
        Event.SESSION_END: "SessionEnd",
    },
    Caller.VSCODE: {
        Event.SESSION_START: "SessionStart",
        Event.BEFORE_EDIT: "PreToolUse",
        Event.FILE_OPENED: "PostToolUse",
    },
    Caller.GEMINI: {Event.SESSION_START: "SessionStart", Event.PROMPT: "BeforeAgent", Event.FILE_OPENED: "AfterTool"},
}
"""What each client calls these events, those at which it takes what it is told, or says where its transcript lies."""
_EDITS = re.compile(r"edit|write|create|replace|insert|patch", re.IGNORECASE)
"""Names of tools that change files: some clients call a hook before every tool."""
_MOST_FILES = 3  # of one edit of which anything is told
_SESSION = ("session_id", "sessionId", "conversation_id", "transcript_path")
_PATH = ("file_path", "filePath", "absolute_path", "target_file", "path")
_DIRECTORIES = ("CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_PROJECT_DIR")
_CLEARED = frozenset({"clear", "compact"})  # ways a session may start after which it knows nothing of what it was told


def response(client: str, event: str, *, explain: Explain) -> str:
    """Return what to print for a hook, empty for nothing; `explain` hears why it is nothing."""
    name = _NAMES.get(client, {}).get(event)
    payload = _payload()
    if name is None or payload is None:
        explain("no such client or event" if name is None else "stdin holds no JSON object")
        return ""
    is_about_files = event in (Event.FILE_OPENED, Event.BEFORE_EDIT)
    if is_about_files and not (paths := _paths(payload, is_edit=event == Event.BEFORE_EDIT)):
        explain("stdin names no file")
        return ""
    for start in _starts(payload):
        if text := _told(start, event, payload, paths if is_about_files else [], explain):
            return json.dumps(_shape(client, name, text))
    explain("nothing to tell")
    return ""


def _told(start: Path, event: str, payload: Mapping[str, Any], paths: Sequence[str], explain: Explain) -> str:
    """Return what the workspace that a directory lies in has to tell."""
    from tx_graph.context.briefing import file_page, prompt_page, session_page
    from tx_graph.core.place import place_of
    from tx_graph.workspace import open_kernel

    try:
        with open_kernel(place_of(start)) as kernel:
            if event == Event.SESSION_END:
                explain(_learned(kernel, _text(payload, "transcript_path")))
                return ""
            if event == Event.PROMPT:
                return prompt_page(kernel, _text(payload, "prompt"), _session(payload))
            if paths:
                return "\n".join(filter(None, (file_page(kernel, path, _session(payload)) for path in paths)))
            return session_page(kernel, _session(payload), is_cleared=_text(payload, "source") in _CLEARED)
    except (NotInitialised, RepositoryError) as error:
        explain(error.message)
        return ""


def _learned(kernel: Kernel, transcript: str) -> str:
    """Read the transcript of a session that ended, stage what it may have taught, and return what came of it."""
    from tx_graph.proposals.proposing import Proposing
    from tx_graph.proposals.values import Origin, ProposalRequest
    from tx_graph.work.transcripts import Transcripts

    if not transcript:
        return "stdin names no transcript"
    report = kernel.one(Transcripts).ingest(transcript)
    if not report.events:
        return "the transcript has nothing new"
    found = kernel.one(Proposing).propose(ProposalRequest(origins=(Origin.TRANSCRIPTS,)))
    return f"{report.events} events read, {len(found.proposed)} learnings staged"


def _payload() -> Mapping[str, Any] | None:
    """Return the object on stdin, None if there is none. All of stdin is read: no client shall meet a closed pipe."""
    stream = sys.stdin.buffer
    data = stream.read(_MOST_BYTES)
    is_longer = False
    while stream.read(_CHUNK):
        is_longer = True
    try:
        payload = None if is_longer else json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return payload if isinstance(payload, dict) else None


def _session(payload: Mapping[str, Any]) -> str:
    """Return whose context it is: an agent below the session's own has one of its own."""
    session = _text(payload, *_SESSION)
    return f"{session}/{agent}" if session and (agent := _text(payload, "agent_id")) else session


def _paths(payload: Mapping[str, Any], *, is_edit: bool) -> list[str]:
    """Return the file that a tool was asked to read, or the first that it is to change, as the tool was told them."""
    if is_edit and not _EDITS.search(_text(payload, "tool_name")):
        return []
    given = payload.get("tool_input")
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = None
    if path := _text(given if isinstance(given, dict) else payload, *_PATH):
        return [path]
    if not is_edit:
        return []
    from tx_graph.work.formats import paths_of  # who edits by patches names the files in these

    files = given.get("files") if isinstance(given, dict) else None
    listed = [one for one in files if isinstance(one, str)] if isinstance(files, list) else []
    return [*listed, *paths_of(given)][:_MOST_FILES]


def _text(values: Mapping[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := values.get(name), str) and value), "")


def _starts(payload: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the directories that the session may be about, likeliest first."""
    roots = payload.get("workspace_roots")
    named = [payload.get("cwd"), *(roots if isinstance(roots, list) else [])]
    named += [os.environ.get(name) for name in _DIRECTORIES]
    found = (Path(one) for one in [*named, "."] if isinstance(one, str) and one and "\0" not in one)
    yield from dict.fromkeys(one.resolve() for one in found if one.is_dir())


def _shape(client: str, event: str, text: str) -> dict[str, Any]:
    if client == Caller.CURSOR:
        return {"additional_context": text}
    shape: dict[str, Any] = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    if client == Caller.VSCODE:
        shape["additionalContext"] = text  # where Copilot, which runs the hooks of the same file, looks for it
    return shape
