"""The composition root: opens a workspace and hands out its use cases, each made when it is first asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tx_graph.codebase.repository import Root, find_root
from tx_graph.domain.edges import Direction, EdgeType
from tx_graph.errors import NotInitialised
from tx_graph.ports import Clock, Embedder, SystemClock
from tx_graph.records.config import Config
from tx_graph.records.directory import RecordDirectory
from tx_graph.records.layout import CONFIG, DATABASE, DIRECTORY, LEARNINGS
from tx_graph.services.sync_report import SyncReport
from tx_graph.storage.database import Database
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.nodes import NodeStore
from tx_graph.storage.records import RecordStore

if TYPE_CHECKING:
    from types import TracebackType

    from tx_graph.codebase.globs import PathMatcher
    from tx_graph.codebase.repository import GitRepository, WorkingFile
    from tx_graph.codebase.working_tree import WorkingTree
    from tx_graph.services.anchoring import Anchoring
    from tx_graph.services.cochanges import CoChanges
    from tx_graph.services.embedding import Embedding
    from tx_graph.services.graph import Graph
    from tx_graph.services.graph_view import GraphView
    from tx_graph.services.health import Health
    from tx_graph.services.importing import Importing
    from tx_graph.services.indexing import Indexing
    from tx_graph.services.learnings import Learnings
    from tx_graph.services.linking import Linking
    from tx_graph.services.record_sync import RecordSync
    from tx_graph.services.references import References
    from tx_graph.services.search import Search

DATABASE_VARIABLE = "TX_DB"
"""Environment variable that puts the database elsewhere."""


class Workspace:
    """One repository with its memory. Close it, or use it as a context manager.

    `synced` says what the record files brought in when it was opened.
    """

    def __init__(
        self, root: Root, *, cwd: Path, database: Database, config: Config, clock: Clock, embedder: Embedder | None
    ) -> None:
        self.root = root.path
        self.is_git = root.is_git
        self.config = config
        self._cwd = cwd
        self._database = database
        self._clock = clock
        self._embedder = embedder
        self.synced = self._take_in_records()

    @cached_property
    def learnings(self) -> Learnings:
        """Learnings one at a time."""
        from tx_graph.services.learnings import Learnings

        return Learnings(
            database=self._database,
            store=self._learning_store,
            sync=self._sync,
            references=self.references,
            anchoring=self._anchoring,
            embedding=self.embedding,
            clock=self._clock,
        )

    @cached_property
    def importing(self) -> Importing:
        """Learnings many at once."""
        from tx_graph.services.importing import Importing

        return Importing(learnings=self.learnings, store=self._learning_store, sync=self._sync)

    @cached_property
    def linking(self) -> Linking:
        """Anchors and links."""
        from tx_graph.services.linking import Linking

        return Linking(database=self._database, references=self.references, anchoring=self._anchoring, sync=self._sync)

    @cached_property
    def search(self) -> Search:
        """Questions."""
        from tx_graph.services.search import Search
        from tx_graph.services.search.matching import Matching
        from tx_graph.storage.selection import SelectionStore
        from tx_graph.storage.text_search import TextSearch
        from tx_graph.storage.vector_search import VectorStore

        text = TextSearch(self._database)
        return Search(
            learnings=self._learning_store,
            text=text,
            matching=Matching(
                text=text,
                vectors=VectorStore(self._database),
                selection=SelectionStore(self._database),
                embedding=self.embedding,
                anchoring=self._anchoring,
                min_similarity=float(self.config.get("search.min_similarity")),
            ),
            embedding=self.embedding,
            anchoring=self._anchoring,
            view_of=self._view_of,
            clock=self._clock,
        )

    @cached_property
    def graph(self) -> Graph:
        """What is connected with what."""
        from tx_graph.services.graph import Graph
        from tx_graph.storage.analyses import AnalysisStore
        from tx_graph.storage.anchors import AnchorStore
        from tx_graph.storage.edges import EdgeStore
        from tx_graph.storage.files import FileStore

        return Graph(
            references=self.references,
            view_of=self._view_of,
            edges=EdgeStore(self._database),
            anchors=AnchorStore(self._database),
            learnings=self._learning_store,
            files=FileStore(self._database),
            analyses=AnalysisStore(self._database),
        )

    @cached_property
    def indexing(self) -> Indexing:
        """Files and imports."""
        from tx_graph.services.indexing import Indexing
        from tx_graph.storage.analyses import AnalysisStore
        from tx_graph.storage.files import FileStore
        from tx_graph.storage.imports import ImportStore

        return Indexing(
            database=self._database,
            files=FileStore(self._database),
            imports=ImportStore(self._database),
            analyses=AnalysisStore(self._database),
            tree=self._tree,
            list_files=self._list_files,
            head=lambda: self._repository.head() if self._repository else None,
            clock=self._clock,
            max_file_size=int(self.config.get("index.max_file_size")),
        )

    @cached_property
    def cochanges(self) -> CoChanges:
        """Which files change together."""
        from tx_graph.services.cochanges import CoChanges
        from tx_graph.storage.analyses import AnalysisStore
        from tx_graph.storage.cochanges import CoChangeStore

        return CoChanges(
            database=self._database,
            store=CoChangeStore(self._database),
            analyses=AnalysisStore(self._database),
            repository=self._repository,
            root=self.root,
            clock=self._clock,
        )

    @cached_property
    def embedding(self) -> Embedding:
        """Vectors."""
        from tx_graph.services.embedding import Embedding
        from tx_graph.storage.vector_search import VectorStore

        name = self._embedder.model if self._embedder else str(self.config.get("embedder"))
        return Embedding(
            database=self._database,
            vectors=VectorStore(self._database),
            name=name,
            is_installed=self._is_installed,
            open_embedder=self._open_embedder,
        )

    @cached_property
    def health(self) -> Health:
        """How the workspace is."""
        from tx_graph.services.health import Health
        from tx_graph.storage.maintenance import Maintenance

        return Health(
            root=self.root,
            database=self._database,
            maintenance=Maintenance(self._database),
            repository=self._repository,
            graph=self.graph,
            embedding=self.embedding,
            sync=self._sync,
            model_state=self._model_state,
            clock=self._clock,
        )

    @cached_property
    def references(self) -> References:
        """What names mean."""
        from tx_graph.services.references import References

        return References(
            learnings=self._learning_store,
            nodes=NodeStore(self._database),
            tree=self._tree,
            listed_files=self._listed_files,
        )

    def record_problems(self) -> list[str]:
        """Return one sentence for each record file that was skipped."""
        return [
            f"{DIRECTORY}/{LEARNINGS}/{row.name}:{row.problem_line}: {row.problem}; it is skipped"
            for row in self._records.problems()
        ]

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def _learning_store(self) -> LearningStore:
        return LearningStore(self._database)

    def _take_in_records(self) -> SyncReport:
        if self._directory.scan() == self._records.stats():
            return SyncReport()
        return self._sync.refresh()

    @cached_property
    def _directory(self) -> RecordDirectory:
        return RecordDirectory(self.root / DIRECTORY / LEARNINGS)

    @cached_property
    def _records(self) -> RecordStore:
        return RecordStore(self._database)

    @cached_property
    def _sync(self) -> RecordSync:
        from tx_graph.services.record_sync import RecordSync

        return RecordSync(
            database=self._database,
            directory=self._directory,
            learnings=self._learning_store,
            records=self._records,
            clock=self._clock,
        )

    @cached_property
    def _tree(self) -> WorkingTree:
        from tx_graph.codebase.working_tree import WorkingTree

        return WorkingTree(self.root, cwd=self._cwd)

    @cached_property
    def _anchoring(self) -> Anchoring:
        from tx_graph.services.anchoring import Anchoring

        return Anchoring(tree=self._tree, listed_files=self._listed_files)

    @cached_property
    def _repository(self) -> GitRepository | None:
        from tx_graph.codebase.repository import GitRepository

        return GitRepository(self.root) if self.is_git else None

    def _list_files(self, on_skip: Callable[[str], None]) -> list[WorkingFile]:
        from tx_graph.codebase.repository import walk_files

        if self._repository is not None:
            return self._repository.list_files(on_skip=on_skip)
        return walk_files(self.root, on_skip=on_skip)

    @cached_property
    def _matcher(self) -> PathMatcher:
        from tx_graph.codebase.globs import PathMatcher

        return PathMatcher(file.path for file in self._list_files(lambda _: None))

    def _listed_files(self) -> PathMatcher:
        return self._matcher

    def _view_of(self, types: Sequence[EdgeType], direction: Direction) -> GraphView:
        from tx_graph.services.graph_view import GraphView
        from tx_graph.storage.anchors import AnchorStore
        from tx_graph.storage.edges import EdgeStore

        return GraphView(
            edges=EdgeStore(self._database),
            anchors=AnchorStore(self._database),
            nodes=NodeStore(self._database),
            learnings=self._learning_store,
            listed_files=self._listed_files,
            types=types,
            direction=direction,
        )

    def _is_installed(self, name: str) -> bool:
        from tx_graph.embeddings import is_installed

        return self._embedder is not None or is_installed(name)

    def _open_embedder(self, name: str, *, bulk: bool) -> Embedder:
        from tx_graph.embeddings import open_embedder

        return self._embedder or open_embedder(name, bulk=bulk)

    def _model_state(self) -> tuple[bool, str]:
        from tx_graph.embeddings import DEFAULT_MODEL
        from tx_graph.embeddings.model_store import ModelState, ModelStore

        if self.embedding.name != DEFAULT_MODEL:
            return True, self.embedding.name
        status = ModelStore().status()
        if status.state is ModelState.INSTALLED:
            return True, f"{DEFAULT_MODEL} in {status.path}"
        detail = f": {status.detail}" if status.state is ModelState.DAMAGED else ""
        return False, f"{DEFAULT_MODEL} is {status.state}{detail}"


def open_workspace(
    start: Path | str | None = None, *, clock: Clock | None = None, embedder: Embedder | None = None
) -> Workspace:
    """Open the workspace that `start` (the working directory, by default) lies in.

    Raises:
        NotInitialised: There is no `.tx` directory there.
        RepositoryError: `start` is inside a git directory or a bare repository.
        StorageError: The database cannot be opened.
        UsageError: The configuration is not valid.
    """
    cwd = Path(start) if start is not None else Path.cwd()
    root = find_root(cwd)
    if root is None or not (root.path / DIRECTORY).is_dir():
        where = root.path if root else cwd.resolve()
        raise NotInitialised(f"There is no .tx directory at or above {where}.", hint="Run 'tx init' there first.")
    config = Config(root.path / DIRECTORY / CONFIG)
    path = Path(os.environ.get(DATABASE_VARIABLE) or root.path / DIRECTORY / DATABASE)
    database = Database.open(path)
    try:
        return Workspace(
            root, cwd=cwd, database=database, config=config, clock=clock or SystemClock(), embedder=embedder
        )
    except BaseException:
        database.close()
        raise
