"""The MCP room: the graph for agents, over stdio, in few tools and replies that are never longer than asked for."""

from __future__ import annotations
