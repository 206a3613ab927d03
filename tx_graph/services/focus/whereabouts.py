"""Where nodes and paths are in a focus view."""

from __future__ import annotations

from collections.abc import Collection

from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.services.focus.place import Kind, Place
from tx_graph.storage.focus_sections import Home
from tx_graph.storage.stores import Stores


class Whereabouts:
    """Turns nodes and paths into places."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def of_paths(self, paths: Collection[str]) -> dict[str, Place]:
        """Return the place of each file: that of a document, if it was read as one."""
        documents = self._stores.focus_files.documents(paths)
        return {path: of_file(path, documents.get(path)) for path in paths}

    def of_node(self, node: NodeId) -> Place | None:
        """Return the place of a node, None for what has none here, such as a task or a commit."""
        kind, key = self._stores.nodes.describe([node]).get(node, (None, ""))
        match kind:
            case NodeKind.FILE:
                return self.of_paths([key])[key]
            case NodeKind.SECTION:
                home = self._stores.focus_sections.homes([node]).get(node)
                return home and of_home(home)
            case NodeKind.SYMBOL:
                return Place(Kind.SYMBOL, key)
            case NodeKind.LEARNING:
                return Place(Kind.LEARNING, node=node)
            case _:
                return None

    def pointing_at(self, node: NodeId) -> list[Place]:
        """Return the sections that mention a document, section, file or symbol, and the typed lines that name it."""
        found = self._stores.focus_sections.mentions(node)
        places = (
            Place(Kind.TYPED_LINE, node=one.section, position=one.position) if one.predicate else of_home(one.home)
            for one in found
        )
        return list(dict.fromkeys(places))


def of_file(path: str, document: NodeId | None) -> Place:
    """Return the place of a file; `document` is its node if it was read as one."""
    return Place(Kind.FILE, path) if document is None else Place(Kind.DOCUMENT, node=document)


def of_home(home: Home) -> Place:
    """Return the place of a document or section."""
    return Place(Kind.DOCUMENT if home.is_document else Kind.SECTION, node=home.node)
