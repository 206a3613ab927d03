"""The recall room: the entities that a question is about, what is known of them, and how it is told."""

from __future__ import annotations

from tx_graph.services.recall.recall import Recall
from tx_graph.services.recall.values import (
    Anchor,
    FactState,
    MatchedBy,
    RecallAnswer,
    RecalledFact,
    RecallRequest,
)

__all__ = ["Anchor", "FactState", "MatchedBy", "Recall", "RecallAnswer", "RecallRequest", "RecalledFact"]
