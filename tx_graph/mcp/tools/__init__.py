"""The tools, in the order in which clients list them."""

from __future__ import annotations

from typing import Any

from tx_graph.mcp.tools.context import CONTEXT
from tx_graph.mcp.tools.documents import DOC_SEARCH
from tx_graph.mcp.tools.facts import FACT_ADD, RECALL
from tx_graph.mcp.tools.focus import FOCUS
from tx_graph.mcp.tools.graph import ANALYZE_IMPORTS, LINK, NEIGHBORS
from tx_graph.mcp.tools.learnings import ADD, SEARCH
from tx_graph.mcp.tools.runs import FEEDBACK
from tx_graph.mcp.tools.values import Call, Tool
from tx_graph.mcp.tools.verification import VERIFY

__all__ = ["TOOLS", "Call", "Tool", "described", "offered"]

TOOLS = (
    CONTEXT,
    SEARCH,
    ADD,
    LINK,
    NEIGHBORS,
    ANALYZE_IMPORTS,
    VERIFY,
    FOCUS,
    RECALL,
    FACT_ADD,
    DOC_SEARCH,
    FEEDBACK,
)


def offered(*, is_read_only: bool) -> dict[str, Tool]:
    """Return the tools by name, with `is_read_only` only those that change nothing."""
    if not is_read_only:
        return {tool.name: tool for tool in TOOLS}
    return {tool.name: tool.for_readers() for tool in TOOLS if tool.is_reading}


def described(tool: Tool) -> dict[str, Any]:
    """Return a tool as clients are told of it."""
    told = {"name": tool.name, "description": tool.description, "inputSchema": tool.schema}
    return told | ({"annotations": {"readOnlyHint": True}} if tool.is_reading else {})
