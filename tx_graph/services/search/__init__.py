"""The search room: direct matches, what is near open files, and the walk that ties them together."""

from __future__ import annotations

from tx_graph.services.search.search import Search
from tx_graph.services.search.values import DIVERSITY, Query, SearchAnswer, SearchResult, SearchStats

__all__ = ["DIVERSITY", "Query", "Search", "SearchAnswer", "SearchResult", "SearchStats"]
