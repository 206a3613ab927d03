"""What takes long to make, made once in each process and then copied: an empty repository, an empty workspace."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tx_graph.core.database import Database
from tx_graph.core.place import DIRECTORY
from tx_graph.workspace import prepare

DATABASE = "graph.db"


def write_repository(root: Path) -> None:
    """Make an existing directory what `git init` makes of it."""
    _write(root / ".git", _repository())


def write_workspace(root: Path) -> None:
    """Make a directory what `tx init` makes of it, its database included."""
    _write(root / DIRECTORY, _workspace())


def write_database(path: Path) -> None:
    """Write a new, empty database of today's schema."""
    path.write_bytes(_workspace()[DATABASE] or b"")


@cache
def _repository() -> Mapping[str, bytes | None]:
    with tempfile.TemporaryDirectory() as made:
        command = ["git", "init", "--quiet", "--initial-branch=main", made]
        subprocess.run(command, check=True, capture_output=True)
        # The samples of hooks that git brings are more files than the repository itself.
        return {path: content for path, content in _read(Path(made, ".git")).items() if not path.endswith(".sample")}


@cache
def _workspace() -> Mapping[str, bytes | None]:
    with tempfile.TemporaryDirectory() as made:
        directory = prepare(Path(made)).root / DIRECTORY
        Database.open(directory / DATABASE).close()
        return _read(directory)


def _read(directory: Path) -> dict[str, bytes | None]:
    """Return what lies below a directory by its path; directories have no content."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(directory.rglob("*"))
    }


def _write(directory: Path, contents: Mapping[str, bytes | None]) -> None:
    directory.mkdir(exist_ok=True)
    for path, content in contents.items():
        if content is None:
            (directory / path).mkdir(exist_ok=True)
        else:
            (directory / path).write_bytes(content)
