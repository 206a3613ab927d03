"""Brings all that files and history say in words up to date."""

from __future__ import annotations

from tx_graph.codebase.repository import GitRepository
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.ports import Progress, no_progress
from tx_graph.services.evidence.commits import CommitIndex, CommitReport
from tx_graph.services.evidence.words import WordIndex
from tx_graph.storage.stores import Stores


class EvidenceIndex:
    """Keeps the words of files and the messages of commits; None instead of a repository means no git here."""

    def __init__(self, *, stores: Stores, tree: WorkingTree, repository: GitRepository | None) -> None:
        self._words = WordIndex(stores=stores, tree=tree)
        self._commits = CommitIndex(stores=stores, repository=repository)

    def refresh(self) -> tuple[int, CommitReport]:
        """Return how many files were read for their words, and which commits for their messages: those that are new.

        Raises:
            RepositoryError: Git fails.
            StorageError: The database cannot be written.
        """
        return self.read_words(), self.read_messages()

    def read_words(self, *, progress: Progress = no_progress) -> int:
        """Return how many indexed files were read for their words: those that changed since the last time.

        Raises:
            StorageError: The database cannot be written.
        """
        return self._words.refresh(progress=progress)

    def read_messages(self, *, progress: Progress = no_progress) -> CommitReport:
        """Return how many commits were read for their messages: those that HEAD did not build on the last time.

        Raises:
            RepositoryError: Git fails.
            StorageError: The database cannot be written.
        """
        return self._commits.refresh(progress=progress)
