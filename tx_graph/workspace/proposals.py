"""Use cases about learnings that nobody has confirmed yet."""

from __future__ import annotations

from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.workspace.extraction import ExtractionUseCases, open_model
from tx_graph.workspace.knowledge import KnowledgeUseCases

if TYPE_CHECKING:
    from tx_graph.services.proposing.choosing import Choosing
    from tx_graph.services.proposing.gate import Gate
    from tx_graph.services.proposing.lookalikes import Lookalikes
    from tx_graph.services.proposing.proposing import Proposing
    from tx_graph.services.proposing.refining import Refining
    from tx_graph.services.proposing.reviewing import Reviewing
    from tx_graph.services.proposing.transcripts import Transcripts


class ProposalUseCases(KnowledgeUseCases, ExtractionUseCases):
    """What may be worth knowing, and what people say to it."""

    @cached_property
    def proposing(self) -> Proposing:
        """Learnings that the repository's own words, and what agents were told, propose."""
        from tx_graph.services.proposing.proposing import Proposing

        return Proposing(
            learnings=self.learnings,
            store=self._stores.learnings,
            sync=self._sync,
            choosing=self._choosing_proposals,
            transcripts=self._transcripts,
            refining=self._refining,
            sources=self._sources,
            repository=self._checkout.askable,
            list_files=self._checkout.list_files,
            clock=self._clock,
        )

    @cached_property
    def reviewing(self) -> Reviewing:
        """What people say to staged learnings."""
        from tx_graph.services.proposing.reviewing import Reviewing

        return Reviewing(
            store=self._stores.learnings,
            sync=self._sync,
            references=self.references,
            gate=self._gate,
            clock=self._clock,
        )

    def _gate(self) -> Gate:
        from tx_graph.services.proposing.gate import Gate

        similarities = self._stores.similarities
        return Gate(standings=self._standings, lookalikes=self._lookalikes(), similarities=similarities)

    def _choosing_proposals(self) -> Choosing:
        from tx_graph.services.proposing.choosing import Choosing

        return Choosing(learnings=self.learnings, anchoring=self._anchoring, lookalikes=self._lookalikes())

    def _lookalikes(self) -> Lookalikes:
        from tx_graph.services.proposing.lookalikes import Lookalikes

        return Lookalikes(learnings=self._stores.learnings, vectors=self._stores.vectors, embedding=self.embedding)

    @property
    def _transcripts(self) -> Transcripts:
        from tx_graph.codebase.transcripts import SessionPaths
        from tx_graph.services.proposing.transcripts import Transcripts
        from tx_graph.storage.telemetry_reading import TelemetryReading

        return Transcripts(
            reading=TelemetryReading(self._database),
            provenance=self._stores.provenance,
            holds=SessionPaths(self.root).holds,
            clock=self._clock,
        )

    def _refining(self) -> Refining:
        from tx_graph.analysis.proposals.sessions.refining import PROMPT_VERSION
        from tx_graph.services.proposing.refining import Refining
        from tx_graph.storage.replies import ReplyStore

        replies = self.kernel.enter(closing(ReplyStore(self._place_of_replies(), prompt_version=PROMPT_VERSION)))
        return Refining(replies=replies, open_model=open_model, clock=self._clock)
