"""Recall: which facts a question calls up, in which order, and how they are told (JACQ's ADR 3)."""

from __future__ import annotations

from tx_graph.retrieval.recall.limits import MAX_HOPS, RecallLimits
from tx_graph.retrieval.recall.naming import NamesOf, Stated, stated
from tx_graph.retrieval.recall.narrative import Told, marked, narrative
from tx_graph.retrieval.recall.ranking import Recalled, ranked
from tx_graph.retrieval.recall.spreading import FactsOf, Met, Spreading, spread

__all__ = [
    "MAX_HOPS",
    "FactsOf",
    "Met",
    "NamesOf",
    "RecallLimits",
    "Recalled",
    "Spreading",
    "Stated",
    "Told",
    "marked",
    "narrative",
    "ranked",
    "spread",
    "stated",
]
