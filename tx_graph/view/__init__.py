"""Pictures: one page over the graph, served to a browser or written as one file. The extra `view` brings the server."""

from __future__ import annotations
