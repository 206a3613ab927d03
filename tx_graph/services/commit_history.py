"""Reads git's history, and only what is new of it where that gives the same commits as reading all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import chain

from tx_graph.codebase.history import read_commits
from tx_graph.codebase.lineage import builds_on, order_of, shape_of
from tx_graph.codebase.repository import GitRepository, Tip
from tx_graph.domain.cochange import Commit
from tx_graph.ports import Progress, no_progress
from tx_graph.storage.history import MOST_PATHS, HistoryState, HistoryStore, Ledger

_REPORT_EVERY = 200


class Pass(StrEnum):
    """How much of git's history a reading went through."""

    FULL = "full"
    INCREMENTAL = "incremental"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRequest:
    """Which history is wanted.

    Attributes:
        since: Only commits since then, see `read_commits`.
        with_renames: Tell renames.
        full: Read all of it again.
        max_files: The most paths of a commit whose names matter.
    """

    since: str | None = None
    with_renames: bool = False
    full: bool = False
    max_files: int = MOST_PATHS


class Reading:
    """One way through history: `commits` is what to count; once it is used up, `new` of them came from git.

    `how` and `why` say whether that was all of history. `ledger` is what to save afterwards as `state`; None where
    only a part was read, which says nothing about the rest.
    """

    def __init__(self, *, how: Pass, why: str, state: HistoryState | None = None, ledger: Ledger | None = None) -> None:
        self.how = how
        self.why = why
        self.state = state
        self.ledger = ledger
        self.commits: Iterator[Commit] = iter(())
        self.new = 0

    def counting(self, commits: Iterator[Commit], progress: Progress) -> Iterator[Commit]:
        """Yield the commits, and count and report them."""
        for self.new, commit in enumerate(commits, start=1):
            yield commit
            if self.new % _REPORT_EVERY == 0:
                progress(self.new, None)


class CommitHistory:
    """Reads the commits of HEAD."""

    def __init__(self, *, repository: GitRepository, store: HistoryStore) -> None:
        self._repository = repository
        self._store = store

    def known(self, tip: Tip, *, with_renames: bool) -> bool:
        """Whether all of HEAD's history has been read, with these eyes."""
        return tip.head is not None and self._store.state() == self._state(tip, tip.head, with_renames=with_renames)

    def read(self, request: HistoryRequest, *, tip: Tip, now: datetime, progress: Progress = no_progress) -> Reading:
        """Return the commits of HEAD without merges; where renames are told, no commit before its descendants.

        Raises:
            UsageError: `since` cannot be understood.
            RepositoryError: Git fails.
        """
        reading = self._planned(request, tip)
        after = reading.ledger.stored.head if reading.ledger and reading.ledger.stored else None
        commits: Iterator[Commit] = iter(())
        if tip.head is None or after != tip.head:
            commits = read_commits(
                self._repository.root,
                since=request.since,
                now=now,
                tip=tip,
                after=after,
                find_renames=request.with_renames,
            )
        commits = reading.counting(commits, progress)
        if reading.ledger is not None:
            commits = chain(reading.ledger.commits(), reading.ledger.recording(commits))
        reading.commits = self._ordered(commits, tip.head) if after and request.with_renames else commits
        return reading

    def _planned(self, request: HistoryRequest, tip: Tip) -> Reading:
        if tip.head is None:
            return Reading(how=Pass.FULL, why="")
        if request.since is not None:
            return Reading(how=Pass.FULL, why="what is asked for since a date is read from git each time")
        if request.max_files > MOST_PATHS:
            return Reading(how=Pass.FULL, why=f"the paths of commits with more than {MOST_PATHS:,} are not kept")
        stored, state = self._store.state(), self._state(tip, tip.head, with_renames=request.with_renames)
        if stored is None:
            return Reading(how=Pass.FULL, why="", state=state, ledger=Ledger(stored=None))
        if why := "it was asked for" if request.full else self._why_full(stored, state):
            return Reading(how=Pass.FULL, why=why, state=state, ledger=Ledger(stored=None))
        return Reading(how=Pass.INCREMENTAL, why="", state=state, ledger=self._store.load())

    def _why_full(self, stored: HistoryState, state: HistoryState) -> str:
        if stored.with_renames != state.with_renames:
            return "renames were not followed before" if state.with_renames else "renames were followed before"
        if stored.shape != state.shape:
            return "the clone was deepened or cut off, or commits were replaced"
        if not builds_on(self._repository, state.head, stored.head):
            return f"HEAD does not build on {stored.head[:12]}, which was read before: another branch or a rewrite"
        return ""

    def _state(self, tip: Tip, head: str, *, with_renames: bool) -> HistoryState:
        return HistoryState(head=head, shape=shape_of(self._repository, tip), with_renames=with_renames)

    def _ordered(self, commits: Iterator[Commit], head: str | None) -> Iterator[Commit]:
        """Yield commits in the order in which a full pass lists them."""
        place = order_of(self._repository, head) if head else {}
        yield from sorted(commits, key=lambda commit: place[commit.sha])
