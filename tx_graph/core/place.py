"""Where a workspace is, and what its files are called. It starts no process and loads nothing heavy."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotInitialised, RepositoryError, StorageError

DATABASE_VARIABLE = "TX_DB"
"""Environment variable that puts the database elsewhere."""
DIRECTORY = ".tx"
LEARNINGS = "learnings"
FACTS = "facts"
ENTITIES = "entities"
FEEDBACK = "feedback"
RELATIONS = "relations"
DATABASE = "graph.db"
CONFIG = "config.toml"
READINGS = "tx/readings.db"
"""Below git's common directory: what parsing gave, for all branches and worktrees."""
REPLIES = "tx/replies.db"
"""Beside it: what language models replied, which costs money to hear again."""
LOCAL_REPLIES = "replies.db"
"""The same outside git, beside the database."""
TOLD = "tx/told.db"
"""Beside it: what agents were told by hooks, so that they are told once."""
LOCAL_TOLD = "told.db"
"""The same outside git."""
JOURNAL = "local/journal.jsonl"
"""What outlives the database, in the workspace's directory; that of a database elsewhere lies beside it."""
NEEDS_FILES = "A bare repository has no files: clone it, or add a worktree with 'git worktree add'."
"""What to do where there is git, but no working tree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """The directory that a `.tx` belongs to: an absolute path, free of symlinks."""

    path: Path
    is_git: bool


def find_root(start: Path) -> Root | None:
    """Return the nearest of `start` and its ancestors with `.git`, else the nearest with `.tx`, else None."""
    resolved = start.resolve()
    ancestors = (resolved, *resolved.parents)
    for directory in ancestors:
        if holds_git(directory):
            return Root(path=directory, is_git=True)
        if os.path.lexists(directory / "HEAD") and all(os.path.isdir(directory / name) for name in ("objects", "refs")):
            if directory.name != ".git":
                raise RepositoryError(f"{directory} is a git directory without files.", hint=NEEDS_FILES)
            raise RepositoryError(
                f"{directory} belongs to git.", hint=f"Run tx in the working tree: cd {directory.parent}"
            )
    with_tx = (directory for directory in ancestors if os.path.isdir(directory / ".tx"))
    return next((Root(path=directory, is_git=False) for directory in with_tx), None)


def holds_git(directory: Path) -> bool:
    """A file in worktrees and submodules; a directory if it has HEAD, as git passes over an empty `.git`."""
    git = directory / ".git"
    return os.path.isfile(git) or os.path.lexists(git / "HEAD")


def touched(status: os.stat_result) -> tuple[int, int]:
    """Return what tells that a file was touched: its size in bytes, and when it last changed, in ns.

    That is its time of change: unlike the time of modification, nobody can set it, neither back nor ahead. Windows has
    no such time (what Python calls so there is that of creation): there it is that of modification.
    """
    return status.st_size, status.st_mtime_ns if os.name == "nt" else status.st_ctime_ns


def links_out(root: Path) -> dict[str, str]:
    """Return where `.tx` leads, or what lies in it, as a symbolic link out of the repository."""
    names = [DIRECTORY]
    with suppress(OSError), os.scandir(root / DIRECTORY) as entries:
        names += [f"{DIRECTORY}/{entry.name}" for entry in entries if entry.is_symlink()]
    targets = {name: os.path.realpath(root / name) for name in names if os.path.islink(root / name)}
    return {name: target for name, target in sorted(targets.items()) if not Path(target).is_relative_to(root)}


def require_own(root: Path) -> None:
    """Raise StorageError where `.tx` would have tx read or write elsewhere, and the user has not allowed that."""
    config = root / DIRECTORY / CONFIG
    if os.path.lexists(config) and not os.path.isfile(config):
        raise StorageError(f"{config} is no file.", hint="Move it away first.")  # a pipe would be waited for
    if not (links := links_out(root)):
        return
    from tx_graph.core.trust import LINKS_ENTRY, is_allowed

    if not is_allowed(root, LINKS_ENTRY, links):
        name, target = next(iter(links.items()))
        raise StorageError(
            f"{name} is a link that leads out of the repository, to {target}.",
            hint="Remove it, or run 'tx allow' if it is yours.",
        )


class Place(NamedTuple):
    """Where a workspace is: its root, the directory one stands in, and the file of its database."""

    root: Root
    cwd: Path
    database: Path

    @property
    def directory(self) -> Path:
        """The `.tx` of the workspace."""
        return self.root.path / DIRECTORY

    @property
    def config(self) -> Path:
        """The file of its settings."""
        return self.directory / CONFIG

    @property
    def journal(self) -> Path:
        """The file of what outlives the database."""
        at_home = self.directory / JOURNAL
        return at_home if self.is_at_home else self.database.with_name(f"{self.database.name}.journal")

    def has_settings(self) -> bool:
        """Whether the file of its settings says anything, or cannot be read."""
        try:
            lines = self.config.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return False
        except (OSError, UnicodeDecodeError):
            return True
        return any(line.strip() and not line.lstrip().startswith("#") for line in lines)

    @property
    def is_at_home(self) -> bool:
        """Whether the database lies where it does unless told otherwise."""
        home = self.directory / DATABASE
        return self.database == home or self.database.resolve() == home.resolve()


def place_of(start: Path | str | None) -> Place:
    """Return the place of the workspace that `start` lies in."""
    cwd = Path(start) if start is not None else Path.cwd()
    root = find_root(cwd)
    if root is None or not (root.path / DIRECTORY).is_dir():
        where = root.path if root else cwd.resolve()
        raise NotInitialised(f"There is no .tx directory at or above {where}.", hint="Run 'tx init' there first.")
    require_own(root.path)
    database = Path(os.environ.get(DATABASE_VARIABLE) or root.path / DIRECTORY / DATABASE)
    return Place(root=root, cwd=cwd, database=database)
