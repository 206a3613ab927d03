"""Learnings that the repository's own words and agents' sessions propose, and what people say to them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from heapq import heapify, heappop, heappush
from typing import Annotated

from tx_graph.anchors.sources import sources
from tx_graph.anchors.taking import Anchoring
from tx_graph.core.arguments import Arg, Reads, choices
from tx_graph.core.dataclass import dataclass, field, replace
from tx_graph.core.errors import ModelUnusable, NotFound, UsageError
from tx_graph.core.guard import REDACTED, described, suspected
from tx_graph.core.identifiers import content_words
from tx_graph.core.kernel import Kernel, iso
from tx_graph.core.labels import checked_limit
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.shape import Answer
from tx_graph.graph.diversify import overlap
from tx_graph.history.commits import oldest_time, read_messages
from tx_graph.history.past import Past
from tx_graph.learnings.learnings import Draft, prepared, same_content
from tx_graph.learnings.similar import SAME_WORDS
from tx_graph.proposals.gate import Lookalikes
from tx_graph.proposals.judging import (
    AGENT,
    SYSTEM,
    TOGETHER,
    Judged,
    TurnQuestion,
    ask,
    by_id,
    keep,
    kept,
    question_for,
    replies_in,
    settled,
)
from tx_graph.proposals.prose import may_be_same
from tx_graph.proposals.sources import (
    Candidate,
    Places,
    Ready,
    Transcripts,
    comment_candidates,
    commit_candidates,
    decision_candidates,
)
from tx_graph.proposals.values import STANDARD, Origin, Proposal, ProposalRequest, Proposals, Proposed, Recognised
from tx_graph.records.anchor import Anchor, AnchorRequest, distinct_anchors
from tx_graph.records.learning import SourceType, Status
from tx_graph.records.learning_record import learning_sync
from tx_graph.records.learning_store import LearningStore


@dataclass(kw_only=True)
class Choice:
    """What was chosen, what turned out to say what a learning says already, what is known, and how many still wait.

    What is `withheld` may hold a secret: each by its source, with what it is said to be.
    """

    proposed: list[Proposed] = field(default_factory=list)
    recognised: list[Recognised] = field(default_factory=list)
    known: list[Candidate] = field(default_factory=list)
    withheld: list[tuple[str, str]] = field(default_factory=list)
    more: int = 0


class Choosing:
    """Takes the best of candidates."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._anchoring = kernel.one(Anchoring)
        self._lookalikes = Lookalikes(kernel)

    def run(self, candidates: Sequence[Candidate], *, known: Collection[str], limit: int) -> Choice:
        """Return at most `limit` proposals; what is known by its words, or has no place, is passed over.

        Candidates that learnings come from, which `known` names, are kept apart.
        """
        sources = frozenset(known)
        choice = Choice(known=[one for one in candidates if not sources.isdisjoint(one.sources)])
        waiting = [(one.rank, number, one) for number, one in enumerate(candidates) if sources.isdisjoint(one.sources)]
        heapify(waiting)
        while waiting and len(choice.proposed) < limit:
            finished = heappop(waiting)[2].finished()
            if isinstance(finished, Proposal):
                self._consider(finished, choice)
            elif finished is not None:  # it is worth less than it seemed, and waits for its turn
                heappush(waiting, (finished.rank, -len(waiting), finished))
        choice.more = len(waiting)
        return choice

    def _consider(self, proposal: Proposal, choice: Choice) -> None:
        taken = [anchor for request in proposal.anchors if (anchor := self._take(request))]
        anchors = distinct_anchors([*taken, *(one.anchor for one in proposal.found)])
        if not anchors and not proposal.stands_alone:
            return
        if found := suspected(proposal.content):
            choice.withheld.append((proposal.source_ref, described(proposal.content, found)))
            return
        if REDACTED in proposal.content:
            choice.withheld.append((proposal.source_ref, "what was taken out of a transcript"))
            return
        is_taught = proposal.source_type is SourceType.TRANSCRIPT
        if is_taught and (like := self._lookalikes.of(proposal.content)):
            choice.recognised.append(
                Recognised(proposal=proposal, stored=like.stored, weight=like.weight, basis=like.basis)
            )
        elif not _is_told(proposal, choice.proposed):
            with suppress(UsageError):  # words that no record can hold are no news
                content = prepared(self._kernel, _draft_of(proposal)).content
                if same_content(self._kernel, content) is None:
                    choice.proposed.append(Proposed(proposal=proposal, anchors=anchors))

    def _take(self, request: AnchorRequest) -> Anchor | None:
        with suppress(NotFound, UsageError):
            return self._anchoring.take(request)
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
    """Whether a surer proposal says so already."""
    words, texts = content_words(proposal.content), [one.proposal.content for one in chosen]
    return any(
        overlap(words, content_words(text)) >= SAME_WORDS and may_be_same(proposal.content, text) for text in texts
    )


_MOST_TOLD = 3


def _told(withheld: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield what is said of proposals that were not made because they may hold a secret."""
    if withheld:
        shown = "; ".join(f"{what} ({source[:60]})" for source, what in withheld[:_MOST_TOLD])
        more = f"; … and {len(withheld) - _MOST_TOLD:,} more" if len(withheld) > _MOST_TOLD else ""
        yield f"{len(withheld):,} not proposed, for they may hold a secret: {shown}{more}."


_WITHOUT = "Without a model, leave --model out."
_NO_TEXT = re.compile("[\ud800-\udfff]")  # what stands for bytes that are no UTF-8
_MOST_KEPT = 10_000  # what an agent keeps is proposed as a whole
_NO_GIT = "There is no git repository here, so commits propose nothing."
_NO_SESSIONS = "No transcript was read yet, so none proposes anything: tx transcript:ingest FILE."
_SHALLOW = "The history is cut off here (a shallow clone), so older commits propose nothing."
_PARTIAL = "Git lacks what some commits changed (a partial clone, or a damaged one), so those propose nothing."


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnQuestions(Answer):
    """What an agent is asked about what users said, and about how many messages `more` it could be."""

    JSON = "questions more"

    questions: tuple[TurnQuestion, ...]
    more: int
    notices: tuple[str, ...] = ()


class Proposing:
    """What may be worth knowing: `workspace.learnings.propose`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = LearningStore(kernel.database)
        self._sync = kernel.one(learning_sync)
        self._transcripts = kernel.one(Transcripts)
        self._places: Places | None = None

    def propose(self, request: ProposalRequest | None = None, *, progress: Progress = no_progress) -> Proposals:
        """Return what the repository's own words, and transcripts if asked, propose; it is staged, the surest first.

        What came of an earlier proposal (confirmed, edited, rejected) does not matter: its record names its source.

        Raises:
            ModelUnusable: A model is to look through it, and none can be asked.
            StorageError: The records or the database cannot be written; nothing was staged.
        """
        request = request or ProposalRequest()
        checked_limit(request.limit)
        if request.replies is not None:
            request = replace(request, limit=_MOST_KEPT)
        candidates = [] if request.replies is not None else list(self._candidates(request, progress))
        judged = None
        turns = by_id(self._turns(progress)) if request.refine or request.replies is not None else {}
        if request.replies is not None:
            judged = Judged(judge=AGENT, verdicts=replies_in(request.replies, turns))
        elif request.refine:  # no transaction waits for a model
            would = [one.proposal for one in self._chosen(candidates, request).proposed]
            taught = by_id(one for one in would if one.source_type is SourceType.TRANSCRIPT)
            judged = ask(self._kernel, taught | turns, model=request.model)
        if judged:
            candidates += [
                Ready(proposal=settled(turns[name], verdict, judge=judged.judge), identity=name)
                for name, verdict in judged.verdicts.items()
                if verdict.keep and name in turns
            ]
        with nullcontext() if request.only_look else self._sync.exclusively():
            choice = self._chosen(candidates, request)
            chosen = staged = judged.applied(choice.proposed, turns=turns) if judged else choice.proposed
            if not request.only_look:
                staged = self._staged(chosen)
                self._transcripts.derive_known(choice.known, choice.recognised)
        if judged and request.replies is not None and not request.only_look:
            keep(self._kernel, judged.verdicts, judge=AGENT)
        return Proposals(
            proposed=tuple(staged),
            more=choice.more,
            known=len(choice.known),
            staged=self._store.numbers_by_status().get(Status.STAGED.value, 0),
            notices=(*self._notices(request), *(judged.failures if judged else ()), *_told(choice.withheld)),
            withheld=tuple(choice.withheld),
            recognised=tuple(choice.recognised),
            dropped=judged.dropped if judged else 0,
            model=judged.judge if judged else None,
            dry_run=request.only_look,
        )

    def questions(self, *, limit: int = 20, every: bool = False, progress: Progress = no_progress) -> TurnQuestions:
        """Return what an agent is asked about messages of which the rules are not sure, likeliest first.

        These are those that it has not judged yet, or `every` one again. `propose` takes its replies.
        """
        checked_limit(limit)
        known = self._store.sources() | self._transcripts.known()
        turns = {name: one for name, one in by_id(self._turns(progress)).items() if every or name not in known}
        told = {} if every else kept(self._kernel, turns, judge=AGENT)
        waiting = [(name, one) for name, one in turns.items() if name not in told]
        asked = [dict(waiting[:limit][start : start + TOGETHER]) for start in range(0, len(waiting[:limit]), TOGETHER)]
        questions = (TurnQuestion(ids=tuple(one), system=SYSTEM, prompt=question_for(one)) for one in asked)
        notices = () if self._transcripts.are_there else (_NO_SESSIONS,)
        return TurnQuestions(questions=tuple(questions), more=max(0, len(waiting) - limit), notices=notices)

    def _turns(self, progress: Progress) -> list[Proposal]:
        files = frozenset(file.path for file in self._kernel.checkout.list_files())
        found = [one.proposal for one in self._transcripts.candidates(files, unsure=True, progress=progress)]
        return sorted(found, key=lambda one: one.rank)

    def _chosen(self, candidates: Sequence[Candidate], request: ProposalRequest) -> Choice:
        known = self._store.sources() | self._transcripts.known()
        return Choosing(self._kernel).run(candidates, known=known, limit=request.limit)

    def _candidates(self, request: ProposalRequest, progress: Progress) -> Iterator[Candidate]:
        files, repository = self._kernel.checkout.list_files(), self._kernel.checkout.askable
        if Origin.COMMITS in request.origins and repository:
            oldest = oldest_time(request.since, now=self._kernel.clock.now()) if request.since is not None else None
            messages = list(read_messages(repository, repository.tip(), oldest=oldest))
            self._places = Places(self._kernel, repository, self._kernel.enter(Past(repository)))
            yield from commit_candidates(messages, self._places, progress=progress)
        if Origin.ADR in request.origins:
            yield from decision_candidates(files, self._text)
        if Origin.TRANSCRIPTS in request.origins:
            yield from self._transcripts.candidates(frozenset(file.path for file in files), progress=progress)
        if Origin.COMMENTS in request.origins:
            paths = [file.path for file in files]
            foreign: set[str] = set()
            for mark in ("linguist-generated", "linguist-vendored"):
                foreign |= repository.generated_files(paths, mark=mark) if repository else set()
            yield from comment_candidates(files, self._text, foreign=foreign, progress=progress)

    def _text(self, path: str) -> str | None:
        source = self._kernel.one(sources).peek(path)
        return _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", source.text) if source else None

    def _staged(self, found: Sequence[Proposed]) -> list[Proposed]:
        learnings = []
        for one in found:  # as old as what it comes from, where that is known
            learning = prepared(self._kernel, _draft_of(one.proposal))
            if (written := one.proposal.time) is not None:
                learning = replace(learning, created_at=iso(datetime.fromtimestamp(written, UTC)))
            learnings.append(replace(learning, anchors=one.anchors))
        self._sync.write_many(learnings, {}, progress=lambda _: None)
        stored = [self._store.by_uid_prefix(learning.uid)[0] for learning in learnings]
        for one, staged in zip(found, stored, strict=True):
            self._transcripts.derive(staged.node, one.proposal.derived_from)
        return [replace(one, stored=staged) for one, staged in zip(found, stored, strict=True)]

    def _notices(self, request: ProposalRequest) -> tuple[str, ...]:
        if Origin.TRANSCRIPTS in request.origins and not self._transcripts.are_there:
            return (_NO_SESSIONS,)
        if Origin.COMMITS not in request.origins:
            return ()
        repository = self._kernel.checkout.askable
        if repository is None:
            return (_NO_GIT,)
        is_partial = self._places is not None and self._places.lacking > 0
        return (*([_SHALLOW] if repository.is_shallow() else []), *([_PARTIAL] if is_partial else []))


def propose(
    kernel: Kernel,
    *,
    since: Annotated[str | None, Arg("WHEN", "Leave out commits before a date or age: '1 year ago'.")] = None,
    origin: Annotated[
        Sequence[str], Arg("A,B", f"From these: {choices(Origin)}; else from all but transcripts.", flag="--from")
    ] = (),
    limit: Annotated[int, Arg("N", "Most to propose, 1 to 10,000.", flag="-n --limit")] = 20,
    model: Annotated[
        str | None, Arg("NAME", "Have a model of llm look through what transcripts propose first.", flag="-m --model")
    ] = None,
    no_model: Annotated[bool, Arg(help="Ask no model, which is the standard.")] = False,
    dry_run: Annotated[bool, Arg(help="Show them, and write nothing.")] = False,
    print_turns: Annotated[
        bool,
        Arg(help="Print as JSON lines, for an agent to judge, what transcripts may teach besides.", flag="--print"),
    ] = False,
    every: Annotated[bool, Arg(help="With --print: also what an agent has judged already.", flag="--all")] = False,
    apply: Annotated[str | None, Arg("FILE", "Propose what an agent kept; '-' reads stdin.", reads=Reads.FILE)] = None,
    progress: Progress = no_progress,
) -> Proposals | TurnQuestions:
    """Propose learnings that the repository's own words hold, the surest first.

    From commits that give a reason, one sentence each, tied to the code that it names as that was then; comments that
    do (WHY, HACK, NOTE, TODO with a reason), and decision records. They are staged: search shows none until somebody
    promotes it. Nothing is proposed twice, whatever became of it.

    With --from transcripts, from sessions of agents that transcript:ingest read: what users corrected or asked to
    remember, in their own words, errors that were resolved, and commands that come again and again. The rules know
    English. What a learning says already is not proposed again: that learning is tied to the session. What the rules
    are not sure of, a model judges too (--model), or an agent: it answers each line that --print prints with a line
    {"verdicts": […]}, of which --apply takes all or none. What is kept is quoted, and says who judged.

    Example:
      tx learning:propose
      tx learning:propose --since '6 months ago' --from commits -n 50
      tx learning:propose --from transcripts --dry-run
      tx learning:propose --from transcripts --model gpt-5-mini
      tx learning:propose --print > turns.jsonl
      tx learning:propose --apply verdicts.jsonl
    """
    given = [name.strip().lower() for name in origin]
    if unknown := [name for name in given if name not in set(Origin)]:
        raise UsageError(f"'{unknown[0]}' is nothing to propose from; choose from {choices(Origin)}.")
    if model is not None and no_model:
        raise UsageError("--model and --no-model exclude each other.")
    if print_turns:
        return kernel.one(Proposing).questions(limit=limit, every=every, progress=progress)
    request = ProposalRequest(
        origins=(Origin.TRANSCRIPTS,) if apply is not None else tuple(map(Origin, given)) or STANDARD,
        since=since,
        limit=limit,
        only_look=dry_run,
        refine=model is not None,
        model=model,
        replies=apply,
    )
    try:
        return kernel.one(Proposing).propose(request, progress=progress)
    except ModelUnusable as error:
        hint = f"{error.hint.rstrip('.')}. {_WITHOUT}" if error.hint else _WITHOUT
        raise ModelUnusable(error.message, hint=hint, candidates=error.candidates) from error
