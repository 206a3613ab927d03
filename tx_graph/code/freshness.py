"""What a typed path means to the index: a file of it, or a directory with such files."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from tx_graph.code.file_store import FileRow, FileStore
from tx_graph.code.import_store import ImportStore
from tx_graph.code.resolvers import child
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotFound
from tx_graph.core.kernel import Kernel
from tx_graph.core.repository import WorkingFile
from tx_graph.graph.node_store import AnalysisStore
from tx_graph.graph.references import NodeKind
from tx_graph.graph.resolving import References

_MOST_HASHED = 20_000_000
"""Bytes to hash at most, about 50 ms: after a fresh checkout every file may have another time stamp."""
_COST_OF_OPENING = 10_000  # bytes that could be hashed in the time that opening a file takes


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """What differs between the index and the working tree, by path.

    `changed` are only files whose content the index depends on: sources, and what says where imports lead, but no
    README. `unproven` counts files with another time stamp that were too many to compare. `indexed_at` (UTC) and
    `head`, the commit checked out then, are None where the repository as a whole was never indexed.
    """

    changed: frozenset[str] = frozenset()
    new: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    unproven: int = 0
    indexed_at: str | None = None
    head: str | None = None

    JSON: ClassVar = "changed=changed.# new=new.# gone=gone.# unproven indexed_at head"

    @property
    def is_behind(self) -> bool:
        """Whether the index may not say what the working tree holds."""
        return self.indexed_at is None or bool(self.changed or self.new or self.gone or self.unproven)


def index_freshness(kernel: Kernel) -> Freshness:
    """Return how far the index lags behind at this moment. A file that was only touched has not changed."""
    database, checkout = kernel.database, kernel.checkout
    run, stamps = AnalysisStore(database).last("index"), FileStore(database).stamps()
    listed = {file.path: file for file in checkout.list_files()} if run or stamps else {}
    suspects = [one for one in listed.values() if one.path in stamps and stamps[one.path] != one[1:]]
    changed, alike, spent = set(), list[tuple[WorkingFile, set[str]]](), 0
    rows = FileStore(database).rows_of([file.path for file in suspects])
    consulted = ImportStore(database).consulted() if suspects else {}
    for file in sorted(suspects, key=lambda file: file.size):
        row = rows[file.path]
        hashes = {row.content_hash} if row.content_hash else {*consulted.get(file.path, {}).values()}
        if file.size != row.size and (hashes or row.problem is not None):
            changed.add(file.path)
        elif file.size == row.size and hashes:
            alike.append((file, hashes))
    unproven = len(alike)
    for file, hashes in alike:
        spent += file.size + _COST_OF_OPENING
        if spent > _MOST_HASHED:
            break
        unproven -= 1
        content = checkout.tree.read_listed(file.path)
        if content is not None and {hashlib.sha256(content).hexdigest()} != hashes:
            changed.add(file.path)
    return Freshness(
        changed=frozenset(changed),
        new=frozenset(listed.keys() - stamps.keys()),
        gone=frozenset(stamps.keys() - listed.keys()),
        unproven=unproven,
        indexed_at=run.finished_at if run else None,
        head=run.head if run else None,
    )


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

    def holds(self, path: str) -> bool:
        """Tell whether a path is this file, or one below this directory."""
        return path.startswith(child(self.path, "")) if self.is_directory else path == self.path

    @property
    def name(self) -> str:
        """Its path; `.` is the root."""
        return self.path or "."


WHOLE = IndexedPlace(path="")
"""The repository."""


class IndexedPlaces:
    """Looks typed paths up."""

    def __init__(self, kernel: Kernel) -> None:
        self._references = kernel.one(References)
        self._tree = kernel.checkout.tree
        self._files = FileStore(kernel.database)

    def find(self, typed: str) -> IndexedPlace:
        """Return what `src/auth.ts`, `file:src/auth.ts` or `src/` means; a deleted file counts while indexed."""
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
            some = any(map(place.holds, self._files.paths()))
            return "" if some else self._not_indexed(child(place.path, "") or ".").message
        if place.row.problem:
            return f"{place.path} {place.row.problem}, so its {what} are not read."
        if place.row.language is None:
            return f"{place.path} is in no language whose {what} are read."
        return "" if is_read else f"The {what} of {place.row.language} files are not read."

    def _not_indexed(self, path: str) -> NotFound:
        if reason := self._tree.why_foreign(path):
            return NotFound(f"'{path}' is not indexed: {reason}.")
        return NotFound(f"'{path}' is not indexed.", hint="Run 'tx sync'.")
