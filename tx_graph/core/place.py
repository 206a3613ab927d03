"""Where a workspace is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from tx_graph.core.errors import NotInitialised
from tx_graph.core.layout import CONFIG, DATABASE, DIRECTORY
from tx_graph.core.root import Root, find_root

DATABASE_VARIABLE = "TX_DB"
"""Environment variable that puts the database elsewhere."""


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
    database = Path(os.environ.get(DATABASE_VARIABLE) or root.path / DIRECTORY / DATABASE)
    return Place(root=root, cwd=cwd, database=database)
