"""The room of questions to documents: sections that answer by themselves, and what their relations lead to."""

from __future__ import annotations

from tx_graph.services.doc_search.doc_search import DocSearch
from tx_graph.services.doc_search.values import DocAnswer, DocQuery, DocResult, DocStats, DocTie, State

__all__ = ["DocAnswer", "DocQuery", "DocResult", "DocSearch", "DocStats", "DocTie", "State"]
