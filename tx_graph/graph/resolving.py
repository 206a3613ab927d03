"""Turns references into nodes; what is unknown or ambiguous is an error that names the nearest."""

from __future__ import annotations

from collections.abc import Collection

from tx_graph.core.errors import NotFound
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import canonical_reference
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import Lookup, Node, NodeKind, Reference, parse_reference

LOOKUPS = "lookups"
"""Under this name each room that owns a kind of node registers its lookup, by the kind."""
_NAMED_BY_PREFIX = (NodeKind.LEARNING, NodeKind.ENTITY, NodeKind.TASK, NodeKind.RUN)


class FileLookup(Lookup):
    """Finds files: those that are there, and those that were."""

    def __init__(self, kernel: Kernel) -> None:
        self._nodes = NodeStore(kernel.database)
        self._checkout = kernel.checkout

    def nodes(self, reference: Reference) -> list[Node]:
        """Return the first file that the path means."""
        tree = self._checkout.tree
        candidates = tree.candidates(reference.text)
        known = self._nodes.find(NodeKind.FILE, candidates)
        existing = (path for path in candidates if tree.exists(path) and not tree.is_directory(path))
        # A deleted file keeps its node, so that one may ask what was known of it; it must not hide one that exists.
        remembered = (path for path in candidates if path in known)
        path = next(existing, None) or next(remembered, None)
        return [] if path is None else [Node(kind=NodeKind.FILE, key=path, ref=path, id=known.get(path))]

    def nearest(self, text: str) -> list[str]:
        """Return the files that are called most like it."""
        return self._checkout.listed_files().nearest(text)


class CommitLookup(Lookup):
    """Finds the commits that edges lead to."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def nodes(self, reference: Reference) -> list[Node]:
        """Return the commits that begin so."""
        found = NodeStore(self._kernel.database).beginning(NodeKind.COMMIT, reference.text.lower(), limit=5)
        return [
            Node(kind=NodeKind.COMMIT, key=key, ref=canonical_reference(NodeKind.COMMIT, key), id=node)
            for key, node in found.items()
        ]

    def nearest(self, text: str) -> list[str]:
        """Return learnings: what names a commit may be the beginning of a uid."""
        lookup: Lookup = self._kernel.registered(LOOKUPS, NodeKind.LEARNING)
        return lookup.nearest(text)


class References:
    """Looks references up, each by the lookups of the kinds that it can name."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def _lookup(self, kind: NodeKind) -> Lookup:
        found: Lookup = self._kernel.registered(LOOKUPS, kind)
        return found

    def node(self, text: str) -> Node:
        """Return the node that `text` names."""
        reference = parse_reference(text)
        found = [node for kind in reference.kinds for node in self._lookup(kind).nodes(reference)]
        if not found and reference.may_be_a_symbol:
            found = self._lookup(NodeKind.SYMBOL).nodes(reference)
        if len(found) == 1:
            return found[0]
        if found:
            refs = [node.ref if node.kind is NodeKind.LEARNING else f"{node.kind}:{node.ref}" for node in found]
            raise NotFound(f"'{text}' names several things.", candidates=refs)
        # What may be a path is likelier one than a uid.
        kinds = reference.kinds if reference.kinds[0] is not NodeKind.LEARNING else reference.kinds[-1:]
        kinds = (*kinds, NodeKind.SYMBOL) if reference.may_be_a_symbol else kinds
        near = next(filter(None, (self._lookup(kind).nearest(reference.text) for kind in kinds)), [])
        raise NotFound(f"There is nothing named '{text}'.", candidates=near)

    def file(self, text: str) -> Node:
        """Return the node of the file that `text` names, whatever else that could name; one that is gone too."""
        typed = text.strip().removeprefix(f"{NodeKind.FILE}:")
        lookup = self._lookup(NodeKind.FILE)
        if found := lookup.nodes(Reference(text=typed, kinds=(NodeKind.FILE,))):
            return found[0]
        near = lookup.nearest(typed) or self._lookup(NodeKind.SYMBOL).nearest(typed)
        raise NotFound(f"There is no file '{typed}'.", candidates=near)

    def file_nodes(self, paths: Collection[str]) -> dict[str, NodeId]:
        """Return the nodes of those of these files, by repository-relative path, that the graph knows."""
        return NodeStore(self._kernel.database).find(NodeKind.FILE, paths)

    def text(self, ref: str) -> str:
        """Return what a node, by its canonical reference, is about; empty for what has no words of its own.

        That is what a learning, task or run says, the title of a document or section, and what an entity is where
        anybody said so.
        """
        kind = ref.partition(":")[0]
        return self._lookup(NodeKind(kind) if kind in _NAMED_BY_PREFIX else NodeKind.SECTION).text(ref)

    def directory(self, typed: str) -> str:
        """Return the repository-relative path of a directory or file; the root is the empty text."""
        found = self._kernel.checkout.tree.existing(typed)
        if found is None:
            raise NotFound(f"There is no directory '{typed}'.")
        return "" if found == "." else found
