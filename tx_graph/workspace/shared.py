"""What the use cases of a workspace share, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Self

from tx_graph.core.kernel import Kernel
from tx_graph.core.settings import Config
from tx_graph.core.stores import Stores
from tx_graph.graph.edges import Direction, EdgeType
from tx_graph.records.watch import Records, SyncReport
from tx_graph.version import __version__

if TYPE_CHECKING:
    from types import TracebackType

    from tx_graph.anchors.evidence import Evidence
    from tx_graph.anchors.judging import Judging
    from tx_graph.anchors.life import Writing
    from tx_graph.anchors.relocating import Checking, Relocating, Standings
    from tx_graph.anchors.sources import Sources
    from tx_graph.anchors.taking import Anchoring
    from tx_graph.context.graph_view import GraphView
    from tx_graph.graph.resolving import References
    from tx_graph.knowledge.entity import Entity
    from tx_graph.knowledge.fact import Fact
    from tx_graph.records.learning import Learning
    from tx_graph.records.sync import AllRecords, RecordSync
    from tx_graph.vectors.embedding import Embedding
    from tx_graph.work.references import WorkReferences


_LASTING = frozenset({"_anchor_search", "_judging", "recall", "retrievers"})
"""What a workspace keeps from one use to the next: models, parsed files, and answers that know their version."""


class Shared:
    """One repository, opened: its files, its database, its settings, and what several use cases need."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.root = kernel.root
        self.is_git = kernel.place.root.is_git
        self._checkout = kernel.checkout
        self._database = kernel.database
        self._database.expect_much_reading()
        self._stores = Stores(kernel.database)
        self._clock = kernel.clock

    @property
    def config(self) -> Config:
        """What `.tx/config.toml` says."""
        return self.kernel.config

    @property
    def synced(self) -> SyncReport:
        """What the last look at the record files brought."""
        return self.kernel.one(Records).synced

    @property
    def embedding(self) -> Embedding:
        """Vectors."""
        from tx_graph.vectors.embedding import Embedding

        return self.kernel.one(Embedding)

    @property
    def references(self) -> References:
        """What names mean."""
        from tx_graph.graph.resolving import References

        return self.kernel.one(References)

    def record_problems(self) -> list[str]:
        """Return one sentence for each record file that was skipped."""
        return self.kernel.one(Records).problems()

    def forget(self) -> None:
        """Let what was read of files and of history count as old: a workspace may live long.

        What is costly to make and looks for itself whether it is still right is kept.
        """
        for name in [name for name in vars(self) if isinstance(getattr(type(self), name, None), cached_property)]:
            if name not in _LASTING:
                del vars(self)[name]

    def close(self) -> None:
        """Close the database, and end what was started to read history."""
        self.kernel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _all_records(self) -> AllRecords:
        from tx_graph.records.kinds import all_records

        return self.kernel.one(all_records)

    @property
    def _sync(self) -> RecordSync[Learning]:
        from tx_graph.records.kinds import learning_sync

        return self.kernel.one(learning_sync)

    @property
    def _fact_sync(self) -> RecordSync[Fact]:
        from tx_graph.records.kinds import fact_sync

        return self.kernel.one(fact_sync)

    @property
    def _entity_sync(self) -> RecordSync[Entity]:
        from tx_graph.records.kinds import entity_sync

        return self.kernel.one(entity_sync)

    @property
    def _work(self) -> WorkReferences:
        from tx_graph.work.references import WorkReferences

        return self.kernel.one(WorkReferences)

    @property
    def _anchoring(self) -> Anchoring:
        from tx_graph.anchors.taking import anchoring

        return self.kernel.one(anchoring)

    @property
    def _sources(self) -> Sources:
        from tx_graph.anchors.sources import sources

        return self.kernel.one(sources)

    @cached_property
    def _judging(self) -> Judging:
        from tx_graph.anchors.judging import Judging

        checkout = self._checkout
        return Judging(tree=checkout.tree, sources=self._sources, glob_files=checkout.tracked_files)

    @cached_property
    def _relocating(self) -> Relocating:
        from tx_graph.anchors.relocating import Relocating

        return Relocating(
            sources=self._sources,
            judging=self._judging,
            other_files=lambda _: self._checkout.listed_files().paths,
            evidence=self._evidence,
        )

    @cached_property
    def _anchor_writing(self) -> Writing:
        from tx_graph.anchors.life import Writing

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
        from tx_graph.anchors.evidence import Evidence
        from tx_graph.history.past import Past

        if self._checkout.askable is None:
            return None
        return Evidence(self.kernel.enter(Past(self._checkout.askable)))

    @property
    def _standings(self) -> Standings:
        from tx_graph.anchors.relocating import standings

        return self.kernel.one(standings)

    def _checking(self, relocating: Relocating) -> Checking:
        from tx_graph.anchors.relocating import Checking
        from tx_graph.anchors.sources import Contents

        files = self._stores.anchored_files
        return Checking(
            contents=Contents(tree=self._checkout.tree, sources=self._sources, files=files),
            judging=self._judging,
            relocating=relocating,
            version=__version__,
        )

    def _view_of(self, types: Sequence[EdgeType], direction: Direction) -> GraphView:
        from tx_graph.context.graph_view import GraphView

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
