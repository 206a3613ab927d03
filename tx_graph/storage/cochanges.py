"""Co-changes as rows."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.domain.cochange import CoChange
from tx_graph.domain.references import NodeKind
from tx_graph.storage.database import Database
from tx_graph.storage.nodes import NodeStore


class CoChangeStore:
    """Keeps which files change together."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._nodes = NodeStore(database)

    def replace_all(self, pairs: Sequence[CoChange]) -> None:
        """Make `pairs` the only ones. Needs a transaction."""
        paths = {path for pair in pairs for path in (pair.file_a, pair.file_b)}
        nodes = self._nodes.ensure(NodeKind.FILE, paths)
        self._database.write("DELETE FROM file_cochanges")
        rows = [(nodes[p.file_a], nodes[p.file_b], p.score, p.shared, p.commits_a, p.commits_b) for p in pairs]
        # In the order of the primary key each row goes to the end of the table, which halves the time.
        self._database.write_many("INSERT INTO file_cochanges VALUES (?, ?, ?, ?, ?, ?)", sorted(rows))

    def count(self) -> int:
        """Return how many pairs there are."""
        return int(self._database.value("SELECT count(*) FROM file_cochanges"))
