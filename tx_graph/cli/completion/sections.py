"""The sections of a document that a workspace knows, for completion."""

from __future__ import annotations

from pathlib import Path

from tx_graph.cli.completion.database import reading


def sections(directory: Path, document: str) -> list[tuple[str, str]]:
    """Return slug and title of the sections of a document, typed as seen from `directory`, in the order of the source.

    Empty when there is no workspace around `directory`, or when it does not know the document.
    """
    with reading(directory) as database:
        path = _path(directory, document)
        if database is None or path is None:
            return []
        from tx_graph.storage.documents import DocumentStore
        from tx_graph.storage.sections import SectionStore

        known = DocumentStore(database).by_paths([path])
        rows = SectionStore(database).of_documents([one.node for one in known.values()])
        return [(row.slug, row.title) for those in rows.values() for row in those if row.slug and not row.part]


def _path(directory: Path, document: str) -> str | None:
    """Return the repository-relative path of a document; None for one outside."""
    from tx_graph.codebase.root import find_root

    root = find_root(directory)
    here = (directory / document).resolve()
    return here.relative_to(root.path).as_posix() if root and here.is_relative_to(root.path) else None
