"""The layouts that need no terminal: Markdown for those who read, and a JSON document for programs."""

from __future__ import annotations

from tx_graph.services.context.layouts.document import Document
from tx_graph.services.context.layouts.markdown import Markdown

__all__ = ["Document", "Markdown"]
