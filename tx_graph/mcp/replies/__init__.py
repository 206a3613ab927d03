"""Replies: readable text and the same as a structure, both inert, and together within a budget of tokens."""

from __future__ import annotations

from tx_graph.mcp.replies.errors import explained, explanation
from tx_graph.mcp.replies.packing import Draft, Item, packed
from tx_graph.mcp.replies.reply import Reply, Shape

__all__ = ["Draft", "Item", "Reply", "Shape", "explained", "explanation", "packed"]
