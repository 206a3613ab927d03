"""What a reference puts into focus."""

from __future__ import annotations

from contextlib import suppress

from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.references import NodeKind, parse_reference
from tx_graph.domain.relation_note import NoteName, note_named
from tx_graph.errors import NotFound, UsageError
from tx_graph.retrieval.focus import Note
from tx_graph.services.focus.families import Families
from tx_graph.services.focus.place import Kind, Place
from tx_graph.services.focus.tree import ROOT
from tx_graph.services.focus.whereabouts import Whereabouts
from tx_graph.services.references import Node, References
from tx_graph.storage.focus_files import FocusFiles

_DIRECTORY = "directory:"
"""May stand before the path of a directory."""
_SUBJECTS = (Kind.DOCUMENT, Kind.SECTION, Kind.LEARNING)
"""What can have relation notes."""
_NOTES = (Kind.TYPED_LINE, Kind.LINK)


class Resolving:
    """Turns references into places."""

    def __init__(
        self, *, references: References, tree: WorkingTree, files: FocusFiles, whereabouts: Whereabouts
    ) -> None:
        self._references = references
        self._tree = tree
        self._files = files
        self._whereabouts = whereabouts

    def place(self, text: str, families: Families) -> Place:
        """Return the place of what `text` names.

        Raises:
            NotFound: It names nothing, or more than one thing.
            UsageError: It leads out of the repository, or is of a kind that has no place, such as a task.
        """
        found = self._directory(text) or self._relation_note(text, families)
        return found or self._place_of(self._references.node(text))

    def _directory(self, text: str) -> Place | None:
        typed = text.strip().removeprefix(_DIRECTORY)
        is_explicit = typed.endswith("/") or typed != text.strip() or typed in (ROOT, "..")
        if not is_explicit and not self._may_be_path(text):
            return None
        candidates = self._tree.candidates(typed)
        if found := next((path for path in candidates if self._holds_something(path)), None):
            return Place(Kind.DIRECTORY, found)
        if empty := next((path for path in candidates if self._tree.is_directory(path)), None):
            raise NotFound(f"Nothing is known of the directory '{empty}'.", hint="Run 'tx index' to read its files.")
        if is_explicit:
            raise NotFound(f"There is no directory '{typed}'.", candidates=self._files.nearest_directories(typed))
        return None

    def _may_be_path(self, text: str) -> bool:
        return NodeKind.FILE in parse_reference(text).kinds and not self._references.is_learning(text)

    def _holds_something(self, path: str) -> bool:
        return bool(self._files.entries("" if path == ROOT else path))

    def _relation_note(self, text: str, families: Families) -> Place | None:
        name = note_named(text)
        subject = self._subject(name) if name else None
        if name is None or subject is None:
            return None
        notes = _notes_below(subject, families)
        for place, note in notes.items():
            named = note_named(note.ref)
            if named and named[1:] == name[1:]:
                return place
        raise NotFound(
            f"'{name.subject}' has no relation note '{name.ref.removeprefix(name.subject)}'.",
            candidates=[note.ref for note in notes.values()],
        )

    def _subject(self, name: NoteName) -> Place | None:
        """Return what a relation note would hang on, None where there is nothing of that name."""
        with suppress(NotFound, UsageError):
            found = self._place_of(self._references.node(name.subject.removesuffix("#")))
            return found if found.kind in _SUBJECTS else None
        return None

    def _place_of(self, node: Node) -> Place:
        place = self._whereabouts.of_node(node.id) if node.id is not None else None
        if place is None and node.kind is NodeKind.FILE:
            return self._whereabouts.of_paths([node.key])[node.key]
        if place is None and node.kind is NodeKind.SYMBOL:
            return Place(Kind.SYMBOL, node.key)
        if place is None:
            raise UsageError(
                f"'{node.ref}' has no place in a tree, so nothing lies around it.",
                hint="Focus on a document, section, directory, file, symbol or learning; see 'tx graph:neighbors'.",
            )
        return place


def _notes_below(subject: Place, families: Families) -> dict[Place, Note]:
    places = [place for place in families.children(subject) if place.kind in _NOTES]
    told = families.tell(places)
    return {place: told[place] for place in places if place in told}
