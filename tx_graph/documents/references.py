"""Finds the sections of documents that people name."""

from __future__ import annotations

from difflib import SequenceMatcher

from tx_graph.core.kernel import Kernel
from tx_graph.documents.store import SectionStore
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import Lookup, Node, NodeKind, Reference


class SectionLookup(Lookup):
    """Looks sections up, by their documents and slugs."""

    def __init__(self, kernel: Kernel) -> None:
        self._database = kernel.database
        self._checkout = kernel.checkout

    def nodes(self, reference: Reference) -> list[Node]:
        """Return the first section that this may name, seen from where one stands."""
        path, _, part = reference.text.rpartition("#")
        keys = [f"{one}#{part}" for one in self._checkout.tree.candidates(path)] if path and part else []
        known = NodeStore(self._database).find(NodeKind.SECTION, keys)
        return [Node(kind=NodeKind.SECTION, key=key, ref=key, id=known[key]) for key in keys if key in known][:1]

    def nearest(self, text: str) -> list[str]:
        """Return sections of the document that a reference names, those that are called most like it first."""
        path, _, part = text.rpartition("#")
        nodes, documents = NodeStore(self._database), self._checkout.tree.candidates(path) if path else []
        found = [key for one in documents for key in nodes.beginning(NodeKind.SECTION, f"{one}#", limit=500)]
        return sorted(found, key=lambda key: -SequenceMatcher(None, part, key.rpartition("#")[2]).ratio())[:5]

    def text(self, ref: str) -> str:
        """Return the title of a document or section."""
        return SectionStore(self._database).title(ref)
