"""Indexing: files, symbols and imports kept equal to the working tree."""

from tx_graph.services.indexing.indexing import Indexing, IndexReport

__all__ = ["IndexReport", "Indexing"]
