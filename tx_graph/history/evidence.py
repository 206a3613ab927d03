"""Keeps the messages of HEAD's commits, reading from git only what came and forgetting what left."""

from __future__ import annotations

from contextlib import suppress

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import RepositoryError
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.revisions import shape_of
from tx_graph.history.commit_store import CommitStore, HistoryState
from tx_graph.history.commits import CommitMessage, Renames, commits_apart, read_messages

_REPORT_EVERY = 200
_NO_CONTENTS = "Contents of old files are not here, so only moves of unchanged files are followed."


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitReport:
    """How many commits came and left, and how many are kept now; `caveat` says what was not read of them."""

    read: int = 0
    left: int = 0
    kept: int = 0
    caveat: str = ""


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
    now = HistoryState(tip.head, shape_of(repository, tip))
    if before == now:
        store.follow_moves()
        return CommitReport(kept=store.count())
    left: list[str] | None = None
    if before and before[1:] == now[1:]:
        with suppress(RepositoryError):  # where they were pruned after a rewrite, all is read again
            left = commits_apart(repository, of=before.head, without=now.head)

    def read(renames: Renames) -> list[CommitMessage]:
        found: list[CommitMessage] = []
        after = before.head if before and left is not None else None
        for one in read_messages(repository, tip, after=after, renames=renames):
            found.append(one)
            if len(found) % _REPORT_EVERY == 0:
                progress(len(found), None)
        return found

    caveat = ""
    try:
        found = read(Renames.ALIKE)
    except RepositoryError:  # as in a partial clone
        found, caveat = read(Renames.UNCHANGED), _NO_CONTENTS
    commits = found[::-1]
    with kernel.database.transaction():
        if left is None:
            store.clear()
        else:
            store.remove(left)
        store.add(commits)
        store.remember(now)
    store.follow_moves()
    return CommitReport(read=len(commits), left=len(left or ()), kept=store.count(), caveat=caveat)
