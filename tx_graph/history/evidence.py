"""Keeps the messages of HEAD's commits, reading from git only what came and forgetting what left."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from tx_graph.core.errors import RepositoryError
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.revisions import shape_of
from tx_graph.history.commit_store import CommitIndexState, CommitStore
from tx_graph.history.commits import CommitMessage, commits_apart, read_messages

_REPORT_EVERY = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitReport:
    """How many commits came and left, and how many are kept now."""

    read: int = 0
    left: int = 0
    kept: int = 0


def refresh_messages(kernel: Kernel, *, progress: Progress = no_progress) -> CommitReport:
    """Make the commits that are kept those that HEAD builds on, merges left out; return which ones are new."""
    store, repository = CommitStore(kernel.database), kernel.checkout.askable
    before = store.state()
    tip = repository.tip() if repository else None
    if repository is None or tip is None or tip.head is None:
        if before:
            with kernel.database.transaction():
                store.clear()
        return CommitReport()
    now = CommitIndexState(tip.head, shape_of(repository, tip))
    if before == now:
        return CommitReport(kept=store.count())
    left: list[str] | None = None
    if before and before.shape == now.shape:
        with suppress(RepositoryError):  # where they were pruned after a rewrite, all is read again
            left = commits_apart(repository, of=before.head, without=now.head)
    found: list[CommitMessage] = []
    for one in read_messages(repository, tip, after=before.head if before and left is not None else None):
        found.append(one)
        if len(found) % _REPORT_EVERY == 0:
            progress(len(found), None)
    commits = found[::-1]
    with kernel.database.transaction():
        if left is None:
            store.clear()
        else:
            store.remove(left)
        store.add(commits)
        store.remember(now)
    return CommitReport(read=len(commits), left=len(left or ()), kept=store.count())
