"""The use case: say what would stand in the files of a client, write it, or take it back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

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
