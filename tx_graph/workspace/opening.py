"""Where a workspace is, and how it is opened."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from tx_graph.codebase.repository import Root, find_root
from tx_graph.errors import NotInitialised
from tx_graph.ports import Clock, Embedder
from tx_graph.records.config import Config
from tx_graph.records.layout import CONFIG, DATABASE, DIRECTORY
from tx_graph.storage.database import Database, Unreachable
from tx_graph.storage.ownership import claim
from tx_graph.workspace.composition import Workspace

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

    @property
    def is_at_home(self) -> bool:
        """Whether the database lies where it does unless told otherwise."""
        home = self.directory / DATABASE
        return self.database == home or self.database.resolve() == home.resolve()


def place_of(start: Path | str | None) -> Place:
    """Return the place of the workspace that `start` lies in.

    Raises:
        NotInitialised: There is no `.tx` directory there.
        RepositoryError: `start` is inside a git directory or a bare repository.
    """
    cwd = Path(start) if start is not None else Path.cwd()
    root = find_root(cwd)
    if root is None or not (root.path / DIRECTORY).is_dir():
        where = root.path if root else cwd.resolve()
        raise NotInitialised(f"There is no .tx directory at or above {where}.", hint="Run 'tx init' there first.")
    database = Path(os.environ.get(DATABASE_VARIABLE) or root.path / DIRECTORY / DATABASE)
    return Place(root=root, cwd=cwd, database=database)


def opened(
    place: Place, *, config: Config, clock: Clock, embedder: Embedder | None, database: Database | None = None
) -> Workspace:
    """Return the workspace at a place, with its own database unless another is given."""
    database = database or _database_of(place)
    try:
        workspace = Workspace(
            place.root, cwd=place.cwd, database=database, config=config, clock=clock, embedder=embedder
        )
        if database.is_temporary:
            database.freeze()
    except BaseException:
        database.close()
        raise
    return workspace


def _database_of(place: Place) -> Database:
    """Open the database; where none can be read or made, give one in memory, to be filled from the records."""
    if not place.database.exists() and place.is_at_home:
        from tx_graph.services.setup import keep_ignored

        keep_ignored(place.directory)
    try:
        database = Database.open(place.database)
    except Unreachable:
        return Database.in_memory(place.database)
    try:
        claim(database, place.root.path, at_home=place.is_at_home)
    except BaseException:
        database.close()
        raise
    return database
