"""Chooses among candidates: the best that nobody knows yet, each with its anchors as they can be taken now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from tx_graph.analysis.identifiers import content_words
from tx_graph.analysis.proposals.sameness import may_be_same
from tx_graph.domain.anchor import Anchor, AnchorRequest, distinct_anchors
from tx_graph.domain.learning import SourceType, Status
from tx_graph.domain.proposal import Proposal
from tx_graph.errors import NotFound, UsageError
from tx_graph.retrieval.overlap import overlap
from tx_graph.services.anchoring.taking import Anchoring
from tx_graph.services.learnings import Draft, Learnings
from tx_graph.services.proposing.lookalikes import Lookalikes
from tx_graph.services.proposing.values import Candidate, Proposed, Recognised
from tx_graph.services.similar import SAME_WORDS


@dataclass(kw_only=True)
class Queue:
    """Candidates by rank; those that are known are left out, and kept apart."""

    known: list[Candidate]
    waiting: list[tuple[tuple[float, int, str], int, Candidate]] = field(default_factory=list)

    @classmethod
    def of(cls, candidates: Sequence[Candidate], *, known: Collection[str]) -> Queue:
        """Return a queue of the candidates that no learning comes from."""
        sources = frozenset(known)
        new = [one for one in candidates if sources.isdisjoint(one.sources)]
        queue = cls(known=[one for one in candidates if not sources.isdisjoint(one.sources)])
        queue.waiting = [(one.rank, number, one) for number, one in enumerate(new)]
        heapify(queue.waiting)
        return queue

    def next(self) -> Candidate:
        """Take the best one out."""
        return heappop(self.waiting)[2]

    def put_back(self, candidate: Candidate) -> None:
        """Let a candidate wait for its turn by its new rank."""
        heappush(self.waiting, (candidate.rank, -len(self.waiting), candidate))


@dataclass(kw_only=True)
class Choice:
    """What was chosen, and what turned out to say what a learning says already."""

    proposed: list[Proposed] = field(default_factory=list)
    recognised: list[Recognised] = field(default_factory=list)


class Choosing:
    """Takes the best candidates out of a queue."""

    def __init__(self, *, learnings: Learnings, anchoring: Anchoring, lookalikes: Lookalikes) -> None:
        self._learnings = learnings
        self._anchoring = anchoring
        self._lookalikes = lookalikes

    def run(self, queue: Queue, *, limit: int) -> Choice:
        """Return at most `limit` proposals; what is known by its words, or has no place, is passed over."""
        choice = Choice()
        while queue.waiting and len(choice.proposed) < limit:
            finished = queue.next().finished()
            if isinstance(finished, Proposal):
                self._consider(finished, choice)
            elif finished is not None:
                queue.put_back(finished)
        return choice

    def _consider(self, proposal: Proposal, choice: Choice) -> None:
        anchors = self._taken(proposal)
        if not anchors and not proposal.stands_alone:
            return
        if proposal.source_type is SourceType.TRANSCRIPT and (known := self._recognised(proposal)):
            choice.recognised.append(known)
        elif not _is_told(proposal, choice.proposed) and self._is_new(proposal):
            choice.proposed.append(Proposed(proposal=proposal, anchors=anchors))

    def _recognised(self, proposal: Proposal) -> Recognised | None:
        found = self._lookalikes.of(proposal.content)
        if found is None:
            return None
        return Recognised(proposal=proposal, stored=found.stored, weight=found.weight, basis=found.basis)

    def _is_new(self, proposal: Proposal) -> bool:
        """Whether nobody wrote these words down yet; words that no record can hold are no news either."""
        try:
            return self._learnings.same_content(self._learnings.prepared(draft_of(proposal)).content) is None
        except UsageError:
            return False

    def _taken(self, proposal: Proposal) -> tuple[Anchor, ...]:
        return distinct_anchors(anchor for request in proposal.anchors if (anchor := self._take(request)))

    def _take(self, request: AnchorRequest) -> Anchor | None:
        """Return the anchor; that of the file where its symbol or lines are gone, None where that is gone too."""
        for one in (request, AnchorRequest(path=request.path)):
            try:
                return self._anchoring.take(one)
            except (NotFound, UsageError):
                continue
        return None


def draft_of(proposal: Proposal) -> Draft:
    """Return the learning to stage, without its anchors."""
    return Draft(
        content=proposal.content,
        category=proposal.category,
        status=Status.STAGED,
        confidence=proposal.confidence,
        source_type=proposal.source_type,
        source_ref=proposal.source_ref,
    )


def _is_told(proposal: Proposal, chosen: Sequence[Proposed]) -> bool:
    """Whether a surer proposal says so already; what is not from transcripts must do so word for word."""
    texts = [one.proposal.content for one in chosen]
    if proposal.content in texts or proposal.source_type is not SourceType.TRANSCRIPT:
        return proposal.content in texts
    words = content_words(proposal.content)
    return any(
        overlap(words, content_words(text)) >= SAME_WORDS and may_be_same(proposal.content, text) for text in texts
    )
