"""The repositories that a hub shows, as rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from tx_graph.core.times import ago
from tx_graph.hub.store import Hub


class RepositoryRow(NamedTuple):
    """A repository with the commit that the hub shows of it; `counts` has the number of rows of each table."""

    name: str
    commit: str
    committed_at: datetime
    published_at: datetime
    tool: str
    counts: Mapping[str, int]


class Publication(NamedTuple):
    """A repository as it was last published."""

    id: int
    name: str
    commit: str
    committed_at: datetime | None

    def age(self, now: datetime) -> str:
        """Return how long ago its commit was made."""
        return ago(now - self.committed_at.astimezone(UTC)) if self.committed_at else "of unknown age"


class RepositoryStore:
    """Reads which repositories there are: those that the user may see."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def publications(self, ids: Collection[int] = (), *, name: str | None = None) -> dict[int, Publication]:
        """Return repositories by their numbers, and the one of a name."""
        rows = self._hub.rows(
            """
            SELECT id, name, commit_sha, committed_at
            FROM tx.repositories
            WHERE id = ANY(%(ids)s::bigint[]) OR name = %(name)s
            """,
            {"ids": list(ids), "name": name},
        )
        return {row[0]: Publication(*row) for row in rows}

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
