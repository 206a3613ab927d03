"""Directories as relatives: the tree of the repository."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.retrieval.focus import MOST_DETAILS, Note
from tx_graph.services.focus.place import Kind, Place, Told
from tx_graph.services.focus.tree import ROOT, directory_of, name_of_directory
from tx_graph.services.focus.whereabouts import of_file
from tx_graph.storage.focus_files import Entry, FocusFiles

_FEW, _SHORT = 25, 84
"""Names to read where no more than 250 bytes of them are shown: if they are short, there is room for more."""
_MOST_NAMES = 200
"""Names of what lies in a directory that are told; of the others it is told how many they are."""


class Directories:
    """A directory lies in another one, and holds directories and files in the order of their names."""

    def __init__(self, store: FocusFiles) -> None:
        self._store = store
        self._entries: dict[str, Sequence[Entry]] = {}

    def parent(self, place: Place) -> Place | None:
        """Return the directory that it lies in, None for the root."""
        return None if place.name == ROOT else directory_of(place.name)

    def target(self, _: Place) -> None:
        """Return nothing: a directory is no relation note."""

    def children(self, place: Place) -> Sequence[Place]:
        """Return what lies in it, by name."""
        return [
            Place(Kind.DIRECTORY, entry.path) if entry.is_directory else of_file(entry.path, entry.document)
            for entry in self.entries(place.name)
        ]

    def siblings(self, _: Place) -> None:
        """Leave that to the directory that it lies in."""

    def references(self, _: Place) -> Sequence[Place]:
        """Return nothing: what points at a directory points at the files in it."""
        return ()

    def tell(self, places: Sequence[Place]) -> Told:
        """Return what lies in each directory; one that holds nothing is left out."""
        found = {place: self._first_entries(place.name) for place in places}
        return {place: _note(place.name, entries) for place, entries in found.items() if entries}

    def whole(self, place: Place) -> Note | None:
        """Return what lies in a directory."""
        entries = self.entries(place.name)
        return _note(place.name, entries) if entries else None

    def entries(self, path: str) -> Sequence[Entry]:
        """Return what lies in a directory, by name."""
        if path not in self._entries:
            self._entries[path] = self._store.entries(_below(path))
        return self._entries[path]

    def _first_entries(self, path: str) -> Sequence[Entry]:
        found = self._store.entries(_below(path), most=_FEW)
        is_enough = len(found) < _FEW or sum(len(entry.name) for entry in found) > MOST_DETAILS
        return found if is_enough else self._store.entries(_below(path), most=_SHORT)


def _below(path: str) -> str:
    return "" if path == ROOT else path


def _note(path: str, entries: Sequence[Entry]) -> Note:
    names = [f"{entry.name}/" if entry.is_directory else entry.name for entry in entries[:_MOST_NAMES]]
    more = [f"and {len(entries) - _MOST_NAMES:,} more"] if len(entries) > _MOST_NAMES else []
    return Note(
        ref=path,
        kind=Kind.DIRECTORY,
        title=name_of_directory(path).title,
        details=", ".join([*names, *more]),
        parent=None if path == ROOT else name_of_directory(directory_of(path).name),
    )
