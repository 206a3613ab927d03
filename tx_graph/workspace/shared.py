"""What the use cases of a workspace share, each made when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self

from tx_graph.core.kernel import Kernel
from tx_graph.core.settings import Config
from tx_graph.core.stores import Stores
from tx_graph.records.watch import Records, SyncReport

if TYPE_CHECKING:
    from types import TracebackType

    from tx_graph.anchors.relocating import Standings
    from tx_graph.anchors.sources import Sources
    from tx_graph.anchors.taking import Anchoring
    from tx_graph.graph.resolving import References
    from tx_graph.records.learning import Learning
    from tx_graph.records.sync import AllRecords, RecordSync
    from tx_graph.vectors.embedding import Embedding
    from tx_graph.work.references import WorkReferences


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
    def _work(self) -> WorkReferences:
        from tx_graph.work.references import WorkReferences

        return self.kernel.one(WorkReferences)

    @property
    def _anchoring(self) -> Anchoring:
        from tx_graph.anchors.taking import Anchoring

        return self.kernel.one(Anchoring)

    @property
    def _sources(self) -> Sources:
        from tx_graph.anchors.sources import sources

        return self.kernel.one(sources)

    @property
    def _standings(self) -> Standings:
        from tx_graph.anchors.relocating import Standings

        return self.kernel.one(Standings)
