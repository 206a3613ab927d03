"""The verification room: which anchors to check, what became of each, and writing down what that means."""

from __future__ import annotations

from tx_graph.services.verification.finding import AnchorFinding, FileAnchor
from tx_graph.services.verification.values import Checked, Report, Scope
from tx_graph.services.verification.verification import Verification

__all__ = ["AnchorFinding", "Checked", "FileAnchor", "Report", "Scope", "Verification"]
