"""Use cases that speak before they are asked."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.records.layout import DIRECTORY, LOCAL_TOLD, TOLD
from tx_graph.workspace.retrieval import RetrievalUseCases

if TYPE_CHECKING:
    from tx_graph.services.briefing.opened_file import FileBriefing
    from tx_graph.services.briefing.session import SessionBriefing
    from tx_graph.storage.told import ToldStore


class BriefingUseCases(RetrievalUseCases):
    """What agents are told by hooks."""

    @cached_property
    def session_briefing(self) -> SessionBriefing:
        """What to tell an agent whose session starts."""
        from tx_graph.services.briefing.occasion import Occasion
        from tx_graph.services.briefing.session import SessionBriefing
        from tx_graph.work.store import TaskStore

        checkout = self._checkout
        occasion = Occasion(
            repository=lambda: checkout.askable,
            exists=checkout.tree.exists,
            work=self._work,
            tasks=TaskStore(self._database),
        )
        return SessionBriefing(context=self.context, occasion=occasion, told=lambda: self._told)

    @cached_property
    def file_briefing(self) -> FileBriefing:
        """What to tell an agent that opens a file."""
        from tx_graph.services.briefing.opened_file import FileBriefing

        checkout = self._checkout
        return FileBriefing(
            search=self.search,
            tree=checkout.tree,
            is_ignored=lambda path: checkout.askable is not None and checkout.askable.ignores(path),
            told=lambda: self._told,
        )

    @cached_property
    def _told(self) -> ToldStore:
        from tx_graph.storage.told import ToldStore

        repository = self._checkout.askable
        path = repository.common_directory() / TOLD if repository else self.root / DIRECTORY / LOCAL_TOLD
        return ToldStore(path, today=self._clock.now().date())
