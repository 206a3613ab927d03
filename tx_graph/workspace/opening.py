"""Opens a workspace with the use cases that are not made from the kernel yet."""

from __future__ import annotations

from tx_graph.core.place import Place
from tx_graph.ports import Clock, Embedder
from tx_graph.records.config import Config
from tx_graph.services.opening import open_kernel
from tx_graph.storage.database import Database
from tx_graph.workspace.composition import Workspace


def opened(
    place: Place, *, config: Config, clock: Clock, embedder: Embedder | None, database: Database | None = None
) -> Workspace:
    """Return the workspace at a place, with its own database unless another is given."""
    return Workspace(open_kernel(place, config=config, clock=clock, embedder=embedder, database=database))
