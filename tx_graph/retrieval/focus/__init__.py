"""The focus view (Doughnut, Graph RAG): everything worth knowing around one node, in order, within a budget.

Pure rules: what a node is and whom it is related to is answered by a `Kin`.
"""

from __future__ import annotations

from tx_graph.retrieval.focus.cost import Cost, TokensBy, cost_by
from tx_graph.retrieval.focus.handler import Shuffle
from tx_graph.retrieval.focus.kin import Kin, ancestors
from tx_graph.retrieval.focus.note import MOST_DETAILS, Name, Note, Related, shape
from tx_graph.retrieval.focus.relationship import Relationship
from tx_graph.retrieval.focus.walk import Found, Walk

__all__ = [
    "MOST_DETAILS",
    "Cost",
    "Found",
    "Kin",
    "Name",
    "Note",
    "Related",
    "Relationship",
    "Shuffle",
    "TokensBy",
    "Walk",
    "ancestors",
    "cost_by",
    "shape",
]
