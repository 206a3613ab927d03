"""The version of facts and entities: another number after every change of them, whichever process makes it."""

from __future__ import annotations

from tx_graph.storage.database import Database


class FactsVersion:
    """Says whether facts are what they were. Triggers of the schema keep count; recalling facts changes nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def now(self) -> int:
        """Return the number of the version."""
        return int(self._database.value("SELECT version FROM facts_version"))
