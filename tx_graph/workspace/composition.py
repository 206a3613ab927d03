"""One open workspace: it hands out its use cases, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tx_graph.codebase.repository import Root
from tx_graph.domain.edges import Direction, EdgeType
from tx_graph.ports import Clock, Embedder
from tx_graph.records.config import Config
from tx_graph.records.directory import RecordDirectory
from tx_graph.records.layout import DIRECTORY, LEARNINGS
from tx_graph.services.sync_report import SyncReport
from tx_graph.storage.database import Database
from tx_graph.storage.stores import Stores

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
        self._stores = Stores(database)
        self._clock = clock
        self._embedder = embedder
        self.synced = self._take_in_records()

    @cached_property
    def learnings(self) -> Learnings:
        """Learnings one at a time."""
        from tx_graph.services.learnings import Learnings

        return Learnings(
            database=self._database,
            store=self._stores.learnings,
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

        return Importing(learnings=self.learnings, store=self._stores.learnings, sync=self._sync)

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

        return Search(
            learnings=self._stores.learnings,
            text=self._stores.text,
            matching=Matching(
                text=self._stores.text,
                vectors=self._stores.vectors,
                selection=self._stores.selection,
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

        return Graph(
            references=self.references,
            view_of=self._view_of,
            edges=self._stores.edges,
            anchors=self._stores.anchors,
            learnings=self._stores.learnings,
            files=self._stores.files,
            analyses=self._stores.analyses,
        )

    @cached_property
    def indexing(self) -> Indexing:
        """Files and imports."""
        from tx_graph.services.indexing import Indexing

        return Indexing(
            stores=self._stores,
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

        return CoChanges(
            database=self._database,
            store=self._stores.cochanges,
            analyses=self._stores.analyses,
            repository=self._repository,
            root=self.root,
            clock=self._clock,
        )

    @cached_property
    def embedding(self) -> Embedding:
        """Vectors."""
        from tx_graph.services.embedding import Embedding

        name = self._embedder.model if self._embedder else str(self.config.get("embedder"))
        return Embedding(
            database=self._database,
            vectors=self._stores.vectors,
            name=name,
            is_installed=self._is_installed,
            open_embedder=self._open_embedder,
        )

    @cached_property
    def health(self) -> Health:
        """How the workspace is."""
        from tx_graph.services.health import Health

        return Health(
            root=self.root,
            stores=self._stores,
            directory=self._directory,
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
            learnings=self._stores.learnings,
            nodes=self._stores.nodes,
            tree=self._tree,
            listed_files=self._listed_files,
        )

    def record_problems(self) -> list[str]:
        """Return one sentence for each record file that was skipped."""
        return [
            f"{DIRECTORY}/{LEARNINGS}/{row.name}:{row.problem_line}: {row.problem}; it is skipped"
            for row in self._stores.records.problems()
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

    def _take_in_records(self) -> SyncReport:
        if self._directory.scan() == self._stores.records.stats():
            return SyncReport()
        return self._sync.refresh()

    @cached_property
    def _directory(self) -> RecordDirectory:
        return RecordDirectory(self.root / DIRECTORY / LEARNINGS)

    @cached_property
    def _sync(self) -> RecordSync:
        from tx_graph.services.record_sync import RecordSync

        return RecordSync(
            database=self._database,
            directory=self._directory,
            learnings=self._stores.learnings,
            records=self._stores.records,
            clock=self._clock,
        )

    @cached_property
    def _tree(self) -> WorkingTree:
        from tx_graph.codebase.working_tree import WorkingTree

        return WorkingTree(self.root, cwd=self._cwd)

    @cached_property
    def _anchoring(self) -> Anchoring:
        from tx_graph.services.anchoring import Anchoring

        return Anchoring(
            tree=self._tree,
            listed_files=self._listed_files,
            tracked_files=self._tracked_files,
        )

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

    @cached_property
    def _tracked_matcher(self) -> PathMatcher:
        from tx_graph.codebase.globs import PathMatcher

        repository = self._repository
        return PathMatcher(file.path for file in repository.tracked_files()) if repository else self._matcher

    def _tracked_files(self) -> PathMatcher:
        """Return the files that git tracks; outside git, every listed one."""
        return self._tracked_matcher

    def _view_of(self, types: Sequence[EdgeType], direction: Direction) -> GraphView:
        from tx_graph.services.graph_view import GraphView

        return GraphView(
            edges=self._stores.edges,
            anchors=self._stores.anchors,
            nodes=self._stores.nodes,
            learnings=self._stores.learnings,
            glob_files=self._tracked_files,
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
