"""Documents: what Markdown, reStructuredText and plain text say, as trees of sections. Text in, values out."""

from __future__ import annotations

from tx_graph.codebase.documents.formats import format_of
from tx_graph.domain.document import Format, ReadDocument
from tx_graph.domain.labels import is_unicode

__all__ = ["format_of", "read_document"]


def read_document(path: str, text: str) -> ReadDocument:
    """Return what a document says; a path that is none is read as plain text.

    Line ends become Unix ones and a byte order mark goes before anything is read, so offsets are those of the texts
    of the sections, not of the file; line numbers are the same in both. Nothing here raises, whatever the text is.
    """
    clean = text.removeprefix("\ufeff")
    if "\r" in clean:
        clean = clean.replace("\r\n", "\n").replace("\r", "\n")
    if not is_unicode(clean):
        clean = clean.encode("utf-8", "replace").decode()
    kind = format_of(path)
    if kind is Format.MARKDOWN:
        from tx_graph.codebase.documents.markdown import read_markdown

        return read_markdown(clean)
    if kind is Format.RST:
        from tx_graph.codebase.documents.rst import read_rst

        return read_rst(clean)
    from tx_graph.codebase.documents.plain import read_plain

    return read_plain(clean)
