"""Filters of a question to documents: where an answer may stand, and since when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from tx_graph.codebase.globs import PathMatcher, literal
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.errors import NotFound
from tx_graph.ports import Clock
from tx_graph.services.doc_search.values import DocQuery
from tx_graph.storage.documents import DocumentStore

if TYPE_CHECKING:
    from tx_graph.codebase.repository import GitRepository

_NANOSECONDS = 1_000_000_000


class DocFiltering:
    """Says which documents the seeds of a question may come from."""

    def __init__(
        self,
        *,
        documents: DocumentStore,
        tree: WorkingTree,
        repository: Callable[[], GitRepository | None],
        clock: Clock,
    ) -> None:
        self._documents = documents
        self._tree = tree
        self._repository = repository
        self._clock = clock

    def allowed(self, query: DocQuery) -> set[str] | None:
        """Return the documents that the filters let through, by path; None when there are no filters.

        Raises:
            NotFound: One of the globs matches no document.
            UsageError: `since` cannot be understood, or a path leads out of the repository.
        """
        if not query.source and query.since is None:
            return None
        changes = self._documents.stamps()
        known = set(self._documents.nodes())
        found = self._matching(query.source, known) if query.source else known
        return found if query.since is None else found & self._changed_since(query.since, changes)

    def _matching(self, typed: Sequence[str], known: set[str]) -> set[str]:
        matcher = PathMatcher(known)
        return {path for one in typed for path in self._named(one, matcher)}

    def _named(self, typed: str, matcher: PathMatcher) -> Iterable[str]:
        found = matcher.matching(self._pattern(typed, matcher))
        if not found:
            raise NotFound(f"'{typed}' names no document that was ingested.", candidates=matcher.nearest(typed))
        return found

    def _pattern(self, typed: str, matcher: PathMatcher) -> str:
        """Return the glob that is meant: a path is one from where the user stands, all else a glob from the root."""
        candidates = self._tree.candidates(typed) if not typed.startswith("/") else [typed.lstrip("/")]
        path = next((one for one in candidates if one in matcher or self._tree.is_directory(one)), None)
        if path is None:
            return typed.removeprefix("./")
        return "**" if path == "." else f"/{literal(path)}"

    def _changed_since(self, since: str, stamps: dict[str, tuple[int, int]]) -> set[str]:
        """Return the files that a commit touched since then, or that changed on disk and are not committed yet."""
        from tx_graph.codebase.history import oldest_time, read_commits

        now: datetime = self._clock.now()
        oldest = oldest_time(since, now=now)
        recent = {path for path, (_, mtime_ns) in stamps.items() if mtime_ns >= oldest * _NANOSECONDS}
        repository = self._repository()
        if repository is None:
            return recent
        from tx_graph.codebase.changes import changed_files

        committed = {path for one in read_commits(repository.root, since=since, now=now) for path in one.paths}
        return committed | recent.intersection(changed_files(repository))
