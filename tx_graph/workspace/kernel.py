"""How a workspace is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.core.database import Database, Unreachable
from tx_graph.core.kernel import Kernel
from tx_graph.core.layout import ENTITIES, FACTS, LEARNINGS
from tx_graph.core.place import Place
from tx_graph.core.ports import Clock, Embedder, SystemClock
from tx_graph.records.watch import Kinds, Records

if TYPE_CHECKING:
    from tx_graph.core.settings import Config


_RECORDS = {
    ENTITIES: "knowledge.records:entity_sync",
    FACTS: "knowledge.records:fact_sync",
    LEARNINGS: "records.kinds:learning_sync",
}
"""What reads and writes the records of each kind."""
_FOLLOWERS = ("knowledge.mentions:follow",)


def open_kernel(
    place: Place,
    *,
    config: Config | None = None,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    database: Database | None = None,
) -> Kernel:
    """Return the workspace at a place, with its own database unless another is given, and its records taken in."""
    database = database or _database_of(place)
    kernel = Kernel(place, database=database, clock=clock or SystemClock(), embedder=embedder, config=config)
    try:
        if place.has_settings():
            _ = kernel.config  # reading them says what is wrong with them, whatever the use case needs
        kernel.one(Kinds).register(_RECORDS, followers=_FOLLOWERS)
        kernel.one(Records).take_in()
        if database.is_temporary:
            database.freeze()
    except BaseException:
        database.close()
        raise
    return kernel


def _database_of(place: Place) -> Database:
    """Open the database; where none can be read or made, give one in memory, to be filled from the records."""
    if not place.database.exists() and place.is_at_home:
        from tx_graph.workspace.setup import keep_ignored

        keep_ignored(place.directory)
    try:
        database = Database.open(place.database)
    except Unreachable:
        return Database.in_memory(place.database)
    if database.owner == str(place.root.path):
        return database
    from tx_graph.core.rescue import claim

    try:
        claim(database, place.root.path, at_home=place.is_at_home)
    except BaseException:
        database.close()
        raise
    return database
