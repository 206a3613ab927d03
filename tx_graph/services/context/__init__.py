"""The context room: the page that somebody reads before starting, within a budget of tokens."""

from __future__ import annotations

from tx_graph.services.context.context import Context
from tx_graph.services.context.layout import Layout
from tx_graph.services.context.values import (
    LEAST_BUDGET,
    STANDARD_BUDGET,
    ContextLearning,
    ContextPartner,
    ContextRequest,
    ContextSection,
    Material,
    Page,
    Part,
)

__all__ = [
    "LEAST_BUDGET",
    "STANDARD_BUDGET",
    "Context",
    "ContextLearning",
    "ContextPartner",
    "ContextRequest",
    "ContextSection",
    "Layout",
    "Material",
    "Page",
    "Part",
]
