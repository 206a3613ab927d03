"""The use case: the page for a session that starts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from tx_graph.domain.tokens import by_characters
from tx_graph.errors import NotFound
from tx_graph.services.briefing.occasion import Occasion
from tx_graph.services.context import Context, Page
from tx_graph.services.context.layouts import Markdown
from tx_graph.storage.told import ToldStore

_START, _PAGE = "", "page"


class SessionBriefing:
    """Tells a session what it should know, once; a session without a name is told each time."""

    def __init__(self, *, context: Context, occasion: Occasion, told: Callable[[], ToldStore]) -> None:
        self._context = context
        self._occasion = occasion
        self._told = told

    def page(self, session: str, *, is_cleared: bool = False) -> str:
        """Return the page, empty when there is nothing worth reading or the session has it already.

        `is_cleared` says that the session forgot what it was told.

        Raises:
            RepositoryError: Git fails.
            StorageError: The database cannot be read.
        """
        if is_cleared and session:
            self._told().forget(session)
        if session and self._told().told(session, _START):
            return ""
        text = self._text()
        return text if text and (not session or self._told().keep(session, _START, [_PAGE])) else ""

    def _text(self) -> str:
        """Return the first page that is worth reading, empty if none is."""
        for question in self._occasion.questions():
            with suppress(NotFound):  # a commit that is called like a task, a file that went just now
                page = self._context.page(question, Markdown(), count=by_characters)
                if _is_worth_reading(page):
                    return page.text
        return ""


def _is_worth_reading(page: Page) -> bool:
    """Whether a page tells more than which files there are."""
    shown = page.shown
    return any((shown.task, shown.learnings, shown.facts, shown.sections, shown.partners, shown.tasks))
