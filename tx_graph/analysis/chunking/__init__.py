"""Cuts the text of long sections into pieces that can be read, embedded and found on their own. Pure."""

from __future__ import annotations

from tx_graph.analysis.chunking.options import ChunkOptions, Strategy
from tx_graph.analysis.chunking.pieces import pieces_of
from tx_graph.analysis.chunking.semantic import Alike
from tx_graph.analysis.chunking.spans import Piece, Span

__all__ = ["Alike", "ChunkOptions", "Piece", "Span", "Strategy", "pieces_of"]
