"""The composition root: opens workspaces, sound ones and ailing ones."""

from __future__ import annotations

from pathlib import Path

from tx_graph.core.place import DATABASE_VARIABLE, place_of
from tx_graph.core.ports import Clock, Embedder
from tx_graph.core.settings import Config
from tx_graph.workspace.composition import Workspace
from tx_graph.workspace.lasting import LastingWorkspace
from tx_graph.workspace.opening import open_kernel

__all__ = ["DATABASE_VARIABLE", "LastingWorkspace", "Workspace", "open_workspace"]


def open_workspace(
    start: Path | str | None = None, *, clock: Clock | None = None, embedder: Embedder | None = None
) -> Workspace:
    """Open the workspace that `start` (the working directory, by default) lies in."""
    place = place_of(start)
    return open_kernel(place, config=Config(place.config), clock=clock, embedder=embedder).one(Workspace)
