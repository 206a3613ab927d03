"""What agents' records have in common: texts in parts, inputs of tools, command lines, times."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from tx_graph.codebase.transcripts.draft import Record

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
_MILLISECONDS = 100_000_000_000
"""From here on a number is a time in milliseconds: in seconds it would be the year 5138."""
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
    parts = (part if isinstance(part, str) else _part_text(part) for part in content)
    return "\n".join(part for part in parts if part)


def _part_text(part: Any) -> str:  # noqa: ANN401
    if not isinstance(part, dict) or ("type" in part and word(part, "type") not in TEXT_PARTS):
        return ""
    return word(part, "text") or ""


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
        return _joined(found)
    return found if isinstance(found, str) else None


def _joined(words: list[str]) -> str:
    """Return what a shell is told to run, without the shell itself."""
    if len(words) == 3 and words[1] in ("-c", "-lc", "/c") and re.split(r"[\\/]", words[0])[-1] in _SHELLS:  # noqa: PLR2004 - shell, -c, command
        return words[2]
    return shlex.join(words)


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
    for name in ("timestamp", "created_at", "createdAt", "time", "ts", "date"):
        if name in record:
            return _utc(record[name])
    return None


def _utc(value: Any) -> str | None:  # noqa: ANN401
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
