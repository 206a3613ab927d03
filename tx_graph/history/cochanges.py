"""Counts which files change together in git's history."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import chain
from typing import Annotated, ClassVar

from tx_graph.core.arguments import Arg
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.repository import GitRepository, Tip
from tx_graph.core.revisions import builds_on, order_of, shape_of
from tx_graph.core.settings import Config
from tx_graph.core.working_tree import iso
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore
from tx_graph.history.cochange import CoChangeOptions, CoChangeResult, Commit, count_cochanges, under_present_names
from tx_graph.history.cochange_store import CoChangeStore
from tx_graph.history.commit_store import MOST_PATHS, HistoryState, HistoryStore, Ledger
from tx_graph.history.commits import read_commits

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
        """Return the commits of HEAD without merges; where renames are told, no commit before its descendants."""
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
        place = order_of(self._repository, head) if head else {}
        yield from sorted(commits, key=lambda commit: place[commit.sha])


STALE_AFTER = timedelta(days=7)
"""Age at which an analysis of history is called stale (PRD-014: recompute weekly)."""
_NAME = "cochanges"
_STANDARD = CoChangeOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class CoChangeRequest:
    """What to count.

    Attributes:
        options: What counts as changing together.
        since: Only commits since then: a date or an age.
        exclude: Globs, as `.gitignore` reads them, of files to leave out. They count towards `max_files` first.
        follow_renames: A file's history goes on under its present name.
        full: Read all of history again, whatever is known of it.
    """

    options: CoChangeOptions = _STANDARD
    since: str | None = None
    exclude: tuple[str, ...] = ()
    follow_renames: bool = False
    full: bool = False


def checked_half_life(days: float, *, what: str) -> float:
    """Return an age in days at which a commit counts half; 0 lets all count alike."""
    if not 0 <= days <= timedelta.max.days:
        raise UsageError(f"{what} must be a number of days, 0 or more, not {days:g}.")
    return days


def options_from(
    config: Config, *, max_files: int | None = None, min_support: int | None = None, half_life: float | None = None
) -> CoChangeOptions:
    """Return what counts as changing together: as given, the half-life in days, and else as the settings have it."""
    days = half_life
    if days is None:
        key = "cochanges.half_life_days"
        days = checked_half_life(float(config.get(key)), what=f"The setting {key}")
    return CoChangeOptions(
        max_files=int(config.get("cochanges.max_files")) if max_files is None else max_files,
        min_support=int(config.get("cochanges.min_support")) if min_support is None else min_support,
        half_life=timedelta(days=days) if days else None,
    )


def _at_least(least: int, given: int | None, *, option: str) -> None:
    if given is not None and given < least:
        raise UsageError(f"{option} must be at least {least}, not {given}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CoChangeReport:
    """What an analysis found, and how it went.

    `dropped` commits touched too many files, `files` of HEAD occur in the others. `new` commits came from git, the
    rest was known; `why` says why a full pass was one. `shallow` history is cut off.
    """

    pairs: int
    commits: int
    dropped: int
    files: int
    head: str | None
    shallow: bool
    how: Pass
    why: str
    new: int
    max_files: int = CoChangeOptions().max_files

    JSON: ClassVar = "pairs commits dropped files head shallow mode=how new_commits=new reason"

    @property
    def reason(self) -> str | None:
        """Why a full pass was one, None where there was no choice."""
        return self.why or None


class CoChangeAnalysis:
    """Reads history: `workspace.graph`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def analyze_cochanges(
        self,
        *,
        since: Annotated[str | None, Arg("WHEN", 'Only commits since then: "3 months ago" or a date.')] = None,
        max_files: Annotated[int | None, Arg("N", "Leave out commits that touch more files, at least 2.")] = None,
        min_support: Annotated[int | None, Arg("N", "Least commits that two files must share, at least 1.")] = None,
        half_life: Annotated[
            float | None, Arg("DAYS", "Age at which a commit counts half; 0: all count alike.")
        ] = None,
        exclude: Annotated[Sequence[str], Arg("A,B", "Leave out files like these too, as .gitignore would.")] = (),
        no_exclude: Annotated[bool, Arg(help="Leave out none of what the setting cochanges.exclude names.")] = False,
        follow_renames: Annotated[bool, Arg(help="A file's history goes on under its present name. Slower.")] = False,
        full: Annotated[bool, Arg(help="Read all of history again.")] = False,
        progress: Progress = no_progress,
    ) -> CoChangeReport:
        """Read which files change together in git's history: only what is new since the last time. Run it weekly.

        A commit that touches many files says little about any two of them, so big ones are left out; so are files that
        change with everything, such as lock files and changelogs. The defaults are settings: see 'tx config'. Renames
        are not looked for unless asked: that reads contents, which a partial clone lacks.

        Example:
          tx graph:analyze-cochanges
          tx graph:analyze-cochanges --since "3 months ago" --exclude "docs/**,*.svg"
          tx graph:analyze-cochanges --follow-renames

        Raises:
            UsageError: A number is out of range, or `since` cannot be understood.
            RepositoryError: There is no git here, or it fails.
            StorageError: The database cannot be written.
        """
        _at_least(2, max_files, option="--max-files")  # a pair has two files
        _at_least(1, min_support, option="--min-support")
        if half_life is not None:
            checked_half_life(half_life, what="--half-life")
        config = self._kernel.config
        options = options_from(config, max_files=max_files, min_support=min_support, half_life=half_life)
        request = CoChangeRequest(
            options=options,
            since=since,
            exclude=(*(() if no_exclude else config.texts("cochanges.exclude")), *map(str.strip, exclude)),
            follow_renames=follow_renames,
            full=full,
        )
        return self._kernel.one(CoChanges).run(request, progress=progress)


class CoChanges:
    """Analyses history; None instead of a repository means that there is no git here."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._database = kernel.database

    def run(self, request: CoChangeRequest, *, progress: Progress = no_progress) -> CoChangeReport:
        """Count co-changes over the history of HEAD and replace the ones stored.

        Only what is new is read from git, where that gives the same as reading all; where nothing is, nothing is
        counted again either.
        """
        repository = self._kernel.checkout.repository
        if repository is None:
            raise RepositoryError(
                f"{self._kernel.root} is not a git repository, so it has no history to analyse.",
                hint="Run 'git init' there.",
            )
        now, tip = self._kernel.clock.now(), repository.tip()
        history = CommitHistory(repository=repository, store=HistoryStore(self._database))
        run = AnalysisRun(name=_NAME, finished_at=iso(now), head=tip.head, options=_as_json(request))
        if self._is_repeated(run, request) and history.known(tip, with_renames=request.follow_renames):
            return self._repeated(run, request, tip)
        wanted = HistoryRequest(
            since=request.since,
            with_renames=request.follow_renames,
            full=request.full,
            max_files=request.options.max_files,
        )
        try:
            reading = history.read(wanted, tip=tip, now=now, progress=progress)
            files = repository.files_of(tip.head) if tip.head else []
            options = request.options
            head_time = repository.time_of(tip.head) if tip.head and options.half_life else None
            commits: Iterable[Commit] = reading.commits
            if request.follow_renames:
                commits = under_present_names(list(commits), alive=files)
            alive = set(files) - _matching(request.exclude, files)
            result = count_cochanges(commits, alive=alive, options=options, head_time=head_time)
        except RepositoryError as error:
            raise _without_renames(error) if request.follow_renames else error from None
        self._save(run, result, reading)
        return CoChangeReport(
            pairs=len(result.pairs),
            commits=result.commits,
            dropped=result.dropped,
            files=len(result.touched),
            head=tip.head,
            shallow=tip.is_shallow,
            how=reading.how,
            why=reading.why,
            new=reading.new,
            max_files=request.options.max_files,
        )

    def _is_repeated(self, run: AnalysisRun, request: CoChangeRequest) -> bool:
        last = AnalysisStore(self._database).last(_NAME)
        is_same = last is not None and (last.head, last.options) == (run.head, run.options)
        return is_same and request.since is None and not request.full and request.options.max_files <= MOST_PATHS

    def _repeated(self, run: AnalysisRun, request: CoChangeRequest, tip: Tip) -> CoChangeReport:
        with self._database.transaction():
            AnalysisStore(self._database).record(run)
        commits, dropped = HistoryStore(self._database).counts(max_files=request.options.max_files)
        cochanges = CoChangeStore(self._database)
        return CoChangeReport(
            pairs=cochanges.count(),
            commits=commits,
            dropped=dropped,
            files=cochanges.count_files(),
            head=tip.head,
            shallow=tip.is_shallow,
            how=Pass.INCREMENTAL,
            why="",
            new=0,
            max_files=request.options.max_files,
        )

    def _save(self, run: AnalysisRun, result: CoChangeResult, reading: Reading) -> None:
        with self._database.transaction():
            if reading.ledger is not None and reading.state is not None:
                HistoryStore(self._database).save(reading.ledger, reading.state)
            CoChangeStore(self._database).replace_all(result.pairs, result.touched)
            AnalysisStore(self._database).record(run)


def _matching(globs: Sequence[str], files: Collection[str]) -> set[str]:
    matcher = PathMatcher(files)
    return {file for glob in globs for file in matcher.matching(glob)}


def _without_renames(error: RepositoryError) -> RepositoryError:
    hint = "Following renames reads the contents of files, which a partial clone lacks: leave --follow-renames out."
    return RepositoryError(error.message, hint=f"{error.hint} {hint}")


def _as_json(request: CoChangeRequest) -> dict[str, object]:
    half_life = request.options.half_life
    return {
        "since": request.since,
        "max_files": request.options.max_files,
        "min_support": request.options.min_support,
        "half_life_days": half_life / timedelta(days=1) if half_life else None,
        "exclude": list(request.exclude),
        "follow_renames": request.follow_renames,
    }


def age_of(run: AnalysisRun, *, now: datetime) -> timedelta:
    """Return how long ago an analysis finished."""
    return now - datetime.fromisoformat(run.finished_at)


def staleness(run: AnalysisRun | None, *, now: datetime, command: str) -> str:
    """Return the sentence that says that an analysis is stale; empty when it never ran or is recent."""
    if run is None or (age := age_of(run, now=now)) <= STALE_AFTER:
        return ""
    return f"Co-changes are {age.days} days old (stale after {STALE_AFTER.days}); run '{command}'."
