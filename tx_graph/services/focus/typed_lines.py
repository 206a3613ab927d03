"""Typed lines of documents as relatives: relation notes with a section as subject."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tx_graph.domain.edges import NodeId
from tx_graph.domain.relation_note import NoteName, numbers
from tx_graph.retrieval.focus import Name, Note
from tx_graph.services.focus.place import RELATION, Kind, Place, Told
from tx_graph.services.focus.whereabouts import Whereabouts, of_home
from tx_graph.storage.focus_sections import FocusSections, TypedLink


class TypedLines:
    """A typed line lies in the section that it says something of, and points at what it says it with."""

    def __init__(
        self, *, store: FocusSections, whereabouts: Whereabouts, tell: Callable[[Sequence[Place]], Told]
    ) -> None:
        self._store = store
        self._whereabouts = whereabouts
        self._tell = tell
        self._lines: dict[NodeId, dict[Place, tuple[TypedLink, int]]] = {}

    def of(self, subject: Place) -> dict[Place, tuple[TypedLink, int]]:
        """Return the typed lines of a document or section, each with its number among those with its predicate."""
        if subject.node not in self._lines:
            found = self._store.typed_links(subject.node)
            counted = zip(found, numbers(one.predicate for one in found), strict=True)
            self._lines[subject.node] = {
                Place(Kind.TYPED_LINE, node=one.section, position=one.position): (one, number)
                for one, number in counted
            }
        return self._lines[subject.node]

    def parent(self, place: Place) -> Place | None:
        """Return its subject."""
        home = self._store.homes([place.node]).get(place.node)
        return of_home(home) if home else None

    def target(self, place: Place) -> Place | None:
        """Return what it points at, None for what has no place in this view."""
        subject = self.parent(place)
        found = self.of(subject).get(place) if subject else None
        return self._whereabouts.of_node(found[0].target) if found else None

    def children(self, _: Place) -> Sequence[Place]:
        """Return nothing: a line has nothing below it."""
        return ()

    def siblings(self, _: Place) -> None:
        """Leave that to the subject."""

    def references(self, _: Place) -> Sequence[Place]:
        """Return nothing: no link leads to a line."""
        return ()

    def tell(self, places: Sequence[Place]) -> Told:
        """Return what each line says."""
        subjects = {place: self.parent(place) for place in places}
        targets = {place: self.target(place) for place in places}
        ends = {end for end in (*subjects.values(), *targets.values()) if end is not None}
        names = {place: Name(note.ref, note.title) for place, note in self._tell(sorted(ends)).items()}
        found = {}
        for place in places:
            subject, target = subjects[place], targets[place]
            if subject in names and place in self.of(subject):
                found[place] = self._note(place, subject, names[subject], names.get(target) if target else None)
        return found

    def whole(self, place: Place) -> Note | None:
        """Return what a line says."""
        return self.tell([place]).get(place)

    def _note(self, place: Place, subject: Place, name: Name, target: Name | None) -> Note:
        line, number = self.of(subject)[place]
        return Note(
            ref=NoteName(subject_of(name.ref, subject.kind), line.predicate, number).ref,
            kind=RELATION,
            title=line.predicate,
            details=line.text if target and line.text not in (line.written, target.title, target.ref) else "",
            parent=name,
            target=target,
        )


def subject_of(ref: str, kind: Kind) -> str:
    """Return how a subject is named in the reference of a relation note."""
    return f"{ref}#" if kind is Kind.DOCUMENT else ref
