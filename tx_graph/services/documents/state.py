"""Documents at a glance: how many there are, how far they lag behind the working tree, and what is wrong with them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from tx_graph.codebase.repository import WorkingFile
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.services.documents.choosing import Choosing
from tx_graph.services.documents.values import ANALYSIS
from tx_graph.storage.analyses import AnalysisRun
from tx_graph.storage.documents import DocumentRow
from tx_graph.storage.section_links import SectionLink
from tx_graph.storage.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsState:
    """How documents are. `changed`, `new` and `gone` are what reading them again would take in, by path.

    `unread` files could not be read, with the reason as a sentence's end; `broken` links lead nowhere although they
    should. `run` is None where documents were never read.
    """

    documents: int
    sections: int
    chunks: int
    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    broken: tuple[SectionLink, ...] = ()
    run: AnalysisRun | None = None

    @property
    def is_behind(self) -> bool:
        """Whether the graph may not say what the documents say now."""
        return bool(self.changed or self.new or self.gone)


class DocumentsHealth:
    """Compares documents with the working tree."""

    def __init__(self, *, stores: Stores, tree: WorkingTree, choosing: Choosing) -> None:
        self._stores = stores
        self._tree = tree
        self._choosing = choosing

    def now(self) -> DocumentsState:
        """Return how documents are at this moment. One that was only touched has not changed.

        Raises:
            RepositoryError: Git fails.
        """
        store = self._stores.documents
        stamps = store.stamps()
        chosen = self._choosing.standard(stamps)
        suspects = [
            file for file in chosen.files if file.path in stamps and stamps[file.path] != (file.size, file.mtime_ns)
        ]
        return DocumentsState(
            **store.sizes(),
            changed=tuple(self._changed(suspects)),
            new=tuple(file.path for file in chosen.files if file.path not in stamps),
            gone=tuple(chosen.gone),
            unread=tuple(store.unread().items()),
            broken=tuple(self._stores.section_links.problems()),
            run=self._stores.analyses.last(ANALYSIS),
        )

    def has_changed(self, path: str) -> bool:
        """Whether a document says something else than what was read of it; not so for what is none, or gone."""
        row = self._stores.documents.by_paths([path]).get(path)
        content = self._tree.read(path) if row else None
        return row is not None and content is not None and hashlib.sha256(content).hexdigest() != row.content_hash

    def _changed(self, suspects: list[WorkingFile]) -> list[str]:
        rows = self._stores.documents.by_paths([file.path for file in suspects])
        return [file.path for file in suspects if file.path not in rows or self._differs(file, rows[file.path])]

    def _differs(self, file: WorkingFile, row: DocumentRow) -> bool:
        if file.size != row.size:
            return True
        content = self._tree.read_listed(file.path)
        return content is not None and hashlib.sha256(content).hexdigest() != row.content_hash
