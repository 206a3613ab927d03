"""The documents room: the repository's own writing as a tree of sections, and what these point at."""

from __future__ import annotations

from tx_graph.services.documents.values import DocumentPruning, IngestReport

__all__ = ["DocumentPruning", "IngestReport"]
