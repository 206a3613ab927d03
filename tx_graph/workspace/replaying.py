"""Opens a replay: the product itself, at work in a replica of the repository that stands in the past."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.core.errors import RepositoryError
from tx_graph.core.kernel import SystemClock
from tx_graph.core.place import CONFIG, DATABASE, DIRECTORY, Place, Root, find_root, place_of
from tx_graph.core.ports import Clock
from tx_graph.core.repository import GitRepository
from tx_graph.core.settings import Config, weight_key
from tx_graph.workspace import open_kernel
from tx_graph.workspace.composition import Workspace

if TYPE_CHECKING:
    from tx_graph.context.replay import Replay, State, Way
    from tx_graph.history.replica import Replica
    from tx_graph.history.sampling import Question


def open_replay(start: Path | str | None = None, *, clock: Clock | None = None) -> Replay:
    """Return what replays the history of the repository that `start` (the working directory, by default) lies in.

    It needs no `.tx`; where there is one, its settings count.
    """
    from tx_graph.context.replay import Replay

    root = _git_root(Path(start) if start is not None else Path.cwd())
    config = Config(root / DIRECTORY / CONFIG)
    repository = GitRepository(root)
    return Replay(
        repository=repository,
        open_states=lambda: _states_of(repository, config),
        weights=config.weights(),
        is_workspace=(root / DIRECTORY).is_dir(),
        clock=clock or SystemClock(),
    )


def _git_root(start: Path) -> Path:
    root = find_root(start)
    if root is None or not root.is_git:
        where = root.path if root else start.resolve()
        raise RepositoryError(f"{where} is not in a git repository, so there is no history to replay.")
    return root.path


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
        from tx_graph.code.words import refresh_words
        from tx_graph.history.cochanges import CoChangeAnalysis
        from tx_graph.history.evidence import refresh_messages

        self._replica.go_to(commit)
        root = self._replica.root
        place = Place(root=Root(path=root, is_git=True), cwd=root, database=self._database)
        clock = _Standstill(GitRepository(root).time_of(commit))
        with open_kernel(place, config=self._config, clock=clock) as kernel:
            workspace = kernel.one(Workspace)
            workspace.indexing.run()
            refresh_words(kernel)
            refresh_messages(kernel)
            workspace.embedding.catch_up()
            workspace.kernel.one(CoChangeAnalysis).analyze_cochanges()
            yield _State(workspace)


class _State:
    """One open workspace of the past."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def rank(self, question: Question, way: Way, *, limit: int) -> Sequence[str]:
        """Return the files that the question is about, best first."""
        ranked = self._workspace.file_ranking.rank(
            question.text, open_files=question.open_files, method=way.method, limit=limit, weights=way.weights
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
