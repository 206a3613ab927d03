"""A workspace that may not open, and what can be done for it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from tx_graph.core.database import DamagedDatabase, Database
from tx_graph.core.errors import StorageError, UsageError
from tx_graph.core.place import Place
from tx_graph.core.ports import Clock, Embedder
from tx_graph.core.settings import Config
from tx_graph.workspace.composition import Workspace
from tx_graph.workspace.health import CheckUp, Finding, problem
from tx_graph.workspace.kernel import open_kernel


def opened(
    place: Place, *, config: Config, clock: Clock, embedder: Embedder | None, database: Database | None = None
) -> Workspace:
    """Return the workspace at a place, with its own database unless another is given."""
    return open_kernel(place, config=config, clock=clock, embedder=embedder, database=database).one(Workspace)


class Patient:
    """A workspace that may not open."""

    def __init__(self, place: Place, *, config: Config, clock: Clock, embedder: Embedder | None) -> None:
        self._place = place
        self._config = config
        self._clock = clock
        self._embedder = embedder

    def examined(self) -> CheckUp:
        """Return what there is to find."""
        try:
            with self._open() as workspace:
                return workspace.health.check_up()
        except StorageError as error:
            return self._without_database(error)

    def mended(self) -> CheckUp:
        """Mend what can be mended; return that, and what there is to find then."""
        try:
            workspace = self._open()
        except DamagedDatabase as damage:
            return self._rebuilt(damage)
        except StorageError as error:
            return self._without_database(error)
        try:
            with workspace:
                return workspace.health.check_up(fix=True)
        except DamagedDatabase as damage:
            return self._rebuilt(damage)

    def _rebuilt(self, damage: DamagedDatabase) -> CheckUp:
        from tx_graph.core.rescue import is_database, renew_damaged

        if not self._place.is_at_home and not is_database(self._place.database):
            return self._without_database(damage)  # TX_DB may name anything
        renewal = renew_damaged(self._place.database)
        with self._open() as workspace:
            found = workspace.health.check_up(fix=True)
        carried = ", ".join(f"{number:,} {table}" for table, number in renewal.carried.items())
        done = (
            f"moved the damaged database to {renewal.kept}",
            *([f"carried over what could be read of it: {carried}"] if carried else []),
            *(f"could not carry over {what}" for what in renewal.losses),
            "built the rest from the records",
        )
        return replace(found, done=done + found.done)

    def _without_database(self, error: StorageError) -> CheckUp:
        with self._open(Database.in_memory(self._place.database)) as workspace:
            return workspace.health.check_up_without_database(error)

    def _open(self, database: Database | None = None) -> Workspace:
        return opened(self._place, config=self._config, clock=self._clock, embedder=self._embedder, database=database)


def readable_config(place: Place) -> tuple[Config, list[Finding]]:
    """Return the settings, or the defaults and what is wrong with the file."""
    try:
        return Config(place.config), []
    except (StorageError, UsageError) as error:
        return Config(Path(os.devnull)), [problem("config", error.message, error.hint)]
