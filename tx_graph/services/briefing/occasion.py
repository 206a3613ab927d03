"""What a session that starts seems to be about: the uncommitted files, the branch, the last commits, open tasks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tx_graph.codebase.changes import changed_files
from tx_graph.codebase.current_work import branch, last_subjects
from tx_graph.codebase.repository import GitRepository
from tx_graph.services.context import ContextRequest
from tx_graph.work.references import WorkReferences
from tx_graph.work.store import TaskStore

SESSION_BUDGET = 600
"""Tokens of what a session is told when it starts."""
_FILES, _SUBJECTS, _TASKS = 10, 3, 3
_RANKED_FILES = 3
"""Files to name beyond those at hand: nobody has asked anything yet."""
_TRUNKS = frozenset("main master trunk develop development dev staging production release HEAD".split())
"""Branches whose names say nothing about the work."""
_TASK_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*-\d+")


class Occasion:
    """Makes questions of what lies about."""

    def __init__(
        self,
        *,
        repository: Callable[[], GitRepository | None],
        exists: Callable[[str], bool],
        work: WorkReferences,
        tasks: TaskStore,
    ) -> None:
        self._repository = repository
        self._exists = exists
        self._work = work
        self._tasks = tasks

    def questions(self) -> Iterator[ContextRequest]:
        """Yield what to give context for, likeliest first: what is uncommitted, then what was committed last.

        Raises:
            RepositoryError: Git fails.
        """
        repository = self._repository()
        name = branch(repository) if repository else ""
        about = self._task(name) or ("" if name in _TRUNKS else re.sub(r"[/_-]+", " ", name))
        if repository and (files := self._files(repository)):
            yield _request(about, files)
        yield from (_request(text) for text in (about, "\n".join(self._last(repository))) if text.strip())

    def _files(self, repository: GitRepository) -> list[str]:
        changed = [path for path in changed_files(repository) if self._exists(path)]
        return [str(repository.root / path) for path in changed[:_FILES]]

    def _task(self, name: str) -> str:
        """Return the external id in the name of a branch, empty where there is no such task."""
        return next((found[0] for found in _TASK_NAME.finditer(name) if self._work.find_task(found[0])), "")

    def _last(self, repository: GitRepository | None) -> list[str]:
        """Return what was worked on last: in commits, else in open tasks."""
        subjects = last_subjects(repository, _SUBJECTS) if repository else []
        return subjects or [task.title for task in self._tasks.open(limit=_TASKS)]


def _request(text: str, files: Sequence[str] = ()) -> ContextRequest:
    return ContextRequest(text=text, files=tuple(files), budget=SESSION_BUDGET, limit_files=_RANKED_FILES)
