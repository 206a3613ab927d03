"""Use cases that have sections of documents related by a model, an agent or vectors."""

from __future__ import annotations

from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.records.layout import DIRECTORY, LOCAL_REPLIES, REPLIES
from tx_graph.workspace.shared import Shared

if TYPE_CHECKING:
    from tx_graph.ports import Model
    from tx_graph.services.extracting import CrossLinking, Extracting
    from tx_graph.services.extracting.answering import Answering
    from tx_graph.services.extracting.scope import Scope


class ExtractionUseCases(Shared):
    """Relations that nobody wrote down."""

    @cached_property
    def extracting(self) -> Extracting:
        """Relations between the sections of each document."""
        from tx_graph.services.extracting import Extracting

        return Extracting(scope=self._scope, answering=self._answering, open_model=open_model)

    @cached_property
    def cross_linking(self) -> CrossLinking:
        """Relations between sections of different documents."""
        from tx_graph.services.extracting import CrossLinking

        return CrossLinking(
            stores=self._stores,
            scope=self._scope,
            answering=self._answering,
            open_model=open_model,
            embedder=self.embedding.name,
        )

    @property
    def _scope(self) -> Scope:
        from tx_graph.services.extracting.scope import Scope

        stores = self._stores
        return Scope(documents=stores.documents, sections=stores.sections, tree=self._checkout.tree)

    @cached_property
    def _answering(self) -> Answering:
        from tx_graph.analysis.relations.prompt import PROMPT_VERSION
        from tx_graph.services.extracting.answering import Answering
        from tx_graph.storage.replies import ReplyStore

        replies = self.kernel.enter(closing(ReplyStore(self._place_of_replies(), prompt_version=PROMPT_VERSION)))
        stores = self._stores
        return Answering(
            database=self._database,
            sections=stores.sections,
            edges=stores.section_edges,
            replies=replies,
            clock=self._clock,
        )

    def _place_of_replies(self) -> Path:
        repository = self._checkout.askable
        return repository.common_directory() / REPLIES if repository else self.root / DIRECTORY / LOCAL_REPLIES


def open_model(name: str | None, most_at_once: int) -> Model:
    """Return a language model by name, None for the one that the user has set; its library is loaded now."""
    from tx_graph import llm

    return llm.open_model(name, most_at_once=most_at_once)
