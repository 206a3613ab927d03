"""Counts which files change together in git's history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import Annotated, Any, ClassVar

from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass, field
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.kernel import Kernel, iso
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.repository import GitRepository, Tip
from tx_graph.core.revisions import builds_on, order_of, shape_of
from tx_graph.core.settings import Config
from tx_graph.core.shape import Answer
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore
from tx_graph.history.cochange import CoChangeOptions, Commit, count_cochanges, under_present_names
from tx_graph.history.cochange_store import CoChangeStore
from tx_graph.history.commit_store import MOST_PATHS, CommitStore, HistoryState, HistoryStore, Ledger
from tx_graph.history.commits import read_commits

_REPORT_EVERY = 200


class Pass(StrEnum):
    """How much of git's history a reading went through."""

    FULL = "full"
    INCREMENTAL = "incremental"


STALE_AFTER = timedelta(days=7)
"""Age at which an analysis of history is called stale (PRD-014: recompute weekly)."""
_NAME = "cochanges"
_STANDARD = CoChangeOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class CoChangeRequest:
    """What to count.

    `since` is a date or an age, `exclude` globs, as `.gitignore` reads them, of files to leave out; they count towards
    `max_files` first. With `follow_renames` a file's history goes on under its present name; `full` reads all of
    history again, whatever is known of it.
    """

    options: CoChangeOptions = _STANDARD
    since: str | None = None
    exclude: tuple[str, ...] = ()
    follow_renames: bool = False
    full: bool = False


@dataclass(slots=True, kw_only=True)
class Reading:
    """One way through history: `commits` is what to count; once it is used up, `new` of them came from git.

    `how` and `why` say whether that was all of history. `ledger` is what to save afterwards as `state`; None where
    only a part was read, which says nothing about the rest.
    """

    how: Pass = Pass.FULL
    why: str = ""
    state: HistoryState | None = None
    ledger: Ledger | None = None
    commits: Iterator[Commit] = field(default_factory=lambda: iter(()))
    new: int = 0


def checked_half_life(days: float, *, what: str) -> float:
    """Return an age in days at which a commit counts half; 0 lets all count alike."""
    if not 0 <= days <= timedelta.max.days:
        raise UsageError(f"{what} must be a number of days, 0 or more, not {days:g}.")
    return days


def kept_request(options: Mapping[str, Any]) -> CoChangeRequest:
    """Return what was asked for when co-changes were last counted, by the options that are kept with them."""
    days = options["half_life_days"]
    return CoChangeRequest(
        options=CoChangeOptions(
            max_files=options["max_files"],
            min_support=options["min_support"],
            half_life=timedelta(days=days) if days else None,
        ),
        since=options["since"],
        exclude=tuple(options["exclude"]),
        follow_renames=options["follow_renames"],
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class CoChangeReport(Answer):
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
    why: str = ""
    new: int = 0
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
        change with everything, such as lock files and changelogs. The defaults are settings: see 'tx config'. Moves
        count as far as 'tx sync' knows of them; --follow-renames asks git what each name meant at its time.

        Example:
          tx graph:analyze-cochanges
          tx graph:analyze-cochanges --since "3 months ago" --exclude "docs/**,*.svg"
          tx graph:analyze-cochanges --follow-renames

        Raises:
            UsageError: A number is out of range, or `since` cannot be understood.
            RepositoryError: There is no git here, or it fails.
            StorageError: The database cannot be written.
        """
        for least, given, option in ((2, max_files, "--max-files"), (1, min_support, "--min-support")):
            if given is not None and given < least:  # a pair has two files
                raise UsageError(f"{option} must be at least {least}, not {given}.")
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
    """Analyses history."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._history, self._pairs = HistoryStore(kernel.database), CoChangeStore(kernel.database)

    def run(self, request: CoChangeRequest, *, progress: Progress = no_progress) -> CoChangeReport:
        """Count co-changes over the history of HEAD and replace the ones stored.

        Only what is new is read from git, where that gives the same as reading all; where nothing is, nothing is
        counted again either.
        """
        repository, database, options = self._kernel.checkout.repository, self._kernel.database, request.options
        if repository is None:
            raise RepositoryError(
                f"{self._kernel.root} is not a git repository, so it has no history to analyse.",
                hint="Run 'git init' there.",
            )
        now, tip = self._kernel.clock.now(), repository.tip()
        state: HistoryState | None = None
        if tip.head is not None:
            shape = shape_of(repository, tip)
            state = HistoryState(head=tip.head, shape=shape, with_renames=request.follow_renames)
        asked = {
            "since": request.since,
            "max_files": options.max_files,
            "min_support": options.min_support,
            "half_life_days": options.half_life / timedelta(days=1) if options.half_life else None,
            "exclude": list(request.exclude),
            "follow_renames": request.follow_renames,
        }
        run = AnalysisRun(name=_NAME, finished_at=iso(now), head=tip.head, options=asked)
        analyses = AnalysisStore(database)
        last = analyses.last(_NAME)
        is_same = last is not None and (last.head, last.options) == (run.head, run.options)
        is_whole = request.since is None and not request.full and options.max_files <= MOST_PATHS
        report = partial(CoChangeReport, head=tip.head, shallow=tip.is_shallow, max_files=options.max_files)
        if is_same and is_whole and state is not None and self._history.state() == state:
            with database.transaction():
                analyses.record(run)
            commits, dropped = self._history.counts(max_files=options.max_files)
            pairs, files = self._pairs.count(), self._pairs.count_files()
            how = Pass.INCREMENTAL
            return report(pairs=pairs, commits=commits, dropped=dropped, files=files, how=how)
        try:
            reading = self._read(request, repository, tip, state, now=now, progress=progress)
            present = repository.files_of(tip.head) if tip.head else []
            head_time = repository.time_of(tip.head) if tip.head and options.half_life else None
            counted: Iterable[Commit] = reading.commits
            if request.follow_renames:
                counted = under_present_names(list(counted), alive=present)
            matcher = PathMatcher(present)
            alive = set(present).difference(*(matcher.matching(glob) for glob in request.exclude))
            moved = CommitStore(database).moved()
            result = count_cochanges(counted, alive=alive, options=options, head_time=head_time, moved=moved)
        except RepositoryError as error:
            if not request.follow_renames:
                raise
            hint = f"{error.hint} Following renames reads the contents of files, which a partial clone lacks: leave"
            raise RepositoryError(error.message, hint=f"{hint} --follow-renames out.") from error
        with database.transaction():
            if reading.ledger is not None and reading.state is not None:
                self._history.save(reading.ledger, reading.state)
            self._pairs.replace_all(result.pairs, result.touched)
            analyses.record(run)
        return report(
            pairs=len(result.pairs),
            commits=result.commits,
            dropped=result.dropped,
            files=len(result.touched),
            how=reading.how,
            why=reading.why,
            new=reading.new,
        )

    def _read(
        self,
        request: CoChangeRequest,
        repository: GitRepository,
        tip: Tip,
        state: HistoryState | None,
        *,
        now: datetime,
        progress: Progress,
    ) -> Reading:
        """Return the commits of HEAD without merges; where renames are told, no commit before its descendants."""
        reading = self._planned(request, repository, state)
        after = reading.ledger.stored.head if reading.ledger and reading.ledger.stored else None
        commits: Iterator[Commit] = iter(())
        if tip.head is None or after != tip.head:
            commits = read_commits(
                repository.root, since=request.since, now=now, tip=tip, after=after, find_renames=request.follow_renames
            )

        def counting(commits: Iterator[Commit]) -> Iterator[Commit]:
            for reading.new, commit in enumerate(commits, start=1):
                yield commit
                if reading.new % _REPORT_EVERY == 0:
                    progress(reading.new, None)

        reading.commits = counting(commits)
        if reading.ledger is not None:
            reading.commits = chain(reading.ledger.commits(), reading.ledger.recording(reading.commits))
        if after and request.follow_renames and tip.head:
            head, known = tip.head, reading.commits

            def ordered() -> Iterator[Commit]:
                place = order_of(repository, head)
                yield from sorted(known, key=lambda commit: place[commit.sha])

            reading.commits = ordered()
        return reading

    def _planned(self, request: CoChangeRequest, repository: GitRepository, state: HistoryState | None) -> Reading:
        """Say what has to be read, and why all of it."""
        if state is None:
            return Reading()
        if request.since is not None:
            return Reading(why="what is asked for since a date is read from git each time")
        if request.options.max_files > MOST_PATHS:
            return Reading(why=f"the paths of commits with more than {MOST_PATHS:,} are not kept")
        stored, why = self._history.state(), ""
        if stored is None:
            return Reading(state=state, ledger=Ledger(stored=None))
        if request.full:
            why = "it was asked for"
        elif stored.with_renames != state.with_renames:
            why = "renames were not followed before" if state.with_renames else "renames were followed before"
        elif stored.shape != state.shape:
            why = "the clone was deepened or cut off, or commits were replaced"
        elif not builds_on(repository, state.head, stored.head):
            why = f"HEAD does not build on {stored.head[:12]}, which was read before: another branch or a rewrite"
        if why:
            return Reading(why=why, state=state, ledger=Ledger(stored=None))
        return Reading(how=Pass.INCREMENTAL, state=state, ledger=self._history.load())


def age_of(run: AnalysisRun, *, now: datetime) -> timedelta:
    """Return how long ago an analysis finished."""
    return now - datetime.fromisoformat(run.finished_at)


def staleness(run: AnalysisRun | None, *, now: datetime) -> str:
    """Return the sentence that says that an analysis is stale; empty when it never ran or is recent."""
    if run is None or (age := age_of(run, now=now)) <= STALE_AFTER:
        return ""
    return f"Co-changes are {age.days} days old (stale after {STALE_AFTER.days})."
