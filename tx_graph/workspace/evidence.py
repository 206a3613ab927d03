"""The evidence room: what files and history say in words, kept up to date for ranking files."""

from __future__ import annotations

from tx_graph.code.words import refresh_words
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.stores import Stores
from tx_graph.history.evidence import CommitIndex, CommitReport


class EvidenceIndex:
    """Keeps the words of files and the messages of commits."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._commits = CommitIndex(stores=Stores(kernel.database), repository=kernel.checkout.askable)

    def refresh(self) -> tuple[int, CommitReport]:
        """Return how many files were read for their words, and which commits for their messages: those that are new."""
        return self.read_words(), self.read_messages()

    def read_words(self, *, progress: Progress = no_progress) -> int:
        """Return how many indexed files were read for their words: those that changed since the last time."""
        return refresh_words(self._kernel, progress=progress)

    def read_messages(self, *, progress: Progress = no_progress) -> CommitReport:
        """Return how many commits were read for their messages: those that HEAD did not build on the last time."""
        return self._commits.refresh(progress=progress)
