"""What the use cases of a workspace share, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from tx_graph.codebase.repository import Root
from tx_graph.domain.edges import Direction, EdgeType
from tx_graph.ports import Clock, Embedder
from tx_graph.records.config import Config
from tx_graph.records.directory import RecordDirectory
from tx_graph.records.layout import DIRECTORY, ENTITIES, FACTS, LEARNINGS
from tx_graph.services.sync_report import SyncReport
from tx_graph.storage.database import Database
from tx_graph.storage.stores import Stores
from tx_graph.version import __version__
from tx_graph.workspace.checkout import Checkout

if TYPE_CHECKING:
    from types import TracebackType

    from tx_graph.domain.entity import Entity
    from tx_graph.domain.fact import Fact
    from tx_graph.domain.learning import Learning
    from tx_graph.records.front_matter import RecordFormat
    from tx_graph.services.anchor_life.writing import Writing
    from tx_graph.services.anchoring.checking import Checking
    from tx_graph.services.anchoring.evidence import Evidence
    from tx_graph.services.anchoring.judging import Judging
    from tx_graph.services.anchoring.relocating import Relocating
    from tx_graph.services.anchoring.sources import Sources
    from tx_graph.services.anchoring.taking import Anchoring
    from tx_graph.services.embedding import Embedding
    from tx_graph.services.graph_view import GraphView
    from tx_graph.services.index_freshness import IndexFreshness
    from tx_graph.services.indexed_places import IndexedPlaces
    from tx_graph.services.record_sync import AllRecords, RecordSync
    from tx_graph.services.record_watch import RecordWatch
    from tx_graph.services.references import References
    from tx_graph.services.standings import Standings
    from tx_graph.services.work_references import WorkReferences
    from tx_graph.storage.records import Shelf

T = TypeVar("T")
KINDS = (ENTITIES, FACTS, LEARNINGS)
"""What has records, by the names of their directories: what names mean comes before what is said of them."""
_LASTING = frozenset(
    {"_anchor_search", "_judging", "_sources", "_standings", "_watches", "embedding", "recall", "retrievers"}
)
"""What a workspace keeps from one use to the next: models, parsed files, and answers that know their version."""


class Shared:
    """One repository, opened: its files, its database, its settings, and what several use cases need.

    `synced` says what the record files brought in when it was opened.
    """

    def __init__(
        self, root: Root, *, cwd: Path, database: Database, config: Config, clock: Clock, embedder: Embedder | None
    ) -> None:
        self.root = root.path
        self.is_git = root.is_git
        self.config = config
        self._checkout = Checkout(root, cwd=cwd, config=config, clock=clock)
        self._database = database
        self._stores = Stores(database)
        self._clock = clock
        self._embedder = embedder
        self._closing = ExitStack()
        self.synced = SyncReport()
        self.take_in_records()

    @cached_property
    def embedding(self) -> Embedding:
        """Vectors."""
        from tx_graph.services.embedding import Embedding

        name = self._embedder.model if self._embedder else str(self.config.get("embedder"))
        return Embedding(
            database=self._database,
            vectors=self._stores.vectors,
            chunk_vectors=self._stores.chunk_vectors,
            entity_vectors=self._stores.entity_vectors,
            name=name,
            is_installed=self._is_installed,
            open_embedder=self._open_embedder,
        )

    @cached_property
    def references(self) -> References:
        """What names mean."""
        from tx_graph.services.references import References

        return References(
            learnings=self._stores.learnings,
            nodes=self._stores.nodes,
            sections=self._stores.sections,
            entities=self._stores.entities,
            tree=self._checkout.tree,
            sources=self._sources,
            listed_files=self._checkout.listed_files,
            work=lambda: self._work,
        )

    def record_problems(self) -> list[str]:
        """Return one sentence for each record file that was skipped."""
        return [
            f"{DIRECTORY}/{kind}/{row.name}:{row.problem_line}: {row.problem}; it is skipped"
            for kind in KINDS
            for row in self._stores.records_of(kind).problems()
        ]

    def take_in_records(self, *, fully: bool = True) -> None:
        """Take in the records that changed on disk, and say in `synced` what that brought.

        What was written into a record in place is only seen `fully`.

        Raises:
            StorageError: The records or the database cannot be read.
        """
        self.synced = SyncReport.sum([watch.take_in(fully=fully) for watch in self._watches])

    def record_count(self) -> int:
        """Return how many records there were when they were last looked at."""
        return sum(map(len, self._watches))

    def record_times(self) -> tuple[int, ...]:
        """Return when a record last came, went or was replaced, in ns, by kind; 0 where there is no directory."""
        return tuple(self._directory(kind).changed_ns() for kind in KINDS)

    def forget(self) -> None:
        """Let what was read of files and of history count as old: a workspace may live long.

        What is costly to make and looks for itself whether it is still right is kept.
        """
        self._closing.close()
        for name in [name for name in vars(self) if isinstance(getattr(type(self), name, None), cached_property)]:
            if name not in _LASTING:
                del vars(self)[name]
        self._checkout.forget()
        self._sources.forget()

    def has_lost_its_database(self) -> bool:
        """Whether another file, another schema or nothing is where the database was."""
        return self._database.is_replaced()

    def close(self) -> None:
        """Close the database, and end what was started to read history."""
        self._closing.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _directory(self, kind: str) -> RecordDirectory:
        return RecordDirectory(self.root / DIRECTORY / kind)

    @cached_property
    def _watches(self) -> tuple[RecordWatch, ...]:
        from tx_graph.services.record_watch import RecordWatch

        return tuple(
            RecordWatch(
                directory=self._directory(kind),
                records=self._stores.records_of(kind),
                open_sync=partial(self._open_sync, kind),
            )
            for kind in KINDS
        )

    @cached_property
    def _all_records(self) -> AllRecords:
        from tx_graph.services.record_sync import AllRecords

        return AllRecords(kinds={kind: self._open_sync(kind) for kind in KINDS})

    def _open_sync(self, kind: str) -> RecordSync[Any]:
        if kind == ENTITIES:
            return self._entity_sync
        return self._fact_sync if kind == FACTS else self._sync

    @cached_property
    def _sync(self) -> RecordSync[Learning]:
        from tx_graph.records.format import LEARNING_FORMAT

        return self._sync_of(self._stores.learnings, LEARNING_FORMAT)

    @cached_property
    def _fact_sync(self) -> RecordSync[Fact]:
        from tx_graph.records.fact_format import FACT_FORMAT

        return self._sync_of(self._stores.facts, FACT_FORMAT)

    @cached_property
    def _entity_sync(self) -> RecordSync[Entity]:
        from tx_graph.records.entity_format import ENTITY_FORMAT

        return self._sync_of(self._stores.entities, ENTITY_FORMAT)

    def _sync_of(self, shelf: Shelf[T], form: RecordFormat[T]) -> RecordSync[T]:
        from tx_graph.services.record_sync import RecordSync

        return RecordSync(
            database=self._database,
            directory=self._directory(form.directory),
            shelf=shelf,
            form=form,
            records=self._stores.records_of(form.directory),
            clock=self._clock,
            settled=self._follow_mentions,
        )

    def _follow_mentions(self) -> None:
        """Let mentions follow what was written. Needs a transaction."""
        if not self._stores.mentions.is_current():
            from tx_graph.services.mentions import Mentions

            Mentions(self._stores).refresh()

    @cached_property
    def _work(self) -> WorkReferences:
        from tx_graph.services.work_references import WorkReferences

        return WorkReferences(tasks=self._stores.tasks, runs=self._stores.runs)

    @cached_property
    def _indexed_places(self) -> IndexedPlaces:
        from tx_graph.services.indexed_places import IndexedPlaces

        return IndexedPlaces(references=self.references, tree=self._checkout.tree, files=self._stores.files)

    @cached_property
    def _index_freshness(self) -> IndexFreshness:
        from tx_graph.services.index_freshness import IndexFreshness

        return IndexFreshness(
            files=self._stores.files,
            imports=self._stores.imports,
            analyses=self._stores.analyses,
            tree=self._checkout.tree,
            list_files=self._checkout.list_files,
        )

    @cached_property
    def _anchoring(self) -> Anchoring:
        from tx_graph.services.anchoring.taking import Anchoring

        return Anchoring(
            tree=self._checkout.tree,
            sources=self._sources,
            listed_files=self._checkout.listed_files,
            tracked_files=self._checkout.tracked_files,
        )

    @cached_property
    def _sources(self) -> Sources:
        from tx_graph.services.anchoring.sources import Sources

        return Sources(self._checkout.tree)

    @cached_property
    def _judging(self) -> Judging:
        from tx_graph.services.anchoring.judging import Judging

        checkout = self._checkout
        return Judging(tree=checkout.tree, sources=self._sources, glob_files=checkout.tracked_files)

    @cached_property
    def _relocating(self) -> Relocating:
        from tx_graph.services.anchoring.relocating import Relocating

        return Relocating(
            sources=self._sources,
            judging=self._judging,
            other_files=lambda _: self._checkout.listed_files().paths,
            evidence=self._evidence,
        )

    @cached_property
    def _anchor_writing(self) -> Writing:
        from tx_graph.services.anchor_life.writing import Writing

        return Writing(
            stores=self._stores,
            references=self.references,
            anchoring=self._anchoring,
            sync=self._sync,
            clock=self._clock,
            who=self._checkout.user,
        )

    @cached_property
    def _evidence(self) -> Evidence | None:
        """What history knows; None where there is no git to ask."""
        from tx_graph.codebase.past import Past
        from tx_graph.services.anchoring.evidence import Evidence

        if self._checkout.askable is None:
            return None
        return Evidence(self._closing.enter_context(Past(self._checkout.askable)))

    @cached_property
    def _standings(self) -> Standings:
        from tx_graph.services.anchoring.relocating import Relocating
        from tx_graph.services.standings import Standings

        relocating = Relocating(
            sources=self._sources,
            judging=self._judging,
            other_files=self._stores.symbols.files_declaring,
            evidence=None,
        )
        return Standings(anchors=self._stores.anchors, checking=self._checking(relocating), look_again=self._look_again)

    def _look_again(self) -> None:
        """Let what was read of the working tree count as old: what is shown is judged by the files as they are."""
        self._sources.forget()
        self._checkout.look_again()

    def _checking(self, relocating: Relocating) -> Checking:
        from tx_graph.services.anchoring.checking import Checking
        from tx_graph.services.anchoring.contents import Contents

        files = self._stores.anchored_files
        return Checking(
            contents=Contents(tree=self._checkout.tree, sources=self._sources, files=files),
            judging=self._judging,
            relocating=relocating,
            version=__version__,
        )

    def _view_of(self, types: Sequence[EdgeType], direction: Direction) -> GraphView:
        from tx_graph.services.graph_view import GraphView

        return GraphView(
            edges=self._stores.edges,
            anchors=self._stores.anchors,
            nodes=self._stores.nodes,
            learnings=self._stores.learnings,
            entities=self._stores.entities,
            glob_files=self._checkout.tracked_files,
            types=types,
            direction=direction,
        )

    def _is_installed(self, name: str) -> bool:
        from tx_graph.embeddings import is_installed

        return self._embedder is not None or is_installed(name)

    def _open_embedder(self, name: str, *, bulk: bool) -> Embedder:
        from tx_graph.embeddings import open_embedder

        return self._embedder or open_embedder(name, bulk=bulk)
