"""One open workspace: it hands out its use cases, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.workspace.anchors import AnchorUseCases
from tx_graph.workspace.briefing import BriefingUseCases
from tx_graph.workspace.facts import FactUseCases
from tx_graph.workspace.telemetry import TelemetryUseCases

if TYPE_CHECKING:
    from tx_graph.ports import Progress
    from tx_graph.services.cochanges import CoChangeReport
    from tx_graph.services.health import Finding, Health
    from tx_graph.services.renewal import Renewal


class Workspace(AnchorUseCases, BriefingUseCases, FactUseCases, TelemetryUseCases):
    """One repository with its memory. Close it, or use it as a context manager."""

    @cached_property
    def health(self) -> Health:
        """How the workspace is."""
        from tx_graph.services.health import Health

        return Health(
            root=self.root,
            stores=self._stores,
            repository=self._checkout.repository,
            graph=self.graph,
            embedding=self.embedding,
            index=self._index_freshness,
            documents=self.documents_health,
            sync=self._all_records,
            checks=(
                self._check_model,
                self._check_documents,
                self._check_retrievers,
                self._check_detector,
                self._check_facts,
            ),
            clock=self._clock,
        )

    @cached_property
    def renewal(self) -> Renewal:
        """All that is read of the repository."""
        from tx_graph.services.renewal import Renewal

        return Renewal(
            indexing=self.indexing,
            ingesting=self.ingesting,
            evidence=self.evidence,
            embedding=self.embedding,
            count_cochanges=self._count_cochanges,
        )

    def _count_cochanges(self, progress: Progress) -> CoChangeReport | None:
        """Count co-changes as the settings have it, where there is history and nobody has yet."""
        if not self.is_git or self.graph.last_cochanges() is not None:
            return None
        from tx_graph.services.cochanges import request_from

        return self.cochanges.run(request_from(self.config), progress=progress)

    def _check_model(self) -> Iterable[Finding]:
        from tx_graph.services.engine_health import of_model

        sound, detail = self._model_state()
        return of_model(self.embedding, sound=sound, detail=detail)

    def _check_documents(self) -> Iterable[Finding]:
        from tx_graph.services.document_health import of_documents

        return of_documents(self.documents_health, self.embedding)

    def _check_detector(self) -> Iterable[Finding]:
        from tx_graph.services.telemetry.health import of_detector

        return of_detector()

    def _check_facts(self) -> Iterable[Finding]:
        from tx_graph.services.fact_health import of_facts

        return of_facts(self._stores, self.facts)

    def _check_retrievers(self) -> Iterable[Finding]:
        from tx_graph.services.engine_health import of_retrievers

        return of_retrievers(self.retrievers)

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
