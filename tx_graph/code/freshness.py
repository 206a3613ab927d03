"""What a typed path means to the index: a file of it, or a directory with such files."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from tx_graph.code.file_store import FileRow, FileStore
from tx_graph.code.import_store import ImportStore
from tx_graph.core.errors import NotFound
from tx_graph.core.kernel import Kernel
from tx_graph.core.repository import WorkingFile
from tx_graph.graph.node_store import AnalysisStore
from tx_graph.graph.references import NodeKind
from tx_graph.graph.resolving import References

_MOST_HASHED = 20_000_000
"""Bytes to hash at most, about 50 ms: after a fresh checkout every file may have another time stamp."""
_COST_OF_OPENING = 10_000
"""Bytes that could be hashed in the time that opening a file takes."""


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

    def as_json(self) -> dict[str, object]:
        """Return how many files differ."""
        return {
            "changed": len(self.changed),
            "new": len(self.new),
            "gone": len(self.gone),
            "unproven": self.unproven,
            "indexed_at": self.indexed_at,
            "head": self.head,
        }

    @property
    def is_behind(self) -> bool:
        """Whether the index may not say what the working tree holds."""
        return self.indexed_at is None or bool(self.changed or self.new or self.gone or self.unproven)


class IndexFreshness:
    """Compares the index with the working tree."""

    def __init__(self, kernel: Kernel) -> None:
        self._files = FileStore(kernel.database)
        self._imports = ImportStore(kernel.database)
        self._analyses = AnalysisStore(kernel.database)
        self._tree = kernel.checkout.tree
        self._list_files = kernel.checkout.list_files

    def now(self) -> Freshness:
        """Return how far the index lags behind at this moment. A file that was only touched has not changed."""
        run = self._analyses.last("index")
        stamps = self._files.stamps()
        listed = {file.path: file for file in self._list_files()} if run or stamps else {}
        suspects = [one for one in listed.values() if one.path in stamps and stamps[one.path] != one[1:]]
        changed, unproven = self._compared(suspects)
        return Freshness(
            changed=frozenset(changed),
            new=frozenset(listed.keys() - stamps.keys()),
            gone=frozenset(stamps.keys() - listed.keys()),
            unproven=unproven,
            indexed_at=run.finished_at if run else None,
            head=run.head if run else None,
        )

    def _compared(self, suspects: list[WorkingFile]) -> tuple[list[str], int]:
        rows = self._files.rows_of([file.path for file in suspects])
        consulted = self._imports.consulted() if suspects else {}
        hashes = {
            path: {row.content_hash} - {None} or {*consulted.get(path, {}).values()} for path, row in rows.items()
        }
        resized = [file for file in suspects if file.size != rows[file.path].size]
        changed = [file.path for file in resized if hashes[file.path] or rows[file.path].problem is not None]
        alike = [file for file in suspects if file.size == rows[file.path].size and hashes[file.path]]
        affordable = list(_affordable(alike))
        changed += [file.path for file in affordable if self._differs(file.path, hashes[file.path])]
        return changed, len(alike) - len(affordable)

    def _differs(self, path: str, hashes: Collection[str | None]) -> bool:
        content = self._tree.read_listed(path)
        return content is not None and {hashlib.sha256(content).hexdigest()} != hashes


def _affordable(files: Iterable[WorkingFile]) -> Iterator[WorkingFile]:
    spent = 0
    for file in sorted(files, key=lambda file: file.size):
        spent += file.size + _COST_OF_OPENING
        if spent > _MOST_HASHED:
            return
        yield file


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
