"""Use cases about telemetry: what agents did, read from their transcripts and forgotten after a while."""

from tx_graph.services.telemetry.ingesting import Ingesting, Wanted
from tx_graph.services.telemetry.retention import Retention
from tx_graph.services.telemetry.telling import Asked, Telemetry
from tx_graph.services.telemetry.values import FileReport, IngestReport, Pruned, Reading

__all__ = [
    "Asked",
    "FileReport",
    "IngestReport",
    "Ingesting",
    "Pruned",
    "Reading",
    "Retention",
    "Telemetry",
    "Wanted",
]
