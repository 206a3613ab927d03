"""Learnings that nobody has confirmed yet: proposed, looked at, promoted or rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.domain.learning import StoredLearning
from tx_graph.ports import Progress, no_progress
from tx_graph.sdk.namespace import Namespace

if TYPE_CHECKING:
    from tx_graph.services.proposing import ProposalRequest, Proposals
    from tx_graph.services.proposing.gate import Checked as CheckedProposal
    from tx_graph.services.proposing.reviewing import Promotion


class Proposing(Namespace):
    """What may be worth knowing, and what people say to it."""

    def propose(self, request: ProposalRequest | None = None, *, progress: Progress = no_progress) -> Proposals:
        """Return what the repository's own words, and transcripts if asked, propose; it is staged, the surest first.

        Raises:
            UsageError: The limit is not from 1 to 10,000, or `since` cannot be understood.
            RepositoryError: Git fails.
            ModelUnusable: A model is to look through it, and none can be asked.
            StorageError: The records or the database cannot be written; nothing was staged.
        """
        from tx_graph.services.proposing import ProposalRequest

        with self._lasting.use() as workspace:
            return workspace.proposing.run(request or ProposalRequest(), progress=progress)

    def staged(self) -> tuple[StoredLearning, ...]:
        """Return the learnings that wait for somebody to look at them, the surest first."""
        with self._lasting.use() as workspace:
            return tuple(workspace.reviewing.staged())

    def check(self, *learnings: Ref, min_confidence: float | None = None) -> tuple[CheckedProposal, ...]:
        """Return what staged learnings have and lack to be promoted; nothing is changed.

        Raises:
            NotFound: One of them names nothing.
            UsageError: One of them is not staged, or the least confidence is not from 0 to 1.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.reviewing.check([ref_of(one) for one in learnings], least=min_confidence))

    def promote(self, *learnings: Ref, min_confidence: float | None = None, force: bool = False) -> Promotion:
        """Return what became of staged learnings: those with the evidence answer from now on, with `force` all.

        Raises:
            NotFound: One of them names nothing; nothing was changed.
            UsageError: One of them is not staged, or the least confidence is not from 0 to 1; nothing was changed.
        """
        with self._lasting.use() as workspace:
            return workspace.reviewing.promote([ref_of(one) for one in learnings], least=min_confidence, force=force)

    def reject(self, *learnings: Ref, reason: str = "") -> tuple[StoredLearning, ...]:
        """Return staged learnings after turning them down: they are removed, and not proposed again. All or none.

        Raises:
            NotFound: One of them names nothing; nothing was changed.
            UsageError: One of them is not staged, or the reason is too long; nothing was changed.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.reviewing.reject([ref_of(one) for one in learnings], reason=reason))
