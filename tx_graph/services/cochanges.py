"""Counts which files change together in git's history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from tx_graph.analysis.cochange import CoChangeOptions, CoChangeResult, count_cochanges
from tx_graph.codebase.history import read_commits
from tx_graph.codebase.repository import GitRepository, Tip
from tx_graph.domain.cochange import Commit
from tx_graph.errors import RepositoryError
from tx_graph.ports import Clock, Progress, no_progress
from tx_graph.services.stamps import iso
from tx_graph.storage.analyses import AnalysisRun, AnalysisStore
from tx_graph.storage.cochanges import CoChangeStore
from tx_graph.storage.database import Database

STALE_AFTER = timedelta(days=7)
"""Age at which an analysis of history is called stale (PRD-014: recompute weekly)."""
_REPORT_EVERY = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CoChangeReport:
    """What one pass over the history found. `dropped` commits touched too many files; `shallow` history is cut off."""

    pairs: int
    commits: int
    dropped: int
    files: int
    head: str | None
    shallow: bool


class CoChanges:
    """Analyses history; None instead of a repository means that there is no git here."""

    def __init__(
        self,
        *,
        database: Database,
        store: CoChangeStore,
        analyses: AnalysisStore,
        repository: GitRepository | None,
        root: Path,
        clock: Clock,
    ) -> None:
        self._database = database
        self._store = store
        self._analyses = analyses
        self._repository = repository
        self._root = root
        self._clock = clock

    def run(
        self, options: CoChangeOptions, *, since: str | None = None, progress: Progress = no_progress
    ) -> CoChangeReport:
        """Count co-changes over the history of HEAD and replace the ones stored.

        Raises:
            UsageError: `since` cannot be understood.
            RepositoryError: There is no git here, or it fails.
            StorageError: The database cannot be written.
        """
        if self._repository is None:
            raise RepositoryError(
                f"{self._root} is not a git repository, so it has no history to analyse.", hint="Run 'git init' there."
            )
        now = self._clock.now()
        tip = self._repository.tip()
        commits = read_commits(self._root, since=since, now=now, tip=tip)
        result = _counted(_reported(commits, progress), self._repository, tip, options)
        with self._database.transaction():
            self._store.replace_all(result.pairs)
            self._analyses.record(
                AnalysisRun(name="cochanges", finished_at=iso(now), head=tip.head, options=_as_json(options, since))
            )
        return CoChangeReport(
            pairs=len(result.pairs),
            commits=result.commits,
            dropped=result.dropped,
            files=result.files,
            head=tip.head,
            shallow=tip.is_shallow,
        )


def _counted(
    commits: Iterable[Commit], repository: GitRepository, tip: Tip, options: CoChangeOptions
) -> CoChangeResult:
    """Count, having asked the rest about HEAD while git lists the commits."""
    alive = repository.files_of(tip.head) if tip.head else ()
    head_time = repository.time_of(tip.head) if tip.head and options.half_life else None
    return count_cochanges(commits, alive=alive, options=options, head_time=head_time)


def _reported(commits: Iterable[Commit], progress: Progress) -> Iterator[Commit]:
    for done, commit in enumerate(commits, start=1):
        yield commit
        if done % _REPORT_EVERY == 0:
            progress(done, None)


def _as_json(options: CoChangeOptions, since: str | None) -> dict[str, object]:
    half_life = options.half_life
    return {
        "since": since,
        "max_files": options.max_files,
        "min_support": options.min_support,
        "half_life_days": half_life / timedelta(days=1) if half_life else None,
    }


def age_of(run: AnalysisRun, *, now: datetime) -> timedelta:
    """Return how long ago an analysis finished."""
    return now - datetime.fromisoformat(run.finished_at)


def staleness(run: AnalysisRun | None, *, now: datetime, command: str) -> str:
    """Return the sentence that says that an analysis is stale; empty when it never ran or is recent."""
    if run is None or (age := age_of(run, now=now)) <= STALE_AFTER:
        return ""
    return f"Co-changes are {age.days} days old (stale after {STALE_AFTER.days}); run '{command}'."
