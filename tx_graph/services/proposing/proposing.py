"""Proposes learnings from history, comments, decisions and transcripts: the best that were not proposed before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime

from tx_graph.codebase.history import oldest_time
from tx_graph.codebase.messages import read_messages
from tx_graph.codebase.repository import GitRepository, WorkingFile
from tx_graph.domain.labels import checked_limit
from tx_graph.domain.learning import Learning, SourceType, Status
from tx_graph.ports import Clock, Progress, no_progress
from tx_graph.services.anchoring.sources import Sources
from tx_graph.services.learnings import Learnings
from tx_graph.services.proposing.choosing import Choice, Choosing, Queue, draft_of
from tx_graph.services.proposing.from_commits import commit_candidates
from tx_graph.services.proposing.from_files import comment_candidates, decision_candidates
from tx_graph.services.proposing.places import Places
from tx_graph.services.proposing.refining import Refined, Refining
from tx_graph.services.proposing.transcripts import Transcripts
from tx_graph.services.proposing.values import Candidate, Origin, ProposalRequest, Proposals, Proposed
from tx_graph.services.record_sync import RecordSync
from tx_graph.services.stamps import iso
from tx_graph.storage.learnings import LearningStore

_NO_TEXT = re.compile("[\ud800-\udfff]")
"""What stands for bytes that are no UTF-8."""
_NO_GIT = "There is no git repository here, so commits propose nothing."
_NO_SESSIONS = "No transcript was read yet, so none proposes anything: tx transcript:ingest FILE."
_SHALLOW = "The history is cut off here (a shallow clone), so older commits propose nothing."


class Proposing:
    """Reads what a repository says of itself, and stages what explains."""

    def __init__(
        self,
        *,
        learnings: Learnings,
        store: LearningStore,
        sync: RecordSync[Learning],
        choosing: Callable[[], Choosing],
        transcripts: Transcripts,
        refining: Callable[[], Refining],
        sources: Sources,
        repository: GitRepository | None,
        list_files: Callable[[], Sequence[WorkingFile]],
        clock: Clock,
    ) -> None:
        self._learnings = learnings
        self._store = store
        self._sync = sync
        self._choosing = choosing
        self._transcripts = transcripts
        self._refining = refining
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
        return queue, self._choosing().run(queue, limit=request.limit)

    def _refined(self, candidates: Sequence[Candidate], request: ProposalRequest) -> Refined:
        """Return what a model says of what would be proposed; no transaction waits for it."""
        _, choice = self._chosen(candidates, request)
        proposals = [one.proposal for one in choice.proposed if one.proposal.source_type is SourceType.TRANSCRIPT]
        return self._refining().run(proposals, model=request.model)

    def _candidates(self, request: ProposalRequest, progress: Progress) -> Iterator[Candidate]:
        files = self._list_files()
        if Origin.COMMITS in request.origins and self._repository:
            oldest = oldest_time(request.since, now=self._clock.now()) if request.since is not None else None
            messages = list(read_messages(self._repository, self._repository.tip(), oldest=oldest))
            places = Places(self._repository, files=[file.path for file in files], text_of=self._text)
            yield from commit_candidates(messages, places, progress=progress)
        if Origin.ADR in request.origins:
            yield from decision_candidates(files, self._text)
        if Origin.TRANSCRIPTS in request.origins:
            yield from self._transcripts.candidates(frozenset(file.path for file in files), progress=progress)
        if Origin.COMMENTS in request.origins:
            paths = [file.path for file in files]
            generated = self._repository.generated_files(paths) if self._repository else ()
            yield from comment_candidates(files, self._text, generated=generated, progress=progress)

    def _text(self, path: str) -> str | None:
        source = self._sources.peek(path)
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
        prepared = self._learnings.prepared(draft_of(one.proposal))
        written = one.proposal.time
        created = iso(datetime.fromtimestamp(written, UTC)) if written is not None else prepared.created_at
        return replace(prepared, anchors=one.anchors, created_at=created)

    def _notices(self, request: ProposalRequest) -> tuple[str, ...]:
        if Origin.TRANSCRIPTS in request.origins and not self._transcripts.are_there:
            return (_NO_SESSIONS,)
        if Origin.COMMITS not in request.origins:
            return ()
        if self._repository is None:
            return (_NO_GIT,)
        return (_SHALLOW,) if self._repository.is_shallow() else ()
