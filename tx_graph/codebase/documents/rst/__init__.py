"""reStructuredText, read by a scanner of our own: docutils takes far longer and knows nothing of Sphinx."""

from __future__ import annotations

from tx_graph.codebase.documents.rst.sections import RstDocument
from tx_graph.domain.document import Format, ReadDocument


def read_rst(text: str) -> ReadDocument:
    """Return what a text with Unix line ends says."""
    document = RstDocument(text)
    return ReadDocument(
        format=Format.RST,
        title=document.title,
        sections=tuple(document.sections()),
        problems=document.problems,
        fields=document.fields,
    )
