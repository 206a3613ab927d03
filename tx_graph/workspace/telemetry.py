"""Use cases about what agents did."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.workspace.shared import Shared

if TYPE_CHECKING:
    from tx_graph.services.telemetry import Ingesting, Retention, Telemetry


class TelemetryUseCases(Shared):
    """Transcripts, and what they told."""

    @cached_property
    def transcripts(self) -> Ingesting:
        """Transcripts as agents write them."""
        from tx_graph.codebase.redaction import Redactor
        from tx_graph.codebase.transcripts import SessionPaths
        from tx_graph.services.telemetry import Ingesting
        from tx_graph.services.telemetry.drafts import Drafts

        paths = SessionPaths(self.root)
        return Ingesting(
            stores=self._stores,
            drafts=Drafts(redactor=Redactor(), paths=paths),
            paths=paths,
            retention=self.retention,
            cwd=self._checkout.cwd,
            clock=self._clock,
        )

    @cached_property
    def telemetry(self) -> Telemetry:
        """What transcripts told."""
        from tx_graph.services.telemetry import Telemetry

        return Telemetry(store=self._stores.telemetry, work=self._work)

    @cached_property
    def retention(self) -> Retention:
        """How long it is kept."""
        from tx_graph.services.telemetry import Retention

        return Retention(
            database=self._database,
            store=self._stores.telemetry,
            keep=str(self.config.get("telemetry.keep")),
            clock=self._clock,
        )
