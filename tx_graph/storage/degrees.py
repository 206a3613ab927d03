"""How many edges derived from code touch each file: a walk must know its hubs before it asks for their edges."""

from __future__ import annotations

import json
from collections.abc import Collection

from tx_graph.domain.edges import NodeId
from tx_graph.storage.database import Database
from tx_graph.storage.edge_statements import COUNT, COUNT_ALL

HUB = 200
"""A file with more neighbours than this is a hub: a walk follows only so many of its edges of one kind, one way. It is
twice what an answer shows at most by default, so what is left out is hardly missed. An index of the schema has it."""
_FEW = 5_000
"""Files up to which it is faster to count their edges alone than those of all (0.2 s for a million edges)."""


class DegreeStore:
    """Keeps the degree of every file: its imports and co-changes, both ways."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def partners(self, files: Collection[NodeId]) -> set[NodeId]:
        """Return the files that these import or that import them: what a change of their imports concerns as well."""
        if len(files) > _FEW:
            return set()
        rows = self._database.rows(
            f"""
            SELECT target_file FROM file_imports WHERE source_file {_AMONG}
            UNION
            SELECT source_file FROM file_imports WHERE target_file {_AMONG}
            """,
            _among(files),
        )
        return {file for (file,) in rows}

    def recount(self, files: Collection[NodeId] | None = None) -> None:
        """Count the edges of these files again, or of all. Needs a transaction."""
        if files is None or len(files) > _FEW:
            self._database.write("DELETE FROM file_degrees")
            self._database.write(COUNT_ALL)
            return
        if not files:
            return
        self._database.write(COUNT, _among(files))
        self._database.write(f"DELETE FROM file_degrees WHERE degree = 0 AND file {_AMONG}", _among(files))

    def of(self, nodes: Collection[NodeId]) -> dict[NodeId, float]:
        """Return the degree of each of the nodes that has one."""
        # In the order of a join each node is one look-up; IN would sort the nodes first.
        joined = "SELECT file, degree FROM json_each(:files) CROSS JOIN file_degrees ON file = value"
        return dict(self._database.rows(joined, _among(nodes)))

    def hubs(self) -> set[NodeId]:
        """Return the files with more than `HUB` edges."""
        return {file for (file,) in self._database.rows(f"SELECT file FROM file_degrees WHERE degree > {HUB}")}


_AMONG = "IN (SELECT value FROM json_each(:files))"


def _among(files: Collection[NodeId]) -> dict[str, str]:
    return {"files": json.dumps(list(files))}
