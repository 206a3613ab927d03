"""Candidates from history: reverts, fixes after fixes, and messages that explain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tx_graph.analysis.proposals.commits import Judged, discounted, judge
from tx_graph.analysis.proposals.followups import FollowUp, follow_ups, judge_follow_up
from tx_graph.analysis.proposals.reverts import SHORTEST, came_back, judge_revert, reverted, taken_back
from tx_graph.analysis.proposals.routine import code_paths
from tx_graph.codebase.diffs import Hunk
from tx_graph.domain.anchor import AnchorRequest
from tx_graph.domain.commit_message import CommitMessage
from tx_graph.domain.learning import SourceType
from tx_graph.domain.proposal import Proposal
from tx_graph.ports import Progress, no_progress
from tx_graph.services.proposing.places import Places

_REPORTED_EVERY = 500
_STILL_THERE = 0.3
"""Share of the lines that a commit wrote from which on its code counts as still there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitCandidate:
    """A commit that may be worth a proposal; `twins` are all commits with the same message."""

    message: CommitMessage
    judged: Judged
    twins: tuple[str, ...]
    places: Places
    follow_up: FollowUp | None = None
    is_checked: bool = False

    @property
    def rank(self) -> tuple[float, int, str]:
        """The surest first, of equals the youngest."""
        return (-self.judged.confidence, -self.message.time, self.message.sha)

    @property
    def sources(self) -> tuple[str, ...]:
        """The commits, as records name them."""
        return tuple(f"commit:{sha}" for sha in self.twins)

    def finished(self) -> CommitCandidate | Proposal | None:
        """Return the proposal, None if no file of the commit is left.

        What turns out to be no fix of a fix, or was rewritten since, comes back as a candidate that ranks lower.
        """
        if self.follow_up and not self.follow_up.is_certain and not self._meets(self.follow_up):
            return self._as_any_other()
        if not self.is_checked:
            return self._checked()
        anchors = self.places.of(self.message)
        return self._proposal(anchors) if anchors else None

    def _proposal(self, anchors: Sequence[AnchorRequest]) -> Proposal:
        return Proposal(
            content=self.judged.content,
            category=self.judged.category,
            confidence=self.judged.confidence,
            reasons=tuple(reason.name for reason in self.judged.reasons),
            source_type=SourceType.COMMIT,
            source_ref=f"commit:{self.message.sha}",
            anchors=tuple(anchors),
            time=self.message.time,
        )

    def _as_any_other(self) -> CommitCandidate | None:
        plain = judge(self.message)
        if plain is None:
            return None
        return replace(self, judged=plain, follow_up=None)

    def _checked(self) -> CommitCandidate | None:
        """Return the candidate, worth less where its code has been rewritten since: the reason may be gone with it."""
        if self.places.still_there(self.message) >= _STILL_THERE:
            return replace(self, is_checked=True)
        judged = discounted(self.judged)
        return replace(self, judged=judged, is_checked=True) if judged else None

    def _meets(self, found: FollowUp) -> bool:
        """Whether two fixes changed the same lines; what happened between them is so little that lines hardly moved."""
        before, after = self.places.changed(found.earlier), self.places.changed(found.fix)
        shared = set(code_paths(found.fix.paths)) & before.keys() & after.keys()
        return any(_overlap(one, other) for path in shared for one in before[path] for other in after[path])


def commit_candidates(
    messages: Sequence[CommitMessage], places: Places, *, progress: Progress = no_progress
) -> Iterator[CommitCandidate]:
    """Yield what commits, newest first, may propose; of commits with the same message, the youngest."""
    by_text = defaultdict(list)
    for message in messages:
        by_text[_same(message)].append(message.sha)
    rules = _Rules(messages)
    for done, message in enumerate(messages):
        if done % _REPORTED_EVERY == 0:
            progress(done, len(messages))
        twins = tuple(by_text[_same(message)])
        judged = rules.best(message) if twins[0] == message.sha and message.sha not in rules.gone else None
        if judged:
            found = rules.follow_ups.get(message.sha) if judged.said.epilogue else None
            yield CommitCandidate(message=message, judged=judged, twins=twins, places=places, follow_up=found)


class _Rules:
    """Every rule for commits, and what they need to know of all others."""

    def __init__(self, messages: Sequence[CommitMessage]) -> None:
        self._by_start = {message.sha[:SHORTEST]: message for message in messages}
        self.returned = came_back(messages)
        self.gone = taken_back(messages, returned=self.returned)
        self.follow_ups: Mapping[str, FollowUp] = {found.fix.sha: found for found in follow_ups(messages)}

    def best(self, message: CommitMessage) -> Judged | None:
        """Return what the rule says that is surest of a commit."""
        found = self.follow_ups.get(message.sha)
        rules: Iterable[Callable[[], Judged | None]] = (
            lambda: judge_revert(message, returned=self.returned, earlier=self._taken_back_by(message)),
            lambda: judge_follow_up(found) if found else None,
            lambda: judge(message),
        )
        return next((judged for rule in rules if (judged := rule())), None)

    def _taken_back_by(self, message: CommitMessage) -> CommitMessage | None:
        """Return the commit that a revert takes back, if it names it."""
        taken = reverted(message)
        return self._by_start.get(taken.sha[:SHORTEST].lower()) if taken and taken.sha else None


def _same(message: CommitMessage) -> str:
    return " ".join(message.text.split("\n(cherry picked")[0].split())


def _overlap(one: Hunk, other: Hunk) -> bool:
    """Whether lines that one wrote are lines that the other replaced."""
    first, last = one.lines
    return other.old_start <= last and first <= other.old_start + max(other.old_count - 1, 0)
