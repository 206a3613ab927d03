"""Says in words how far the commit messages that were read lag behind HEAD."""

from __future__ import annotations

from tx_graph.codebase.messages import commits_apart
from tx_graph.codebase.repository import GitRepository
from tx_graph.errors import RepositoryError
from tx_graph.services.freshness import INDEX
from tx_graph.storage.commits import CommitStore

_MANY = 20
"""Unread commits that are worth a word: who works commits all day."""


def message_notices(store: CommitStore, repository: GitRepository | None) -> list[str]:
    """Return a sentence for each reason to read commit messages again; none without git or before the first commit.

    Raises:
        RepositoryError: Git is missing, or finds the repository damaged.
    """
    head = repository.head() if repository else None
    if repository is None or head is None:
        return []
    state = store.state()
    if state is None:
        return [f"Commit messages were never read, so files are ranked by words alone; run '{INDEX}'."]
    lag = 0 if state.head == head else _lag(repository, state.head, head)
    if lag is None:
        return [f"Commit messages are of a history that is no more; run '{INDEX}'."]
    return [f"{lag:,} commits came since commit messages were read; run '{INDEX}'."] if lag >= _MANY else []


def _lag(repository: GitRepository, read: str, head: str) -> int | None:
    """Return how many commits came since; None when git does not know the one up to which they were read."""
    try:
        return len(commits_apart(repository, of=head, without=read))
    except RepositoryError:
        return None
