"""The evidence room: what files and history say in words, kept up to date for ranking files."""

from __future__ import annotations

from tx_graph.services.evidence.commits import CommitReport
from tx_graph.services.evidence.evidence import EvidenceIndex

__all__ = ["CommitReport", "EvidenceIndex"]
