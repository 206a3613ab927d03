"""The search room: direct matches, the files in question, and the walk that ties them together."""

from __future__ import annotations

from tx_graph.services.search.search import Search
from tx_graph.services.search.values import Query, SearchAnswer, SearchResult, SearchStats

__all__ = ["Query", "Search", "SearchAnswer", "SearchResult", "SearchStats"]
