"""Symbols as relatives: what a file declares, and what is declared inside that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tx_graph.analysis.symbol_names import simple_name
from tx_graph.domain.references import NodeKind
from tx_graph.domain.symbols import Symbol
from tx_graph.errors import TxError
from tx_graph.retrieval.focus import Name, Note
from tx_graph.services.anchoring.sources import Sources
from tx_graph.services.focus.anchored import Anchored
from tx_graph.services.focus.marks import Marking, Marks
from tx_graph.services.focus.place import Kind, Place, Told
from tx_graph.services.focus.tree import name_of_file
from tx_graph.services.focus.whereabouts import Whereabouts
from tx_graph.storage.nodes import NodeStore
from tx_graph.storage.symbols import SymbolStore

_BETWEEN = "::"


class Symbols:
    """A symbol stands below the one that it is declared in, or below its file; learnings and sections point at it."""

    def __init__(
        self,
        *,
        store: SymbolStore,
        nodes: NodeStore,
        sources: Sources,
        whereabouts: Whereabouts,
        anchored: Anchored,
        marking: Marking,
    ) -> None:
        self._store = store
        self._nodes = nodes
        self._sources = sources
        self._whereabouts = whereabouts
        self._anchored = anchored
        self._marking = marking
        self._declared: dict[str, Mapping[str, Symbol]] = {}

    def of_file(self, path: str) -> Mapping[str, Symbol]:
        """Return what a file declared at the last index, by qualified name and in source order."""
        if path not in self._declared:
            self._declared[path] = {symbol.name: symbol for symbol in self._store.of_file(path)}
        return self._declared[path]

    def below(self, path: str, name: str = "") -> list[Symbol]:
        """Return what is declared right inside a symbol, or (empty) right inside the file, in source order."""
        return [symbol for symbol in self.of_file(path).values() if self._above(path, symbol.name) == name]

    def parent(self, place: Place) -> Place | None:
        """Return the symbol that it is declared in, else its file."""
        path, name = _parts(place)
        above = self._above(path, name)
        return Place(Kind.SYMBOL, f"{path}{_BETWEEN}{above}") if above else self._whereabouts.of_paths([path])[path]

    def target(self, _: Place) -> None:
        """Return nothing: a symbol is no relation note."""

    def children(self, place: Place) -> Sequence[Place]:
        """Return what is declared right inside it, in source order."""
        return [Place(Kind.SYMBOL, symbol.fqname) for symbol in self.below(*_parts(place))]

    def siblings(self, place: Place) -> Sequence[Place]:
        """Return what is declared beside it, in source order: also in a document that declares something."""
        path, name = _parts(place)
        return [Place(Kind.SYMBOL, symbol.fqname) for symbol in self.below(path, self._above(path, name))]

    def references(self, place: Place) -> Sequence[Place]:
        """Return the learnings that are anchored to it, and the sections that mention it."""
        node = self._nodes.find(NodeKind.SYMBOL, [place.name]).get(place.name)
        return [] if node is None else [*self._anchored.to_node(node), *self._whereabouts.pointing_at(node)]

    def tell(self, places: Sequence[Place]) -> Told:
        """Return how each symbol is declared."""
        known = {place: symbol for place in places if (symbol := self._known(place))}
        marks = self._marking.of_files({symbol.path for symbol in known.values()})
        return {
            place: self._note(symbol, details=symbol.signature, marks=marks[symbol.path])
            for place, symbol in known.items()
        }

    def whole(self, place: Place) -> Note | None:
        """Return the code of a symbol as it is now; its declaration as it was, if it went since the last index."""
        path, name = _parts(place)
        try:
            now = self._sources.symbol(path, name)
        except TxError:
            return self.tell([place]).get(place)
        source = self._sources.get(path)
        return self._note(now, details=_unicode(source.text_of(now.lines)) if source else now.signature)

    def _known(self, place: Place) -> Symbol | None:
        path, name = _parts(place)
        return self.of_file(path).get(name)

    def _above(self, path: str, name: str) -> str:
        """Return the innermost symbol of a file that a name lies in; empty for one that lies in none."""
        declared = self.of_file(path)
        above = name.rpartition(_BETWEEN)[0]
        while above and above not in declared:
            above = above.rpartition(_BETWEEN)[0]
        return above

    def _note(self, symbol: Symbol, *, details: str, marks: Marks = MappingProxyType({})) -> Note:
        above = self._above(symbol.path, symbol.name)
        parent = Name(f"{symbol.path}{_BETWEEN}{above}", simple_name(above)) if above else name_of_file(symbol.path)
        return Note(
            ref=symbol.fqname,
            kind=Kind.SYMBOL,
            title=simple_name(symbol.name),
            details=details,
            parent=parent,
            marks=marks,
        )


def _unicode(text: str) -> str:
    """Return code with a question mark for every byte that is no UTF-8."""
    return text.encode("utf-8", "replace").decode()


def _parts(place: Place) -> tuple[str, str]:
    path, _, name = place.name.partition(_BETWEEN)
    return path, name
