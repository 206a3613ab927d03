"""What a typed path means to the index: a file of it, or a directory with such files."""

from __future__ import annotations

from dataclasses import dataclass

from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.references import NodeKind
from tx_graph.errors import NotFound
from tx_graph.services.references import References
from tx_graph.storage.files import FileRow, FileStore

_PREFIX = f"{NodeKind.FILE}:"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedPlace:
    """A file as the index has it, or a directory (`row` is None; the root is the empty path)."""

    path: str
    row: FileRow | None = None

    @property
    def is_directory(self) -> bool:
        """Whether it is a directory."""
        return self.row is None


WHOLE = IndexedPlace(path="")
"""The repository."""


class IndexedPlaces:
    """Looks typed paths up."""

    def __init__(self, *, references: References, tree: WorkingTree, files: FileStore) -> None:
        self._references = references
        self._tree = tree
        self._files = files

    def find(self, typed: str) -> IndexedPlace:
        """Return what `typed` (`src/auth.ts`, `file:src/auth.ts`, `src/`) means. A deleted file counts while indexed.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: It leads out of the repository.
        """
        typed = typed.removeprefix(_PREFIX)
        found = self._tree.existing(typed)
        if found and self._tree.is_directory(found):
            return IndexedPlace(path="" if found == "." else found)
        path = self._references.file(typed).key
        row = self._files.rows_of([path]).get(path)
        if row is None:
            raise self._not_indexed(path)
        return IndexedPlace(path=path, row=row)

    def why_empty(self, place: IndexedPlace, *, what: str, is_read: bool) -> str:
        """Return the sentence that says why a place has none of `what`; empty when it simply has none.

        `is_read` tells whether the file's language is one of those where `what` is read.
        """
        if place.row is None:
            below = f"{place.path}/" if place.path else ""
            some = any(path.startswith(below) for path in self._files.paths())
            return "" if some else self._not_indexed(below or ".").message
        if place.row.problem:
            return f"{place.path} {place.row.problem}, so its {what} are not read."
        if place.row.language is None:
            return f"{place.path} is in no language whose {what} are read."
        return "" if is_read else f"The {what} of {place.row.language} files are not read."

    def _not_indexed(self, path: str) -> NotFound:
        if reason := self._tree.why_foreign(path):
            return NotFound(f"'{path}' is not indexed: {reason}.")
        return NotFound(f"'{path}' is not indexed.", hint="Run 'tx index'.")
