"""Opens a replay: the product itself, at work in a replica of the repository that stands in the past."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from signal import SIGTERM, signal
from types import FrameType
from typing import TYPE_CHECKING, Annotated

from tx_graph.code.indexing import Indexing
from tx_graph.context.ranking import rank_files
from tx_graph.context.ranking_evidence import Method
from tx_graph.context.replay import Replay, ReplayReport, ReplayRequest, State, Way
from tx_graph.core.arguments import Arg, choices
from tx_graph.core.dataclass import replace
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.kernel import Kernel, SystemClock
from tx_graph.core.place import CONFIG, DATABASE, DIRECTORY, Place, Root, find_root, place_of
from tx_graph.core.ports import Clock, Progress, no_progress
from tx_graph.core.repository import GitRepository
from tx_graph.core.settings import Config, weight_key
from tx_graph.vectors.embedding import Embedding
from tx_graph.workspace import open_kernel

if TYPE_CHECKING:
    from tx_graph.history.replica import Replica
    from tx_graph.history.sampling import Question


def open_replay(start: Path | str | None = None, *, clock: Clock | None = None) -> Replay:
    """Return what replays the history of the repository that `start` (the working directory, by default) lies in.

    It needs no `.tx`; where there is one, its settings count.
    """
    place = Path(start) if start is not None else Path.cwd()
    found = find_root(place)
    if found is None or not found.is_git:
        where = found.path if found else place.resolve()
        raise RepositoryError(f"{where} is not in a git repository, so there is no history to replay.")
    root = found.path
    config = Config(root / DIRECTORY / CONFIG)
    repository = GitRepository(root)
    return Replay(
        repository=repository,
        open_states=lambda: _states_of(repository, config),
        weights=config.weights(),
        is_workspace=(root / DIRECTORY).is_dir(),
        clock=clock or SystemClock(),
    )


@contextmanager
def _states_of(repository: GitRepository, config: Config) -> Iterator[_States]:
    from tx_graph.history.replica import replica_of

    with replica_of(repository) as replica:
        yield _States(replica, config)


class _States:
    """The past of a repository, opened as a workspace; one database goes along, so that only what differs is read."""

    def __init__(self, replica: Replica, config: Config) -> None:
        self._replica = replica
        self._config = config
        self._database = replica.root.parent / DATABASE

    @contextmanager
    def at(self, commit: str) -> Iterator[State]:
        """Yield the state at a commit, with all that is read of files and history."""
        from tx_graph.code.chunks import refresh_chunks
        from tx_graph.history.cochanges import CoChangeAnalysis
        from tx_graph.history.evidence import refresh_messages

        self._replica.go_to(commit)
        root = self._replica.root
        place = Place(root=Root(path=root, is_git=True), cwd=root, database=self._database)
        clock = _Standstill(GitRepository(root).time_of(commit))
        with open_kernel(place, config=self._config, clock=clock, is_lasting=False) as kernel:
            kernel.one(Indexing).run()
            refresh_chunks(kernel)
            refresh_messages(kernel)
            kernel.one(Embedding).catch_up()
            kernel.one(CoChangeAnalysis).analyze_cochanges()
            kernel.database.expect_much_reading()
            yield _State(kernel)


class _State:
    """One open workspace of the past."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def rank(self, question: Question, way: Way, *, limit: int) -> Sequence[str]:
        """Return the files that the question is about, best first."""
        ranked = rank_files(
            self._kernel,
            question.text,
            open_files=question.open_files,
            method=way.method,
            limit=limit,
            weights=way.weights,
        )
        return [file.path for file in ranked]


class _Standstill:
    """A clock that stands at the time of a commit: it is then that the question is asked."""

    def __init__(self, time: int) -> None:
        self._moment = datetime.fromtimestamp(time, tz=UTC)

    def now(self) -> datetime:
        """Return that time."""
        return self._moment


def store_weights(changes: Mapping[str, float], start: Path | str | None = None) -> Path:
    """Write weights to the settings of the workspace that `start` lies in; return the file."""
    config = Config(place_of(start).config)
    for name, value in changes.items():
        config.set(weight_key(name), f"{value:g}")
    return config.path


def bench(
    start: Path,
    *,
    samples: Annotated[int, Arg("N", "Most commits to replay, at least 1.")] = 100,
    seed: Annotated[int, Arg("N", "Another number draws other commits.")] = 0,
    since: Annotated[str | None, Arg("WHEN", 'Replay later commits only: "2 years ago" or a date.')] = None,
    methods: Annotated[Sequence[str] | None, Arg("A,B", f"Only these: {choices(Method)}.")] = None,
    tune: Annotated[bool, Arg(help="Find better weights on the older half, and try them on the newer half.")] = False,
    write: Annotated[bool, Arg(help="With --tune: store the weights if they did better there.")] = False,
    fail_under: Annotated[
        float | None, Arg("F", "Exit with status 1 if recall@10 of ranking from words is less.")
    ] = None,
    progress: Progress = no_progress,
) -> ReplayReport:
    """Replay this repository's history: would tx have found the files that each commit went on to change?

    Each sampled commit is asked about at its parent, in a temporary copy: from its subject alone, and with one of its
    files open. Commits qualify that are no merges, not in the first fifth of history, and changed 2 to 10 paths, at
    least two of them files that existed before; those are what is to be found. Needs no .tx; the working tree is
    left alone.

    Recall@k is the share of these files among the first k; MRR is 1 divided by the place of the first one, 0 beyond
    ten. In brackets stand 95 % bootstrap intervals.

    Example:
      tx bench
      tx bench --samples 300 --since "2 years ago" --json
      tx bench --tune --write
      tx bench --methods fusion,ranking --fail-under 0.5
    """
    wanted = [name.strip() for name in methods] if methods is not None else list(Method)
    for name in wanted:
        if name not in set(Method):
            raise UsageError(
                f"There is no method '{name}'.", candidates=get_close_matches(name, list(Method)) or list(Method)
            )
    asked = tuple(method for method in Method if method in wanted)
    request = ReplayRequest(samples=samples, seed=seed, since=since, methods=asked, signals=methods is None, tune=tune)
    # What would only turn out to be impossible after minutes is refused now.
    if write and not tune:
        raise UsageError("--write stores the weights that --tune finds.", hint="Give both.")
    if write:
        open_kernel(place_of(start)).close()
    if fail_under is not None and not 0 <= fail_under <= 1:
        raise UsageError(f"--fail-under must be from 0 to 1, not {fail_under:g}.")
    if fail_under is not None and Method.RANKING not in asked:
        raise UsageError("--fail-under is about ranking.", hint="Name it among --methods, or leave those out.")
    with _ending_cleanly():
        report = open_replay(start).run(request, progress=progress)
    if write and report.tuning and report.tuning.is_better:
        written = str(store_weights(report.tuning.changes, start))
        report = replace(report, tuning=replace(report.tuning, written=written))
    return report


@contextmanager
def _ending_cleanly() -> Iterator[None]:
    """End as when interrupted, so that the temporary copy goes: CI ends a job that takes too long by SIGTERM."""

    def end(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal(SIGTERM, end)
    try:
        yield
    finally:
        signal(SIGTERM, before)  # who runs commands in a process of its own decides again how that one ends
