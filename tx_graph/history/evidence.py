"""Keeps the messages of HEAD's commits, reading from git only what came and forgetting what left."""

from __future__ import annotations

from dataclasses import dataclass

from tx_graph.core.errors import RepositoryError
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.repository import GitRepository, Tip
from tx_graph.core.revisions import shape_of
from tx_graph.core.stores import Stores
from tx_graph.history.commit_store import CommitIndexState
from tx_graph.history.commits import CommitMessage, commits_apart, read_messages

_REPORT_EVERY = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitReport:
    """How many commits came and left, and how many are kept now."""

    read: int = 0
    left: int = 0
    kept: int = 0


class CommitIndex:
    """Reads what commits say; None instead of a repository means that there is no git here."""

    def __init__(self, *, stores: Stores, repository: GitRepository | None) -> None:
        self._stores = stores
        self._repository = repository

    def refresh(self, *, progress: Progress = no_progress) -> CommitReport:
        """Make the commits that are kept those that HEAD builds on, merges left out."""
        store = self._stores.commits
        before = store.state()
        tip = self._repository.tip() if self._repository else None
        if self._repository is None or tip is None or tip.head is None:
            return self._cleared() if before else CommitReport()
        now = CommitIndexState(tip.head, shape_of(self._repository, tip))
        if before == now:
            return CommitReport(kept=store.count())
        return self._moved(self._repository, before, now, tip, progress)

    def _cleared(self) -> CommitReport:
        with self._stores.database.transaction():
            self._stores.commits.clear()
        return CommitReport()

    def _moved(
        self,
        repository: GitRepository,
        before: CommitIndexState | None,
        now: CommitIndexState,
        tip: Tip,
        progress: Progress,
    ) -> CommitReport:
        store = self._stores.commits
        left = self._left(repository, before, now) if before and before.shape == now.shape else None
        after = before.head if before and left is not None else None
        found: list[CommitMessage] = []
        for one in read_messages(repository, tip, after=after):
            found.append(one)
            if len(found) % _REPORT_EVERY == 0:
                progress(len(found), None)
        commits = found[::-1]
        with self._stores.database.transaction():
            if left is None:
                store.clear()
            else:
                store.remove(left)
            store.add(commits)
            store.remember(now)
        return CommitReport(read=len(commits), left=len(left or ()), kept=store.count())

    def _left(self, repository: GitRepository, before: CommitIndexState, now: CommitIndexState) -> list[str] | None:
        """Return the commits that HEAD builds on no more; None when git does not know the old ones now."""
        try:
            return commits_apart(repository, of=before.head, without=now.head)
        except RepositoryError:
            return None  # they were pruned after a rewrite: all is read again
