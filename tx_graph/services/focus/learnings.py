"""Learnings and their links as relatives."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tx_graph.domain.edges import NodeId
from tx_graph.domain.inert import inert_line
from tx_graph.domain.references import NodeKind
from tx_graph.domain.relation_note import NoteName, numbers
from tx_graph.retrieval.focus import Name, Note
from tx_graph.services.focus.anchored import Anchored
from tx_graph.services.focus.marks import Marking
from tx_graph.services.focus.place import RELATION, Kind, Place, Told
from tx_graph.services.focus.tree import ROOT, name_of_directory, name_of_file
from tx_graph.services.focus.whereabouts import Whereabouts
from tx_graph.storage.focus_learnings import FocusLearnings, LearningLink, LearningNote
from tx_graph.storage.nodes import NodeStore

_TITLE = 60
"""Characters of a learning that name it."""
_WILD = re.compile(r"[*?\[{!]")


class Learnings:
    """A learning lies in the file that it is anchored to above all, beside the others that are about that file."""

    def __init__(
        self,
        *,
        store: FocusLearnings,
        nodes: NodeStore,
        whereabouts: Whereabouts,
        anchored: Anchored,
        marking: Marking,
    ) -> None:
        self._store = store
        self._nodes = nodes
        self._whereabouts = whereabouts
        self._anchored = anchored
        self._marking = marking

    def parent(self, place: Place) -> Place | None:
        """Return the file that it is anchored to, of a glob the directory that it begins with; None without anchors."""
        found = self._store.place(place.node)
        if found is None:
            return None
        path, is_glob = found
        return Place(Kind.DIRECTORY, _beginning(path)) if is_glob else self._whereabouts.of_paths([path])[path]

    def target(self, _: Place) -> None:
        """Return nothing: a learning is no relation note."""

    def children(self, place: Place) -> Sequence[Place]:
        """Return its links to other learnings."""
        return [_link(one) for one in self._store.links_from(place.node)]

    def siblings(self, place: Place) -> Sequence[Place]:
        """Return the learnings that are anchored to the same file, by number."""
        found = self._store.place(place.node)
        node = self._nodes.find(NodeKind.FILE, [found[0]]).get(found[0]) if found and not found[1] else None
        beside = self._anchored.to_node(node) if node else ()
        return beside if place in beside else [place, *beside]

    def references(self, place: Place) -> Sequence[Place]:
        """Return the links of other learnings to it."""
        return [_link(one) for one in self._store.links_to(place.node)]

    def tell(self, places: Sequence[Place]) -> Told:
        """Return how each learning begins."""
        return self._told(places, is_whole=False)

    def whole(self, place: Place) -> Note | None:
        """Return all that a learning says."""
        return self._told([place], is_whole=True).get(place)

    def _told(self, places: Sequence[Place], *, is_whole: bool) -> Told:
        notes = self._store.notes([place.node for place in places], is_whole=is_whole)
        marks = self._marking.of_learnings(notes.values())
        return {
            place: Note(
                ref=f"{NodeKind.LEARNING}:{one.number}",
                kind=Kind.LEARNING,
                title=_title(one),
                details=one.content,
                parent=self._name_of_parent(place),
                marks=marks[place.node],
            )
            for place in places
            if (one := notes.get(place.node))
        }

    def _name_of_parent(self, place: Place) -> Name | None:
        found = self._store.place(place.node)
        if found is None:
            return None
        path, is_glob = found
        return name_of_directory(_beginning(path)) if is_glob else name_of_file(path)


class Links:
    """Links of learnings: relation notes with a learning as subject."""

    def __init__(self, *, store: FocusLearnings, tell: Callable[[Sequence[Place]], Told]) -> None:
        self._store = store
        self._tell = tell

    def of(self, learning: NodeId) -> dict[Place, int]:
        """Return the links of a learning, each with its number among those of its relation."""
        found = self._store.links_from(learning)
        counted = numbers(one.relation for one in found)
        return {_link(one): number for one, number in zip(found, counted, strict=True)}

    def parent(self, place: Place) -> Place:
        """Return the learning that it says something of."""
        return Place(Kind.LEARNING, node=place.node)

    def target(self, place: Place) -> Place:
        """Return the learning that it leads to."""
        return Place(Kind.LEARNING, node=place.position)

    def children(self, _: Place) -> Sequence[Place]:
        """Return nothing: a link has nothing below it."""
        return ()

    def siblings(self, _: Place) -> None:
        """Leave that to the learning."""

    def references(self, _: Place) -> Sequence[Place]:
        """Return nothing: no link leads to a link."""
        return ()

    def tell(self, places: Sequence[Place]) -> Told:
        """Return which learnings each link ties."""
        ends = {end for place in places for end in (self.parent(place), self.target(place))}
        names = {end: Name(note.ref, note.title) for end, note in self._tell(sorted(ends)).items()}
        return {
            place: Note(
                ref=NoteName(names[self.parent(place)].ref, place.name, self.of(place.node).get(place, 1)).ref,
                kind=RELATION,
                title=place.name,
                parent=names[self.parent(place)],
                target=names[self.target(place)],
            )
            for place in places
            if self.parent(place) in names and self.target(place) in names
        }

    def whole(self, place: Place) -> Note | None:
        """Return which learnings a link ties."""
        return self.tell([place]).get(place)


def _link(one: LearningLink) -> Place:
    return Place(Kind.LINK, one.relation, node=one.source, position=one.target)


def _title(one: LearningNote) -> str:
    line = inert_line(one.content.split("\n", 1)[0])
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"


def _beginning(glob: str) -> str:
    """Return the directory that a glob begins with."""
    wild = _WILD.search(glob)
    plain = glob[: wild.start()] if wild else glob
    return plain.rpartition("/")[0] or ROOT
