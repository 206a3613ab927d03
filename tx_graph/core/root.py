"""Finds the directory that a `.tx` belongs to. It starts no process and loads nothing heavy."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tx_graph.core.errors import RepositoryError

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
        if _is_git_directory(directory):
            raise _no_working_tree(directory)
    with_tx = (directory for directory in ancestors if os.path.isdir(directory / ".tx"))
    return next((Root(path=directory, is_git=False) for directory in with_tx), None)


def holds_git(directory: Path) -> bool:
    """A file in worktrees and submodules; a directory if it has HEAD, as git passes over an empty `.git`."""
    git = directory / ".git"
    return os.path.isfile(git) or os.path.lexists(git / "HEAD")


def _is_git_directory(directory: Path) -> bool:
    parts = (directory / "objects", directory / "refs")
    return os.path.lexists(directory / "HEAD") and all(map(os.path.isdir, parts))


def _no_working_tree(directory: Path) -> RepositoryError:
    if directory.name != ".git":
        return RepositoryError(f"{directory} is a git directory without files.", hint=NEEDS_FILES)
    hint = f"Run tx in the working tree: cd {directory.parent}"
    return RepositoryError(f"{directory} belongs to git.", hint=hint)
