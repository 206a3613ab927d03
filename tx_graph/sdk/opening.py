"""How a program comes by a workspace."""

from __future__ import annotations

from pathlib import Path

from tx_graph.errors import RepositoryError
from tx_graph.ports import Clock, Embedder, Progress, no_progress
from tx_graph.sdk.workspace import Workspace


def open_workspace(
    start: Path | str | None = None, *, clock: Clock | None = None, embedder: Embedder | None = None
) -> Workspace:
    """Return the workspace that `start` (the working directory, by default) lies in.

    Paths that are given to it may be relative to `start`.

    Raises:
        NotInitialised: There is no `.tx` directory there; `init_workspace` makes one.
        RepositoryError: `start` is inside a git directory or a bare repository.
        StorageError: The database cannot be opened.
        UsageError: The configuration is not valid.

    Example:
        >>> from tx_graph import open_workspace
        >>> with open_workspace() as workspace:
        ...     added = workspace.learnings.add("Tokens are secret", anchors=["src/tokens.py::verify"])
        ...     [result.stored.ref for result in workspace.search("secret tokens").results]
        ['learning:1']
    """
    workspace = Workspace(_absolute(start), clock=clock, embedder=embedder)
    workspace.record_problems()  # so that whatever is wrong is said here
    return workspace


def init_workspace(
    start: Path | str | None = None,
    *,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    progress: Progress = no_progress,
) -> Workspace:
    """Return the workspace of a repository, made and indexed as by `tx init`; what exists already stays as it is.

    In git, `.tx` lies at the top of the working tree. Progress starts anew for each thing that is read.

    Raises:
        RepositoryError: `start` is no directory, or inside a git directory or a bare repository, or git fails.
        StorageError: The directory or the database cannot be written.

    Example:
        >>> from tx_graph import init_workspace
        >>> with init_workspace() as workspace:
        ...     workspace.graph.imports("src/auth.py").steps[0].target
        'src/tokens.py'
    """
    from tx_graph.services.setup import prepare

    place = _absolute(start)
    if not place.is_dir():
        raise RepositoryError(f"There is no directory {place}.")
    is_git = prepare(place).is_git
    workspace = Workspace(place, clock=clock, embedder=embedder)
    try:
        workspace.index(with_cochanges=is_git, progress=progress)
    except BaseException:
        workspace.close()
        raise
    return workspace


def _absolute(start: Path | str | None) -> Path:
    return Path.cwd() if start is None else Path(start).absolute()
