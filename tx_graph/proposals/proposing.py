"""Learnings that the repository's own words and agents' sessions propose, and what people say to them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from heapq import heapify, heappop, heappush

from tx_graph.anchors.sources import sources
from tx_graph.anchors.taking import Anchoring
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.identifiers import content_words
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.working_tree import iso
from tx_graph.graph.diversify import overlap
from tx_graph.history.commits import oldest_time, read_messages
from tx_graph.learnings.learnings import Draft, Drafting
from tx_graph.learnings.similar import SAME_WORDS
from tx_graph.proposals.gate import Lookalikes
from tx_graph.proposals.prose import may_be_same
from tx_graph.proposals.refining import Refined, Refining
from tx_graph.proposals.sources import Places, Transcripts, comment_candidates, commit_candidates, decision_candidates
from tx_graph.proposals.values import Candidate, Origin, Proposal, ProposalRequest, Proposals, Proposed, Recognised
from tx_graph.records.anchor import Anchor, AnchorRequest, distinct_anchors
from tx_graph.records.learning import Learning, SourceType, Status
from tx_graph.records.learning_record import learning_sync
from tx_graph.records.learning_store import LearningStore


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

    def __init__(self, kernel: Kernel) -> None:
        self._drafting = kernel.one(Drafting)
        self._anchoring = kernel.one(Anchoring)
        self._lookalikes = Lookalikes(kernel)

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
            return self._drafting.same_content(self._drafting.prepared(_draft_of(proposal)).content) is None
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


def _draft_of(proposal: Proposal) -> Draft:
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


_NO_TEXT = re.compile("[\ud800-\udfff]")
"""What stands for bytes that are no UTF-8."""
_NO_GIT = "There is no git repository here, so commits propose nothing."
_NO_SESSIONS = "No transcript was read yet, so none proposes anything: tx transcript:ingest FILE."
_SHALLOW = "The history is cut off here (a shallow clone), so older commits propose nothing."


class Proposing:
    """What may be worth knowing: `workspace.learnings.propose`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = LearningStore(kernel.database)
        self._sync = kernel.one(learning_sync)
        self._transcripts = kernel.one(Transcripts)

    def propose(self, request: ProposalRequest | None = None, *, progress: Progress = no_progress) -> Proposals:
        """Return what the repository's own words, and transcripts if asked, propose; it is staged, the surest first.

        What came of an earlier proposal (confirmed, edited, rejected) does not matter: its record names its source.

        Raises:
            UsageError: The limit is not from 1 to 10,000, or `since` cannot be understood.
            RepositoryError: Git fails.
            ModelUnusable: A model is to look through it, and none can be asked.
            StorageError: The records or the database cannot be written; nothing was staged.
        """
        request = request or ProposalRequest()
        checked_limit(request.limit)
        candidates = list(self._candidates(request, progress))
        refined = self._refined(candidates, request) if request.refine else None
        with nullcontext() if request.only_look else self._sync.exclusively():
            queue, choice = self._chosen(candidates, request)
            kept = refined.applied(choice.proposed) if refined else choice.proposed
            staged = kept if request.only_look else self._staged(kept)
            if not request.only_look:
                self._transcripts.derive_known(queue.known, choice.recognised)
        return Proposals(
            proposed=tuple(staged),
            more=len(queue.waiting),
            known=len(queue.known),
            staged=self._store.numbers_by_status().get(Status.STAGED.value, 0),
            notices=(*self._notices(request), *(refined.failures if refined else ())),
            recognised=tuple(choice.recognised),
            dropped=len(choice.proposed) - len(kept),
            model=refined.model if refined else None,
        )

    def _chosen(self, candidates: Sequence[Candidate], request: ProposalRequest) -> tuple[Queue, Choice]:
        queue = Queue.of(candidates, known=self._store.sources() | self._transcripts.known())
        return queue, Choosing(self._kernel).run(queue, limit=request.limit)

    def _refined(self, candidates: Sequence[Candidate], request: ProposalRequest) -> Refined:
        """Return what a model says of what would be proposed; no transaction waits for it."""
        _, choice = self._chosen(candidates, request)
        proposals = [one.proposal for one in choice.proposed if one.proposal.source_type is SourceType.TRANSCRIPT]
        return Refining(self._kernel).run(proposals, model=request.model)

    def _candidates(self, request: ProposalRequest, progress: Progress) -> Iterator[Candidate]:
        files, repository = self._kernel.checkout.list_files(), self._kernel.checkout.askable
        if Origin.COMMITS in request.origins and repository:
            oldest = oldest_time(request.since, now=self._kernel.clock.now()) if request.since is not None else None
            messages = list(read_messages(repository, repository.tip(), oldest=oldest))
            places = Places(repository, files=[file.path for file in files], text_of=self._text)
            yield from commit_candidates(messages, places, progress=progress)
        if Origin.ADR in request.origins:
            yield from decision_candidates(files, self._text)
        if Origin.TRANSCRIPTS in request.origins:
            yield from self._transcripts.candidates(frozenset(file.path for file in files), progress=progress)
        if Origin.COMMENTS in request.origins:
            paths = [file.path for file in files]
            generated = repository.generated_files(paths) if repository else ()
            yield from comment_candidates(files, self._text, generated=generated, progress=progress)

    def _text(self, path: str) -> str | None:
        source = self._kernel.one(sources).peek(path)
        return _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", source.text) if source else None

    def _staged(self, found: Sequence[Proposed]) -> list[Proposed]:
        learnings = [self._learning(one) for one in found]
        self._sync.write_many(learnings, {}, progress=lambda _: None)
        stored = [self._store.by_uid_prefix(learning.uid)[0] for learning in learnings]
        for one, learning in zip(found, stored, strict=True):
            self._transcripts.derive(learning.node, one.proposal.derived_from)
        return [replace(one, stored=learning) for one, learning in zip(found, stored, strict=True)]

    def _learning(self, one: Proposed) -> Learning:
        """Return the learning to stage: as old as what it comes from, where that is known."""
        prepared = self._kernel.one(Drafting).prepared(_draft_of(one.proposal))
        written = one.proposal.time
        created = iso(datetime.fromtimestamp(written, UTC)) if written is not None else prepared.created_at
        return replace(prepared, anchors=one.anchors, created_at=created)

    def _notices(self, request: ProposalRequest) -> tuple[str, ...]:
        if Origin.TRANSCRIPTS in request.origins and not self._transcripts.are_there:
            return (_NO_SESSIONS,)
        if Origin.COMMITS not in request.origins:
            return ()
        repository = self._kernel.checkout.askable
        if repository is None:
            return (_NO_GIT,)
        return (_SHALLOW,) if repository.is_shallow() else ()
