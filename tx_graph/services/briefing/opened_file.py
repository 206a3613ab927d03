"""The use case: the few lines for an agent that opens a file. Mostly there is nothing to tell, and that is quick."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from tx_graph.codebase.repository import foreign_owner
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.errors import TxError
from tx_graph.services.search import Query, Search, SearchResult
from tx_graph.storage.told import ToldStore

if TYPE_CHECKING:
    from tx_graph.services.context import Page

BUDGET = 300
"""Tokens that a file may cost: an agent opens many."""
_LEARNINGS = 8
_WORTH_TELLING = 0.5
"""Of a learning's relevance to the file: that of those anchored there, and of those of close relatives, while they
hold."""


class FileBriefing:
    """Tells a session what was learned about a file, each thing once; one without a name is told each time."""

    def __init__(
        self,
        *,
        search: Search,
        tree: WorkingTree,
        is_ignored: Callable[[str], bool],
        told: Callable[[], ToldStore],
    ) -> None:
        self._search = search
        self._tree = tree
        self._is_ignored = is_ignored
        self._told = told

    def page(self, typed: str, session: str) -> str:
        """Return what was learned about a file or close to it, empty when there is nothing that is new to the session.

        `typed` is its path, absolute or from the working directory. What lies outside the repository, is ignored by
        git or belongs to others has nothing to tell.

        Raises:
            StorageError: The database cannot be read.
        """
        path = self._path(typed)
        known = self._told().told(session, path) if session and path else frozenset()
        learnings = [one for one in self._near(path) if _uid(one) not in known] if path else []
        if not learnings:
            return ""
        page = _laid_out(path, learnings)
        shown = [_uid(one.result) for one in page.shown.learnings]
        return page.text if self._is_ours_to_tell(session, path, shown) else ""

    def _path(self, typed: str) -> str:
        """Return what the repository calls a file of the project, empty for anything else."""
        try:
            path = self._tree.existing(typed) or ""
        except TxError:  # outside, or no name that a file could have
            return ""
        if not path or self._tree.is_directory(path) or foreign_owner(path) or self._is_ignored(path):
            return ""
        return path

    def _near(self, path: str) -> list[SearchResult]:
        query = Query(context_files=(str(self._tree.root / path),), limit=_LEARNINGS)
        return [one for one in self._search.run(query).results if one.relevance >= _WORTH_TELLING]

    def _is_ours_to_tell(self, session: str, path: str, shown: Collection[str]) -> bool:
        """Whether there is something that nobody told yet, and from now on we did: two hooks may run at once."""
        return bool(shown) and (not session or self._told().keep(session, path, shown))


def _laid_out(path: str, learnings: Sequence[SearchResult]) -> Page:
    from tx_graph.domain.tokens import by_characters
    from tx_graph.services.briefing.at_a_file import AtAFile
    from tx_graph.services.context import ContextLearning, Material
    from tx_graph.services.context.layout import laid_out
    from tx_graph.services.context.reasons import reasons

    told = tuple(ContextLearning(result=one, reasons=reasons(one, (path,))) for one in learnings)
    return laid_out(Material(learnings=told), AtAFile(path), budget=BUDGET, count=by_characters)


def _uid(one: SearchResult) -> str:
    return one.stored.learning.uid
