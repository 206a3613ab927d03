"""The use case: say what would stand in the files of a client, write it, or take it back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from difflib import unified_diff
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Annotated, Any, ClassVar

from tx_graph.core.arguments import Arg, choices
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.core.place import DIRECTORY, Root, find_root
from tx_graph.core.repository import GitRepository
from tx_graph.faces.setup import files as marked_text
from tx_graph.faces.setup import git_hooks, json_settings, toml_settings
from tx_graph.faces.setup.clients import COMMAND, Client, HookScript, JsonFile, MarkedFile, TomlFile, setup_of
from tx_graph.faces.setup.files import ConfigFiles, decoded

_EDITORS: dict[type, Any] = {
    JsonFile: json_settings,
    TomlFile: toml_settings,
    MarkedFile: marked_text,
    HookScript: git_hooks,
}
"""What puts ours into a file of each kind (`with_ours`), and takes it out again (`without_ours`)."""
_UNENDED = "\n\\ No newline at end of file"


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
    JSON: ClassVar = "path fate content diff"

    @property
    def fate(self) -> Fate:
        """What becomes of it."""
        if self.before == self.after:
            return Fate.UNCHANGED
        if self.before is None:
            return Fate.NEW
        return Fate.REMOVED if self.after is None else Fate.CHANGED

    @property
    def content(self) -> str | None:
        """What it will hold, None where it goes."""
        return None if self.after is None else _text(self.after)

    @property
    def diff(self) -> str:
        """The change as patch reads it."""

        def lines() -> Iterator[str]:
            before, after = (_text(data or b"").splitlines(keepends=True) for data in (self.before, self.after))
            old = "/dev/null" if self.before is None else f"a/{self.path}"
            new = "/dev/null" if self.after is None else f"b/{self.path}"
            for line in unified_diff(before, after, old, new):
                yield line if line.endswith("\n") else f"{line}{_UNENDED}\n"

        return "".join(lines())


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp:
    """What a setup would do, or did (`is_done`), and what else there is to know."""

    client: Client
    command: str
    hooks: bool
    undo: bool
    is_done: bool
    changes: tuple[FileChange, ...]
    notes: tuple[str, ...]
    JSON: ClassVar = "client command hooks undo written=is_done files=changes notes"


def _hooks_of(root: Root | None) -> Path:
    """Return the directory in which git looks for the hooks of a repository."""
    if root is None or not root.is_git:
        raise UsageError("This is not a git repository, so it has no hooks.")
    repository = GitRepository(root.path)
    named = repository.run("config", "--type=path", "--get-all", "core.hooksPath").decode().split("\n")
    own = [path for path in named if path not in ("", os.devnull)]  # our own questions to git turn hooks off
    return root.path / own[-1] if own else repository.common_directory() / "hooks"


def set_up(
    start: Path,
    client: Annotated[
        Client,
        Arg("CLIENT", f"Whom to set up: {choices(Client)}; agents-md is AGENTS.md, claude-md CLAUDE.md."),
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

    The names agents-md and claude-md mean a few lines in AGENTS.md or CLAUDE.md that say when to ask tx. What Windsurf
    and Claude Desktop read is no file of the repository but your own; each repository has an entry of its own there.
    The name git-hooks means a line in git's post-merge and post-checkout of this clone: 'tx sync' in the background;
    with --hooks also one in pre-commit, which refuses a commit that leaves a learning behind that does not hold.

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
    with_hooks = hooks or (undo and client is Client.GIT_HOOKS)
    setup, changes = setup_of(client, root, command=command, hooks=with_hooks), []
    base = Path.home() if setup.is_users else _hooks_of(found) if client is Client.GIT_HOOKS else root
    files = ConfigFiles(base)
    for file in setup.files:
        if not undo and isinstance(file, JsonFile) and not (file.server or file.hooks):
            continue
        before = files.read(file.path)
        mark, text = decoded(before, file.path) if before is not None else (b"", None)
        edit = _EDITORS[type(file)].without_ours if undo else _EDITORS[type(file)].with_ours
        after = None if undo and text is None else edit(text, file)
        data = None if after is None else mark + after.encode("utf-8")
        changes.append(FileChange(path=file.path, before=before, after=data))
    is_done = write or (undo and not print_)
    for change in changes if is_done else ():
        if change.fate is not Fate.UNCHANGED:
            files.replace(change.path, change.after)
            if client is Client.GIT_HOOKS and change.after is not None:
                (base / change.path).chmod(0o755)  # git passes over what may not be run
    notes = [] if undo else [*setup.notes]
    # What would keep the client from reaching us.
    if not undo and which(command or COMMAND) is None:
        notes.append(
            f"'{command or COMMAND}' is not on PATH: install tx so that it is, or name it with --command PATH."
        )
    if not undo and client not in (Client.AGENTS_MD, Client.CLAUDE_MD, Client.GIT_HOOKS) and find_spec("mcp") is None:
        notes.append("The server needs an extra: pip install 'tx-graph[mcp]'.")
    if not undo and not (root / DIRECTORY).is_dir():
        notes.append("There is no .tx directory here yet: run 'tx init'.")
    if not (is_done or undo) and any(change.fate is not Fate.UNCHANGED for change in changes):
        notes.append("Nothing is written yet: --write does.")
    return SetUp(
        client=client,
        command=command or COMMAND,
        hooks=hooks,
        undo=undo,
        is_done=is_done,
        changes=tuple(changes),
        notes=tuple(notes),
    )
