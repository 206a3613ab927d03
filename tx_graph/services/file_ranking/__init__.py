"""The file ranking room: which files of the repository a question, or an open file, is about."""

from __future__ import annotations

from tx_graph.retrieval.weights import Weights
from tx_graph.services.file_ranking.ranking import FileRanking
from tx_graph.services.file_ranking.values import Because, Method, RankedFile

__all__ = ["Because", "FileRanking", "Method", "RankedFile", "Weights"]
