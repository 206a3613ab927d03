"""Which learnings a search may return: filters answered as sets of local numbers."""

from __future__ import annotations

from dataclasses import dataclass

from tx_graph.domain.learning import Status
from tx_graph.storage.database import Database
from tx_graph.storage.visibility import SHOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Criteria of a search; None leaves one out.

    All but active ones are withheld, unless a status is asked for; `stale` takes in superseded and retracted ones.
    """

    category: str | None = None
    status: Status | None = None
    stale: bool = False


class SelectionStore:
    """Answers filters before anything is ranked."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def numbers(self, selection: Selection) -> set[int]:
        """Return the local numbers of the learnings that meet all criteria; removed ones never do."""
        rows = self._database.rows(
            f"""
            SELECT l.id
            FROM learnings l
            WHERE l.present = 1 AND l.removed_at IS NULL
              AND (:category IS NULL OR l.category = :category)
              AND iif(:status IS NULL, {SHOWN} OR :stale AND l.status <> 'staged', l.status = :status)
            """,
            {
                "category": selection.category,
                "status": selection.status.value if selection.status else None,
                "stale": selection.stale,
            },
        )
        return {number for (number,) in rows}

    def anchored_paths(self) -> list[tuple[int, str, bool]]:
        """Return (number, path or pattern, whether it is a glob) of every anchor."""
        rows = self._database.rows(
            """
            SELECT l.id, a.file_path, a.anchor_type = 'glob'
            FROM file_anchors a
            JOIN learnings l ON l.node_id = a.learning
            ORDER BY l.id, a.id
            """
        )
        return [(number, path, bool(is_glob)) for number, path, is_glob in rows]
