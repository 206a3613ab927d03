"""Filters of a search: which learnings may answer at all."""

from __future__ import annotations

from tx_graph.codebase.globs import PathMatcher, literal
from tx_graph.errors import UsageError
from tx_graph.services.anchoring.taking import Anchoring
from tx_graph.services.search.values import Query
from tx_graph.storage.selection import Selection, SelectionStore


class Filtering:
    """Answers filters before anything is ranked."""

    def __init__(self, *, selection: SelectionStore, anchoring: Anchoring) -> None:
        self._selection = selection
        self._anchoring = anchoring

    def allowed(self, query: Query) -> set[int] | None:
        """Return the learnings that the filters let through, None when there are no filters."""
        if query.category is None and query.status is None and query.file is None and not query.include_stale:
            return None
        chosen = Selection(category=query.category, status=query.status, stale=query.include_stale)
        found = self._selection.numbers(chosen)
        if query.file is None:
            return found
        return found & self._anchored_to(query.file)

    def _anchored_to(self, typed: str) -> set[int]:
        """Return the learnings anchored to a file that is meant, even a deleted one, or by a glob to one."""
        anchored = self._selection.anchored_paths()
        named = PathMatcher({path for _, path, is_glob in anchored if not is_glob})
        pattern = self._pattern(typed, named)
        present = self._anchoring.files_matching(pattern)
        hit = {glob: self._anchoring.matches_any(glob, present) for _, glob, is_glob in anchored if is_glob}
        found = set(named.matching(pattern))
        return {number for number, path, is_glob in anchored if (hit[path] if is_glob else path in found)}

    def _pattern(self, typed: str, known: PathMatcher) -> str:
        """Return the glob that is meant: a path is one from where the user stands, all else a glob from the root."""
        try:
            paths = self._anchoring.candidates(typed)
            path = self._anchoring.existing(typed) or next((path for path in paths if path in known), None)
        except UsageError:  # `/src/*.py` is a glob, although no path of this repository
            return typed
        if path is None:
            return typed.removeprefix("./")
        return "**" if path == "." else f"/{literal(path)}"
