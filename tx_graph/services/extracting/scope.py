"""The sections that extraction is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from tx_graph.analysis.relations.batch import Batch, Passage, windowing_of
from tx_graph.analysis.relations.windows import windows
from tx_graph.codebase.globs import PathMatcher
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.inert import inert_line
from tx_graph.domain.section import Unit
from tx_graph.errors import NotFound
from tx_graph.storage.documents import DocumentStore
from tx_graph.storage.sections import SectionStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Windowed:
    """Batches in the order of documents and their sections, and the section of every id in them, as it was then."""

    batches: Sequence[Batch]
    units: Mapping[str, Unit]

    @property
    def documents(self) -> int:
        """How many documents they are from."""
        return len({batch.document for batch in self.batches})


class Scope:
    """Finds documents by how somebody names them, and puts their sections together."""

    def __init__(self, *, documents: DocumentStore, sections: SectionStore, tree: WorkingTree) -> None:
        self._documents = documents
        self._sections = sections
        self._tree = tree

    def paths(self, typed: Sequence[str]) -> list[str] | None:
        """Return the documents that paths, directories and globs name; None, for all of them, where there is none.

        Raises:
            NotFound: There are no documents yet, or one of these names none.
            UsageError: A path leads out of the repository.
        """
        known = PathMatcher(self._documents.nodes())
        if not known.paths:
            raise NotFound("No documents were read yet.", hint="Run 'tx doc:ingest' first.")
        if not typed:
            return None
        return sorted({path for one in typed for path in self._named(one, known)})

    def _named(self, typed: str, known: PathMatcher) -> Iterable[str]:
        path = self._tree.existing(typed)
        if path is None:
            found = known.matching(typed.removeprefix("./"))
        elif self._tree.is_directory(path):
            found = known.paths if path == "." else known.matching(f"/{path}/**")
        else:
            found = [path] if path in known else []
        if not found:
            raise NotFound(
                f"'{typed}' names no document that was read.",
                hint="'tx doc:list' shows them; 'tx doc:ingest' reads new ones.",
                candidates=known.nearest(typed),
            )
        return found

    def windowed(self, typed: Sequence[str], *, size: int, overlap: int) -> Windowed:
        """Return the sliding windows over the sections of each document."""
        units = self._sections.units(self.paths(typed))
        name = windowing_of(size=size, overlap=overlap)
        batches = [
            Batch(document=document, windowing=name, passages=passages)
            for document, group in groupby(units, key=attrgetter("document"))
            for passages in windows([passage_of(unit) for unit in group], size=size, overlap=overlap)
        ]
        return Windowed(batches=batches, units=by_ids(units))


def passage_of(unit: Unit) -> Passage:
    """Return a section as a model sees it; its id is the reference, in one line whatever the path."""
    return Passage(id=inert_line(unit.ref), headings=unit.headings, text=unit.text)


def by_ids(units: Iterable[Unit]) -> dict[str, Unit]:
    """Return the section of each id that passages have."""
    return {inert_line(unit.ref): unit for unit in units}
