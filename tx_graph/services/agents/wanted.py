"""What a client wants to find in its files, as values; and how we know again what is ours in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PureWindowsPath
from typing import Any

SERVER = "tx"
"""The name under which clients know the server."""
COMMAND = "tx"


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that a client is to start: its entry stands in the table `table`, by the name of SERVER.

    `command` is the program where one was asked for: an entry that is there already keeps its own otherwise, and its
    arguments always.
    """

    table: str
    args: tuple[str, ...]
    command: str | None = None
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def entry(self) -> dict[str, Any]:
        """The entry as it is written."""
        return {**self.more, "command": self.command or COMMAND, "args": list(self.args)}

    def is_ours(self, entry: object) -> bool:
        """Whether an entry of that name starts our server, by whatever path; people may have added to it."""
        if not isinstance(entry, Mapping) or not isinstance(command := entry.get("command"), str):
            return False
        args = entry.get("args")
        is_tx = _program(command) in (COMMAND, _program(self.command or COMMAND))
        return is_tx and isinstance(args, list) and "mcp" in args


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """A command that a client is to run at an event of its own.

    `called` is what follows the program, by which we know it again; `command` is as above. `group` is what Claude Code
    and those like it wrap around the list of handlers; None where handlers stand in the event's list themselves.
    """

    event: str
    called: str
    command: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    group: Mapping[str, Any] | None = None

    @property
    def handler(self) -> dict[str, Any]:
        """The handler as it is written."""
        return {"type": "command", "command": f"{_quoted(self.command or COMMAND)} {self.called}", **self.more}

    @property
    def entry(self) -> dict[str, Any]:
        """The element of the event's list."""
        return self.handler if self.group is None else {**self.group, "hooks": [self.handler]}


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonFile:
    """What is wanted in one file of JSON.

    `always` is what the client wants in every such file, ours or not. `caller` begins what our hooks are called with.
    """

    path: str
    server: Server | None = None
    hooks: tuple[Hook, ...] = ()
    always: Mapping[str, Any] = field(default_factory=dict)
    caller: str = ""

    @property
    def tables(self) -> tuple[str, ...]:
        """The members of the file in which anything of ours may stand."""
        return (*([self.server.table] if self.server else []), *(["hooks"] if self.caller else []))

    def is_our_handler(self, value: object) -> bool:
        """Whether a handler calls us."""
        command = value.get("command") if isinstance(value, Mapping) else None
        return isinstance(command, str) and bool(self.caller) and f" {self.caller} " in command


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlFile:
    """What is wanted in one file of TOML."""

    path: str
    server: Server


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedFile:
    """What is wanted between our marks in one file of Markdown."""

    path: str
    block: str


ConfigFile = JsonFile | TomlFile | MarkedFile


def _program(command: str) -> str:
    """Return the name of a program without its directory, on whatever system it lies."""
    return PureWindowsPath(command).name.removesuffix(".exe")


def _quoted(command: str) -> str:
    """Return a path as a shell takes it for one word."""
    return f'"{command}"' if " " in command else command
