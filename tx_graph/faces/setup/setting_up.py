"""The use case: say what would stand in the files of a client, write it, or take it back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Annotated

from tx_graph.core.arguments import Arg
from tx_graph.core.errors import UsageError
from tx_graph.core.place import DIRECTORY, find_root
from tx_graph.faces.setup import files as marked_text
from tx_graph.faces.setup import json_settings, toml_settings
from tx_graph.faces.setup.clients import Client, ConfigFile, JsonFile, TomlFile, setup_of
from tx_graph.faces.setup.files import ConfigFiles, decoded


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupRequest:
    """Whom to set up, with hooks or without, to run which program if another than tx; or whom to take back (`undo`)."""

    client: Client
    command: str | None = None
    hooks: bool = False
    undo: bool = False


class Fate(StrEnum):
    """What becomes of a file."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file before and after; None where there is none."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def fate(self) -> Fate:
        """What becomes of it."""
        if self.before == self.after:
            return Fate.UNCHANGED
        if self.before is None:
            return Fate.NEW
        return Fate.REMOVED if self.after is None else Fate.CHANGED


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupPlan:
    """What a setup would do, and what to know about it."""

    request: SetupRequest
    changes: tuple[FileChange, ...]
    notes: tuple[str, ...]


class SettingUp:
    """Sets clients up for one repository."""

    def __init__(self, root: Path) -> None:
        self._files = ConfigFiles(root)

    def plan(self, request: SetupRequest) -> SetupPlan:
        """Return what would become of the client's files."""
        setup = setup_of(request.client, command=request.command, hooks=request.hooks)
        wanted = [file for file in setup.files if request.undo or _is_wanted(file)]
        return SetupPlan(
            request=request,
            changes=tuple(self._change(file, undo=request.undo) for file in wanted),
            notes=() if request.undo else setup.notes,
        )

    def carry_out(self, plan: SetupPlan) -> None:
        """Do what a plan says."""
        for change in plan.changes:
            if change.fate is not Fate.UNCHANGED:
                self._files.replace(change.path, change.after)

    def _change(self, file: ConfigFile, *, undo: bool) -> FileChange:
        before = self._files.read(file.path)
        mark, text = decoded(before, file.path) if before is not None else (b"", None)
        after = _without_ours(text, file) if undo else _with_ours(text, file)
        return FileChange(path=file.path, before=before, after=None if after is None else mark + after.encode("utf-8"))


def _is_wanted(file: ConfigFile) -> bool:
    return not isinstance(file, JsonFile) or bool(file.server or file.hooks)


def _with_ours(text: str | None, file: ConfigFile) -> str:
    if isinstance(file, JsonFile):
        return json_settings.with_ours(text, file)
    return toml_settings.with_ours(text, file) if isinstance(file, TomlFile) else marked_text.with_ours(text, file)


def _without_ours(text: str | None, file: ConfigFile) -> str | None:
    if text is None:
        return None
    if isinstance(file, JsonFile):
        return json_settings.without_ours(text, file)
    return (
        toml_settings.without_ours(text, file) if isinstance(file, TomlFile) else marked_text.without_ours(text, file)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp:
    """What a setup would do, or did, and what else there is to know."""

    plan: SetupPlan
    is_done: bool
    notes: tuple[str, ...]


def set_up(
    start: Path,
    client: Annotated[
        Client,
        Arg("[claude-code|cursor|codex|vscode|gemini|agents-md]", "Whom to set up; agents-md is AGENTS.md."),
    ],
    *,
    print_: Annotated[bool, Arg(help="Show what would be written; so it is by default.", flag="--print")] = False,
    write: Annotated[bool, Arg(help="Write it.")] = False,
    undo: Annotated[bool, Arg(help="Take all of it out again, hooks too.")] = False,
    hooks: Annotated[bool, Arg(help="Also have the client call 'tx hook' at its events.")] = False,
    command: Annotated[str | None, Arg("PATH", "Which program the client is to run instead of tx.")] = None,
) -> SetUp:
    """Print or write what an agent's client needs to know tx: its MCP server and, if you like, hooks.

    The files belong to the repository, so that everybody who works on it has them. What is in them stays as it is,
    byte for byte; writing twice changes nothing more, and --undo gives back what was there before. With --undo
    --print you see what that would do.

    The name agents-md means a few lines in AGENTS.md that say when to ask tx.

    Example:
      tx setup claude-code --hooks
      tx setup claude-code --hooks --write
      tx setup claude-code --undo
    """
    if print_ and write:
        raise UsageError("--print and --write exclude each other.", hint="Give one of them.")
    if write and undo:
        raise UsageError("--write and --undo exclude each other.", hint="Give one of them.")
    found = find_root(start)
    root = found.path if found else start.resolve()
    setting_up = SettingUp(root)
    plan = setting_up.plan(SetupRequest(client=client, command=command, hooks=hooks, undo=undo))
    is_done = write or (undo and not print_)
    if is_done:
        setting_up.carry_out(plan)
    notes = [*plan.notes]
    # What would keep the client from reaching us.
    if not undo and which(command or "tx") is None:
        notes.append(f"'{command or 'tx'}' is not on PATH: install tx so that it is, or name it with --command PATH.")
    if not undo and client is not Client.AGENTS_MD and find_spec("mcp") is None:
        notes.append("The server needs an extra: pip install 'tx-graph[mcp]'.")
    if not undo and not (root / DIRECTORY).is_dir():
        notes.append("There is no .tx directory here yet: run 'tx init'.")
    return SetUp(plan=plan, is_done=is_done, notes=tuple(notes))
