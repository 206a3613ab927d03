"""One open workspace by the names of its use cases: for benchmarks and tests, which work with many of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

from tx_graph.core.kernel import Kernel
from tx_graph.core.place import place_of
from tx_graph.records.watch import Records, SyncReport
from tx_graph.workspace import open_kernel

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from tx_graph.anchors.anchors import Anchors
    from tx_graph.code.indexing import Indexing
    from tx_graph.context.gathering import Context
    from tx_graph.context.graph import Graph
    from tx_graph.context.open_files import OpenFiles
    from tx_graph.context.search import Search
    from tx_graph.core.ports import Clock, Embedder
    from tx_graph.core.settings import Config
    from tx_graph.graph.resolving import References
    from tx_graph.history.cochanges import CoChanges
    from tx_graph.learnings.learnings import Learnings
    from tx_graph.vectors.embedding import Embedding
    from tx_graph.work.runs import Runs
    from tx_graph.work.tasks import Tasks
    from tx_graph.workspace.health import Health
    from tx_graph.workspace.renewal import Renewal


_HOMES = {
    "embedding": "vectors.embedding:Embedding",
    "references": "graph.resolving:References",
    "learnings": "learnings.learnings:Learnings",
    "tasks": "work.tasks:Tasks",
    "runs": "work.runs:Runs",
    "anchors": "anchors.anchors:Anchors",
    "graph": "context.graph:Graph",
    "indexing": "code.indexing:Indexing",
    "cochanges": "history.cochanges:CoChanges",
    "search": "context.search:Search",
    "open_files": "context.open_files:OpenFiles",
    "context": "context.gathering:Context",
    "health": "workspace.health:Health",
    "renewal": "workspace.renewal:Renewal",
}
"""Where the use cases stand, below this package; each is imported when it is first asked for."""


class Workspace:
    """One repository with its memory. Close it, or use it as a context manager."""

    embedding: Embedding
    references: References
    learnings: Learnings
    tasks: Tasks
    runs: Runs
    anchors: Anchors
    graph: Graph
    indexing: Indexing
    cochanges: CoChanges
    search: Search
    open_files: OpenFiles
    context: Context
    health: Health
    renewal: Renewal

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.root = kernel.root
        self.is_git = kernel.place.root.is_git
        self._database = kernel.database
        self._database.expect_much_reading()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as it is declared above
        if name not in _HOMES:
            raise AttributeError(name)
        module, _, kind = _HOMES[name].partition(":")
        self.kernel.checkout.forget()  # each use looks at the files anew
        return self.kernel.one(getattr(import_module(f"tx_graph.{module}"), kind))

    @property
    def config(self) -> Config:
        """What `.tx/config.toml` says."""
        return self.kernel.config

    @property
    def synced(self) -> SyncReport:
        """What the last look at the record files brought."""
        return self.kernel.one(Records).synced

    def record_problems(self) -> list[str]:
        """Return one sentence for each record file that was skipped."""
        return self.kernel.one(Records).problems()

    def forget(self) -> None:
        """Stay the same: whatever may get old is asked of the kernel."""

    def close(self) -> None:
        """Close the database, and end what was started to read history."""
        self.kernel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_workspace(
    start: Path | str | None = None, *, clock: Clock | None = None, embedder: Embedder | None = None
) -> Workspace:
    """Open the workspace that `start` (the working directory, by default) lies in."""
    return open_kernel(place_of(start), clock=clock, embedder=embedder).one(Workspace)
