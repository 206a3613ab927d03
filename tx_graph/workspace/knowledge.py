"""Use cases about learnings, and the work that they come from and serve."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.workspace.shared import Shared

if TYPE_CHECKING:
    from tx_graph.services.importing import Importing
    from tx_graph.services.learnings import Learnings
    from tx_graph.services.merging import Merging
    from tx_graph.services.origins import Origins
    from tx_graph.services.similar import Similar
    from tx_graph.work.runs import Runs
    from tx_graph.work.tasks import Tasks


class KnowledgeUseCases(Shared):
    """Learnings, tasks and runs."""

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
            standings=self._standings,
            embedding=self.embedding,
            clock=self._clock,
        )

    @property
    def origins(self) -> Origins:
        """Where learnings come from."""
        from tx_graph.services.origins import Origins

        return self.kernel.one(Origins)

    @cached_property
    def importing(self) -> Importing:
        """Learnings many at once."""
        from tx_graph.services.importing import Importing

        return Importing(learnings=self.learnings, store=self._stores.learnings, sync=self._sync)

    @cached_property
    def similar(self) -> Similar:
        """Learnings that say much the same."""
        from tx_graph.services.similar import Similar

        return Similar(
            database=self._database,
            similarities=self._stores.similarities,
            learnings=self._stores.learnings,
            analyses=self._stores.analyses,
            model=self.embedding.name,
            clock=self._clock,
        )

    @cached_property
    def merging(self) -> Merging:
        """Learnings that take the place of others."""
        from tx_graph.services.merging import Merging

        return Merging(
            database=self._database,
            store=self._stores.learnings,
            supersession=self._stores.supersession,
            references=self.references,
            sync=self._sync,
            clock=self._clock,
        )

    @property
    def tasks(self) -> Tasks:
        """Pieces of work."""
        from tx_graph.work.tasks import Tasks

        return self.kernel.one(Tasks)

    @property
    def runs(self) -> Runs:
        """Attempts at work, and what helped in them."""
        from tx_graph.work.runs import Runs

        return self.kernel.one(Runs)
