"""Removes what no document holds any more."""

from __future__ import annotations

from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.ports import Clock
from tx_graph.services.documents.linking import Linking
from tx_graph.services.documents.values import DocumentPruning
from tx_graph.services.documents.writing import forget
from tx_graph.services.mentions import Mentions
from tx_graph.services.statements import Stating
from tx_graph.storage.stores import Stores


class Pruning:
    """Looks for orphans: documents without a file, edges without ends, and what was said of texts that changed."""

    def __init__(self, *, stores: Stores, tree: WorkingTree, clock: Clock) -> None:
        self._stores = stores
        self._tree = tree
        self._clock = clock

    def run(self) -> DocumentPruning:
        """Remove orphans; return how many of each there were.

        Raises:
            StorageError: The database cannot be written.
        """
        stores = self._stores
        with stores.database.transaction():
            gone = [path for path in stores.documents.nodes() if not self._tree.exists(path)]
            forget(stores, gone)
            edges = stores.section_edges.prune()
            Linking(stores).write_outdated()
            if gone:
                Stating(stores, self._clock).refresh((), alone=False)
                Mentions(stores).refresh(thorough=True)
            return DocumentPruning(
                documents=len(gone),
                edges=edges,
                nodes=stores.sections.prune_nodes(),
                vectors=stores.chunk_vectors.prune(),
            )
