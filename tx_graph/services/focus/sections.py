"""Documents and sections as relatives: the tree of headings, below the tree of directories."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.domain.section import section_key
from tx_graph.retrieval.focus import Name, Note
from tx_graph.services.doc_search.telling import below_heading
from tx_graph.services.focus.anchored import Anchored
from tx_graph.services.focus.marks import Marking, Marks
from tx_graph.services.focus.place import Kind, Place, Told
from tx_graph.services.focus.tree import directory_of, name_of_directory, name_of_file
from tx_graph.services.focus.whereabouts import Whereabouts, of_home
from tx_graph.storage.focus_sections import FocusSections, SectionNote


class Sections:
    """A section lies in its document, a document in its directory; typed lines stand before the sections below."""

    def __init__(self, *, store: FocusSections, whereabouts: Whereabouts, anchored: Anchored, marking: Marking) -> None:
        self._store = store
        self._whereabouts = whereabouts
        self._anchored = anchored
        self._marking = marking

    def parent(self, place: Place) -> Place | None:
        """Return what a section stands below, and the directory of a document."""
        if place.kind is Kind.SECTION:
            above = self._store.above(place.node)
            return of_home(above) if above else None
        path = self._store.path(place.node)
        return directory_of(path) if path else None

    def target(self, _: Place) -> None:
        """Return nothing: a section is no relation note."""

    def children(self, place: Place) -> Sequence[Place]:
        """Return the typed lines of a section, then the sections right below it, in the order of the source."""
        lines = self._store.typed_links(place.node)
        return [
            *(Place(Kind.TYPED_LINE, node=one.section, position=one.position) for one in lines),
            *(Place(Kind.SECTION, node=below) for below in self._store.below(place.node)),
        ]

    def siblings(self, _: Place) -> None:
        """Leave that to the parent."""

    def references(self, place: Place) -> Sequence[Place]:
        """Return the learnings that are about a document, the sections that link here, and the typed lines."""
        learnings = self._anchored.to_node(place.node) if place.kind is Kind.DOCUMENT else ()
        return [*learnings, *self._whereabouts.pointing_at(place.node)]

    def tell(self, places: Sequence[Place]) -> Told:
        """Return how each section begins."""
        return self._told(places, is_whole=False)

    def whole(self, place: Place) -> Note | None:
        """Return all that a section says below its heading, up to the next heading."""
        return self._told([place], is_whole=True).get(place)

    def _told(self, places: Sequence[Place], *, is_whole: bool) -> Told:
        notes = self._store.notes([place.node for place in places], is_whole=is_whole)
        superseded = self._marking.superseded({one.body: one.document for one in notes.values()})
        return {
            place: _note(one, marks={**self._marking.of_read(one.path, one[-3:]), **superseded.get(one.body, {})})
            for place in places
            if (one := notes.get(place.node))
        }


def _note(one: SectionNote, *, marks: Marks) -> Note:
    lines = one.text.split("\n")
    return Note(
        ref=section_key(one.path, one.slug) if one.slug else one.path,
        kind=Kind.SECTION if one.slug else Kind.DOCUMENT,
        title=one.title or name_of_file(one.path).title,
        details="\n".join(lines[below_heading(lines, one.heading) :]).strip("\n"),
        parent=_parent_of(one),
        marks=marks,
    )


def _parent_of(one: SectionNote) -> Name:
    if not one.slug:
        return name_of_directory(directory_of(one.path).name)
    ref = section_key(one.path, one.parent_slug) if one.parent_slug else one.path
    return Name(ref, one.parent_title or name_of_file(one.path).title)
