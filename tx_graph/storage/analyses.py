"""When each analysis last ran, and on what."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tx_graph.storage.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisRun:
    """One finished analysis: `index`, `imports` or `cochanges`. `head` is the commit it saw, None outside git."""

    name: str
    finished_at: str
    head: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


class AnalysisStore:
    """Remembers the last run of each analysis."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, run: AnalysisRun) -> None:
        """Remember `run` as the last of its name. Needs a transaction."""
        self._database.write(
            "INSERT OR REPLACE INTO analyses (name, finished_at, head, options) VALUES (?, ?, ?, ?)",
            (run.name, run.finished_at, run.head, json.dumps(dict(run.options), sort_keys=True)),
        )

    def last(self, name: str) -> AnalysisRun | None:
        """Return the last run of an analysis, None if it never ran."""
        row = self._database.row("SELECT finished_at, head, options FROM analyses WHERE name = ?", (name,))
        if row is None:
            return None
        return AnalysisRun(name=name, finished_at=row[0], head=row[1], options=json.loads(row[2]))
