"""The composition root: opens workspaces, sound ones and ailing ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.core.place import DATABASE_VARIABLE, place_of
from tx_graph.core.ports import Clock, Embedder, SystemClock
from tx_graph.core.settings import Config
from tx_graph.workspace.composition import Workspace
from tx_graph.workspace.lasting import LastingWorkspace
from tx_graph.workspace.opening import opened

if TYPE_CHECKING:
    from tx_graph.workspace.health import CheckUp


__all__ = ["DATABASE_VARIABLE", "LastingWorkspace", "Workspace", "check_up", "open_workspace"]


def open_workspace(
    start: Path | str | None = None, *, clock: Clock | None = None, embedder: Embedder | None = None
) -> Workspace:
    """Open the workspace that `start` (the working directory, by default) lies in."""
    place = place_of(start)
    return opened(place, config=Config(place.config), clock=clock or SystemClock(), embedder=embedder)


def check_up(
    start: Path | str | None = None, *, fix: bool = False, clock: Clock | None = None, embedder: Embedder | None = None
) -> CheckUp:
    """Examine the workspace, even one that `open_workspace` refuses; with `fix`, mend first what can be mended.

    A damaged database is moved aside; what can be read of it is carried over, the rest is built from the records.
    """
    from tx_graph.workspace.opening import Patient, readable_config

    place = place_of(start)
    config, problems = readable_config(place)
    patient = Patient(place, config=config, clock=clock or SystemClock(), embedder=embedder)
    found = patient.mended() if fix else patient.examined()
    return replace(found, findings=(*problems, *found.findings))
