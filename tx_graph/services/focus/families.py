"""All families at one table: a walk asks here, whatever kind a node is of.

A new kind of node is a family of its own, and one more line in `families_of`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tx_graph.codebase.globs import PathMatcher
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.retrieval.focus import Note
from tx_graph.services.anchoring.sources import Sources
from tx_graph.services.focus.anchored import Anchored
from tx_graph.services.focus.directories import Directories
from tx_graph.services.focus.files import Files
from tx_graph.services.focus.learnings import Learnings, Links
from tx_graph.services.focus.marks import Marking
from tx_graph.services.focus.place import Family, Kind, Place, Told
from tx_graph.services.focus.sections import Sections
from tx_graph.services.focus.symbols import Symbols
from tx_graph.services.focus.typed_lines import TypedLines
from tx_graph.services.focus.whereabouts import Whereabouts
from tx_graph.services.glob_edges import GlobEdges
from tx_graph.services.standings import Standings
from tx_graph.storage.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What families ask: the graph, and the working tree as it is now."""

    stores: Stores
    tree: WorkingTree
    sources: Sources
    standings: Standings
    glob_files: Callable[[], PathMatcher]


class Families:
    """Answers for nodes of any kind: each is asked of its family, and who is above it and what it says only once."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._families = families_of(surroundings, tell=self.tell)
        self._parents: dict[Place, Place | None] = {}
        self._notes: dict[Place, Note | None] = {}

    def parent(self, place: Place) -> Place | None:
        """Return the node above, None at the root."""
        if place not in self._parents:
            self._parents[place] = self._families[place.kind].parent(place)
        return self._parents[place]

    def target(self, place: Place) -> Place | None:
        """Return what a relation note points at, None for any other node."""
        return self._families[place.kind].target(place)

    def children(self, place: Place) -> Sequence[Place]:
        """Return the nodes right below."""
        return self._families[place.kind].children(place)

    def siblings(self, place: Place) -> Sequence[Place]:
        """Return the node and those beside it."""
        beside = self._families[place.kind].siblings(place)
        if beside is not None:
            return beside
        above = self.parent(place)
        return self.children(above) if above else (place,)

    def references(self, place: Place) -> Sequence[Place]:
        """Return what points here."""
        return self._families[place.kind].references(place)

    def tell(self, places: Sequence[Place]) -> Told:
        """Return what is to say of each of these nodes, asked of each family at once."""
        by_kind: dict[Kind, list[Place]] = defaultdict(list)
        for place in places:
            if place not in self._notes:
                by_kind[place.kind].append(place)
        for kind, those in by_kind.items():
            told = self._families[kind].tell(those)
            self._notes |= {place: told.get(place) for place in those}
        return {place: note for place in places if (note := self._notes[place])}

    def whole(self, place: Place) -> Note | None:
        """Return all that is to say of a node. None: it is not there any more."""
        return self._families[place.kind].whole(place)


def families_of(around: Surroundings, *, tell: Callable[[Sequence[Place]], Told]) -> Mapping[Kind, Family]:
    """Return the family of each kind of node; `tell` answers for nodes of any kind."""
    stores = around.stores
    marking = Marking(stores=stores, tree=around.tree, standings=around.standings)
    whereabouts = Whereabouts(stores)
    anchored = Anchored(
        store=stores.focus_learnings,
        globs=GlobEdges(anchors=stores.anchors, nodes=stores.nodes, files=around.glob_files),
        withheld=stores.edges.withheld(),
    )
    sections = Sections(store=stores.focus_sections, whereabouts=whereabouts, anchored=anchored, marking=marking)
    symbols = Symbols(
        store=stores.symbols,
        nodes=stores.nodes,
        sources=around.sources,
        whereabouts=whereabouts,
        anchored=anchored,
        marking=marking,
    )
    return {
        Kind.DIRECTORY: Directories(stores.focus_files),
        Kind.DOCUMENT: sections,
        Kind.SECTION: sections,
        Kind.TYPED_LINE: TypedLines(store=stores.focus_sections, whereabouts=whereabouts, tell=tell),
        Kind.FILE: Files(
            store=stores.focus_files,
            nodes=stores.nodes,
            symbols=symbols,
            whereabouts=whereabouts,
            anchored=anchored,
            marking=marking,
        ),
        Kind.SYMBOL: symbols,
        Kind.LEARNING: Learnings(
            store=stores.focus_learnings,
            nodes=stores.nodes,
            whereabouts=whereabouts,
            anchored=anchored,
            marking=marking,
        ),
        Kind.LINK: Links(store=stores.focus_learnings, tell=tell),
    }
