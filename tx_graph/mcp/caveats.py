"""What may make a reply wrong, in the sentences of the command line: skipped records, an index that is behind."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from tx_graph.domain.inert import label, quoted_line
from tx_graph.services.freshness import INGEST, index_notices
from tx_graph.services.health import Age
from tx_graph.workspace import Workspace

_SHARE = 20
"""Comparing index and working tree takes 20 ms among 2,000 files, 150 ms among 13,000: a twentieth of the time at most
goes there, and what was found is kept for as long as that takes."""
_AT_LEAST = 3.0
"""Seconds for which a comparison is kept: an agent that asks again so soon knows what it did meanwhile."""
_WORTH_SAYING = 2.0
"""Seconds; that a comparison is younger than that surprises nobody."""
_MOST_RECORDS = 2
"""Skipped records that are named; `tx doctor` names the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What a comparison found, when (monotonic seconds), how long it took, and by which run the index was made."""

    age: Age
    at: float
    seconds: float
    indexed_at: str | None

    def is_good(self, now: float, indexed_at: str | None) -> bool:
        """Whether it may still be told."""
        return now - self.at < max(_AT_LEAST, _SHARE * self.seconds) and self.indexed_at == indexed_at


class Caveats:
    """Finds the sentences. It is used by one thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._looks: tuple[Workspace, _Look] | None = None

    def of_records(self, workspace: Workspace) -> list[str]:
        """Return what is known to be missing in every reply: records that were skipped, or not taken in."""
        problems = workspace.record_problems()
        told = [f"A record is wrong: {quoted_line(problem)}." for problem in problems[:_MOST_RECORDS]]
        if len(problems) > _MOST_RECORDS:
            told.append(f"{len(problems) - _MOST_RECORDS:,} more records are skipped; see 'tx doctor'.")
        if pending := workspace.synced.pending:
            told.append(f"Changed records not taken in: {pending:,}; the database is read-only.")
        return told

    def of_graph(self, workspace: Workspace, *, path: str | None = None) -> list[str]:
        """Return how far the graph lags behind the working tree; of the file at `path` first, if one is given."""
        look = self._look(workspace)
        freshness = look.age.freshness
        told = [*(index_notices(freshness, path=path) if freshness else ()), *look.age.notices]
        if (seconds := self._clock() - look.at) >= _WORTH_SAYING:
            told = [f"{one.removesuffix('.')} (as of {seconds:.0f} s ago)." for one in told]
        if path is not None and workspace.documents_health.has_changed(path):
            told.append(f"{path} has changed since it was read; run '{INGEST}'.")
        if path:
            told = [f"{label(path)}{one.removeprefix(path)}" if one.startswith(path) else one for one in told]
        return list(dict.fromkeys(told))

    def forget(self) -> None:
        """Let what was found count as old: the graph was brought up to date."""
        self._looks = None

    def _look(self, workspace: Workspace) -> _Look:
        run = workspace.graph.last_index()
        indexed_at = run.finished_at if run else None
        start = self._clock()
        if self._looks and self._looks[0] is workspace and self._looks[1].is_good(start, indexed_at):
            return self._looks[1]
        age = workspace.health.age()
        end = self._clock()
        look = _Look(age=age, at=end, seconds=end - start, indexed_at=indexed_at)
        self._looks = workspace, look
        return look
