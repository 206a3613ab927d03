"""What the doctor says of documents: how far they lag behind, which were not read, and which links lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from tx_graph.errors import RepositoryError
from tx_graph.services.documents.state import DocumentsHealth
from tx_graph.services.embedding import Embedding
from tx_graph.services.freshness import INGEST, document_notices, first_of
from tx_graph.services.health import Finding, advice, ok


def of_documents(documents: DocumentsHealth, embedding: Embedding) -> Iterator[Finding]:
    """Yield what is said of documents; nothing where there are none to read."""
    try:
        state = documents.now()
    except RepositoryError:
        return  # is found as a problem of git
    if state.run is None and not state.new:
        return
    notices = document_notices(state)
    for notice in notices:
        yield advice("documents", notice)
    if not notices:
        yield ok("documents", f"{state.documents:,} with {state.sections:,} sections in {state.chunks:,} chunks")
    if state.unread:
        detail = first_of([f"{path} {why}" for path, why in state.unread])
        yield advice("unread", f"{len(state.unread):,} of the documents could not be read: {detail}")
    if state.broken:
        places = first_of([f"{link.document}:{link.line}: {link.problem}" for link in state.broken])
        detail = f"{len(state.broken):,} in documents lead nowhere: {places}"
        yield advice("doc links", detail, f"'{INGEST} --json' names them all.")
    if embedding.available and (lacking := embedding.lacking_chunks):
        detail = f"{lacking:,} of {state.chunks:,} chunks have no vector of {embedding.name}"
        yield advice("doc vectors", detail, f"Run '{INGEST}'.")
