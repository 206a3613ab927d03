"""The focus view: everything worth knowing around one node, in order of relevance, within a budget."""

from __future__ import annotations

from tx_graph.services.focus.focus import Focus
from tx_graph.services.focus.values import STANDARD_BUDGET, FocusRequest, FocusView

__all__ = ["STANDARD_BUDGET", "Focus", "FocusRequest", "FocusView"]
