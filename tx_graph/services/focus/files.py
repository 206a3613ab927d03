"""Files as relatives: what they declare lies below them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.retrieval.focus import Note
from tx_graph.services.focus.anchored import Anchored
from tx_graph.services.focus.marks import Marking
from tx_graph.services.focus.place import Kind, Place, Told
from tx_graph.services.focus.symbols import Symbols
from tx_graph.services.focus.tree import directory_of, name_of_directory, name_of_file
from tx_graph.services.focus.whereabouts import Whereabouts
from tx_graph.storage.focus_files import FocusFiles
from tx_graph.storage.nodes import NodeStore


class Files:
    """A file lies in its directory and declares symbols; learnings, sections and importers point at it."""

    def __init__(
        self,
        *,
        store: FocusFiles,
        nodes: NodeStore,
        symbols: Symbols,
        whereabouts: Whereabouts,
        anchored: Anchored,
        marking: Marking,
    ) -> None:
        self._store = store
        self._nodes = nodes
        self._symbols = symbols
        self._whereabouts = whereabouts
        self._anchored = anchored
        self._marking = marking

    def parent(self, place: Place) -> Place:
        """Return the directory that it lies in."""
        return directory_of(place.name)

    def target(self, _: Place) -> None:
        """Return nothing: a file is no relation note."""

    def children(self, place: Place) -> Sequence[Place]:
        """Return what it declares outside of everything else, in source order."""
        return [Place(Kind.SYMBOL, symbol.fqname) for symbol in self._symbols.below(place.name)]

    def siblings(self, _: Place) -> None:
        """Leave that to the directory."""

    def references(self, place: Place) -> Sequence[Place]:
        """Return the learnings that are about it, the sections that mention it, and the files that import it."""
        node = self._nodes.find(NodeKind.FILE, [place.name]).get(place.name)
        return [*(self._pointing_at(node) if node else ()), *self._importers(place.name)]

    def tell(self, places: Sequence[Place]) -> Told:
        """Return what each file declares."""
        marks = self._marking.of_files({place.name for place in places})
        return {place: self._note(place.name, marks[place.name]) for place in places}

    def whole(self, place: Place) -> Note:
        """Return what a file declares."""
        return self.tell([place])[place]

    def _pointing_at(self, node: NodeId) -> list[Place]:
        return [*self._anchored.to_node(node), *self._whereabouts.pointing_at(node)]

    def _importers(self, path: str) -> Sequence[Place]:
        importers = self._store.importers(path)
        places = self._whereabouts.of_paths(importers)
        return [places[one] for one in importers]

    def _note(self, path: str, marks: Mapping[str, object]) -> Note:
        declared = self._symbols.below(path)
        return Note(
            ref=path,
            kind=Kind.FILE,
            title=name_of_file(path).title,
            details="\n".join(symbol.signature or f"{symbol.kind} {symbol.name}" for symbol in declared),
            parent=name_of_directory(directory_of(path).name),
            marks=marks,
        )
