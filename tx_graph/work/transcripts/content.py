"""Paths as a session names them, told as paths of the repository where they lie in it."""

from __future__ import annotations

import json
import os
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from tx_graph.work.telemetry import EventKind

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


_WORD = re.compile(r"[^\s'\"`;|&<>()$=,]+")
_LONGEST = 400
"""Characters of a path; what is longer is text."""
_MOST_WORDS = 200
"""Words of a command that are looked at: what follows is a script or data."""
_REMEMBERED = 20_000


class SessionPaths:
    """Turns absolute paths, and those relative to where an agent stood, into repository-relative ones."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._roots = tuple(dict.fromkeys(_slashes(str(one)).rstrip("/") for one in (root, root.resolve())))
        self._is_file = lru_cache(maxsize=_REMEMBERED)(self._look)

    def holds(self, directory: str) -> bool:
        """Whether a directory is the root of the repository, or below."""
        return self._below(_slashes(directory)) is not None

    def named(self, path: str, cwd: str | None) -> str | None:
        """Return a path of the repository, None for one that leads elsewhere, is a directory, or no path at all."""
        found = self._relative(path, cwd)
        return None if found is None or os.path.isdir(self._root / found) else found

    def in_command(self, command: str, cwd: str | None) -> tuple[str, ...]:
        """Return the files of the repository that words of a command line name; only such that are there now."""
        words = _WORD.findall(command[: _LONGEST * _MOST_WORDS])[:_MOST_WORDS]
        found = (self._relative(word, cwd) for word in words if "." in word or "/" in word)
        return tuple(dict.fromkeys(path for path in found if path and self._is_file(path)))

    def _relative(self, path: str, cwd: str | None) -> str | None:
        if not path or len(path) > _LONGEST or "\0" in path or "\n" in path:
            return None
        path = _slashes(path)
        if not _is_absolute(path):
            if not cwd:
                return None
            path = posixpath.join(_slashes(cwd), path)
        return self._below(path) or None

    def _below(self, path: str) -> str | None:
        """Return an absolute path relative to the root, empty for the root itself; None where it is not below."""
        path = posixpath.normpath(path)
        for root in self._roots:
            if path == root:
                return ""
            if path.startswith(f"{root}/"):
                below = path[len(root) + 1 :]
                return None if below == ".git" or below.startswith((".git/", ".tx/")) else below
        return None

    def _look(self, path: str) -> bool:
        return os.path.isfile(self._root / path)


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


def _slashes(path: str) -> str:
    r"""Return a path of Windows with `/`; others may have `\` in names."""
    return path.replace("\\", "/") if path[1:3] == ":\\" or os.name == "nt" else path
