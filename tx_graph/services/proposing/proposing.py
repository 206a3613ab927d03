"""Proposes learnings from history, comments and decision records: the best ones that were not proposed before."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from heapq import heapify, heappop, heappush

from tx_graph.codebase.history import oldest_time
from tx_graph.codebase.messages import read_messages
from tx_graph.codebase.repository import GitRepository, WorkingFile
from tx_graph.domain.anchor import Anchor, AnchorRequest, distinct_anchors
from tx_graph.domain.learning import Learning, Status, checked_limit
from tx_graph.domain.proposal import Proposal
from tx_graph.errors import NotFound, UsageError
from tx_graph.ports import Clock, Progress, no_progress
from tx_graph.services.anchoring.sources import Sources
from tx_graph.services.anchoring.taking import Anchoring
from tx_graph.services.learnings import Draft, Learnings
from tx_graph.services.proposing.from_commits import commit_candidates
from tx_graph.services.proposing.from_files import comment_candidates, decision_candidates
from tx_graph.services.proposing.places import Places
from tx_graph.services.proposing.values import Candidate, Origin, ProposalRequest, Proposals, Proposed
from tx_graph.services.record_sync import RecordSync
from tx_graph.services.stamps import iso
from tx_graph.storage.learnings import LearningStore

_NO_TEXT = re.compile("[\ud800-\udfff]")
"""What stands for bytes that are no UTF-8."""
_NO_GIT = "There is no git repository here, so commits propose nothing."
_SHALLOW = "The history is cut off here (a shallow clone), so older commits propose nothing."


class Proposing:
    """Reads what a repository says of itself, and stages what explains."""

    def __init__(
        self,
        *,
        learnings: Learnings,
        store: LearningStore,
        sync: RecordSync,
        anchoring: Anchoring,
        sources: Sources,
        repository: GitRepository | None,
        list_files: Callable[[], Sequence[WorkingFile]],
        clock: Clock,
    ) -> None:
        self._learnings = learnings
        self._store = store
        self._sync = sync
        self._anchoring = anchoring
        self._sources = sources
        self._repository = repository
        self._list_files = list_files
        self._clock = clock

    def run(self, request: ProposalRequest, *, progress: Progress = no_progress) -> Proposals:
        """Propose what has not been proposed before, the surest first, and stage it unless `only_look` is asked for.

        What came of an earlier proposal (confirmed, edited, rejected) does not matter: its record names its source.

        Raises:
            UsageError: The limit is not from 1 to 10,000, or `since` cannot be understood.
            RepositoryError: Git fails.
            StorageError: The records or the database cannot be written; nothing was staged.
        """
        checked_limit(request.limit)
        candidates = list(self._candidates(request, progress))
        with nullcontext() if request.only_look else self._sync.exclusively():
            queue = _Queue.of(candidates, known=self._store.sources())
            found = [Proposed(proposal=one, anchors=taken) for one, taken in self._best(queue, request.limit)]
            staged = found if request.only_look else self._staged(found)
        return Proposals(
            proposed=tuple(staged),
            more=len(queue.waiting),
            known=queue.known,
            staged=self._store.numbers_by_status().get(Status.STAGED.value, 0),
            notices=self._notices(request),
        )

    def _candidates(self, request: ProposalRequest, progress: Progress) -> Iterator[Candidate]:
        files = self._list_files()
        if Origin.COMMITS in request.origins and self._repository:
            oldest = oldest_time(request.since, now=self._clock.now()) if request.since is not None else None
            messages = list(read_messages(self._repository, self._repository.tip(), oldest=oldest))
            places = Places(self._repository, files=[file.path for file in files], text_of=self._text)
            yield from commit_candidates(messages, places, progress=progress)
        if Origin.ADR in request.origins:
            yield from decision_candidates(files, self._text)
        if Origin.COMMENTS in request.origins:
            paths = [file.path for file in files]
            generated = self._repository.generated_files(paths) if self._repository else ()
            yield from comment_candidates(files, self._text, generated=generated, progress=progress)

    def _text(self, path: str) -> str | None:
        source = self._sources.peek(path)
        return _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", source.text) if source else None

    def _best(self, queue: _Queue, limit: int) -> Iterator[tuple[Proposal, tuple[Anchor, ...]]]:
        """Yield the best proposals with their anchors; what is known by its words, or has no place, is passed over."""
        texts: set[str] = set()
        while queue.waiting and len(texts) < limit:
            finished = queue.next().finished()
            if isinstance(finished, Proposal):
                anchors = self._taken(finished)
                if anchors and finished.content not in texts and self._is_new(finished):
                    texts.add(finished.content)
                    yield finished, anchors
            elif finished is not None:
                queue.put_back(finished)

    def _is_new(self, proposal: Proposal) -> bool:
        """Whether nobody wrote these words down yet; words that no record can hold are no news either."""
        try:
            return self._learnings.same_content(self._learnings.prepared(_draft(proposal)).content) is None
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

    def _staged(self, found: Sequence[Proposed]) -> list[Proposed]:
        learnings = [self._learning(one) for one in found]
        self._sync.write_many(learnings, {}, progress=lambda _: None)
        stored = [self._store.by_uid_prefix(learning.uid)[0] for learning in learnings]
        return [replace(one, stored=learning) for one, learning in zip(found, stored, strict=True)]

    def _learning(self, one: Proposed) -> Learning:
        """Return the learning to stage: as old as what it comes from, where that is known."""
        prepared = self._learnings.prepared(_draft(one.proposal))
        written = one.proposal.time
        created = iso(datetime.fromtimestamp(written, UTC)) if written is not None else prepared.created_at
        return replace(prepared, anchors=one.anchors, created_at=created)

    def _notices(self, request: ProposalRequest) -> tuple[str, ...]:
        if Origin.COMMITS not in request.origins:
            return ()
        if self._repository is None:
            return (_NO_GIT,)
        return (_SHALLOW,) if self._repository.is_shallow() else ()


@dataclass(kw_only=True)
class _Queue:
    """Candidates by rank; those that are known are counted and left out."""

    known: int
    waiting: list[tuple[tuple[float, int, str], int, Candidate]] = field(default_factory=list)

    @classmethod
    def of(cls, candidates: Sequence[Candidate], *, known: Collection[str]) -> _Queue:
        """Return a queue of the candidates that no learning comes from."""
        known = frozenset(known)
        new = [one for one in candidates if known.isdisjoint(one.sources)]
        queue = cls(known=len(candidates) - len(new))
        queue.waiting = [(one.rank, number, one) for number, one in enumerate(new)]
        heapify(queue.waiting)
        return queue

    def next(self) -> Candidate:
        """Take the best one out."""
        return heappop(self.waiting)[2]

    def put_back(self, candidate: Candidate) -> None:
        """Let a candidate wait for its turn by its new rank."""
        heappush(self.waiting, (candidate.rank, -len(self.waiting), candidate))


def _draft(proposal: Proposal) -> Draft:
    return Draft(
        content=proposal.content,
        category=proposal.category,
        status=Status.STAGED,
        confidence=proposal.confidence,
        source_type=proposal.source_type,
        source_ref=proposal.source_ref,
    )
