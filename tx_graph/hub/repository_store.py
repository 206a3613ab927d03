"""The repositories that a hub shows, as rows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from tx_graph.hub.store import Hub


class RepositoryRow(NamedTuple):
    """A repository with the commit that the hub shows of it; `counts` has the number of rows of each table."""

    name: str
    commit: str
    committed_at: datetime
    published_at: datetime
    tool: str
    counts: Mapping[str, int]


class RepositoryStore:
    """Reads which repositories there are: those that the user may see."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def every(self) -> list[RepositoryRow]:
        """Return the repositories, by name."""
        rows = self._hub.rows(
            """
            SELECT name, commit_sha, committed_at, published_at, tool, counts
            FROM tx.repositories
            WHERE commit_sha <> ''
            ORDER BY name
            """
        )
        return [RepositoryRow(*row) for row in rows]
