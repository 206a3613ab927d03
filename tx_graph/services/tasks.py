"""Use cases about tasks: add, list, show, edit, and saying that one is done."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from tx_graph.domain.edges import NodeId
from tx_graph.domain.learning import StoredLearning, checked_limit
from tx_graph.domain.run import Run, Use
from tx_graph.domain.task import Task, TaskStatus, clean_description, clean_external_id, clean_title
from tx_graph.errors import UsageError
from tx_graph.ports import Clock
from tx_graph.services.stamps import iso
from tx_graph.services.work_references import WorkReferences, task_label
from tx_graph.storage.database import Database
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.provenance import ProvenanceStore
from tx_graph.storage.runs import RunStore
from tx_graph.storage.tasks import TaskStore


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskChanges:
    """What an edit changes; None leaves a field as it is, an empty description or external id clears it."""

    title: str | None = None
    description: str | None = None
    external_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedLearning:
    """A learning and what the runs for one task had of it: newest run first."""

    stored: StoredLearning
    uses: tuple[Use, ...]

    @property
    def helpful(self) -> int:
        """In how many of the runs it helped."""
        return sum(use.helpful is True for use in self.uses)

    @property
    def unhelpful(self) -> int:
        """In how many of the runs it did not help."""
        return sum(use.helpful is False for use in self.uses)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskShown:
    """A task with its runs, newest first, what was learned in it, and which learnings its runs used."""

    task: Task
    runs: tuple[Run, ...]
    derived: tuple[StoredLearning, ...]
    used: tuple[UsedLearning, ...]


class Tasks:
    """Everything one does to tasks."""

    def __init__(
        self,
        *,
        database: Database,
        store: TaskStore,
        runs: RunStore,
        provenance: ProvenanceStore,
        learnings: LearningStore,
        references: WorkReferences,
        clock: Clock,
    ) -> None:
        self._database = database
        self._store = store
        self._runs = runs
        self._provenance = provenance
        self._learnings = learnings
        self._references = references
        self._clock = clock

    def add(self, title: str, *, description: str = "", external_id: str | None = None) -> Task:
        """Add a task. Learnings whose records name its external id are derived from it.

        Raises:
            UsageError: A field is empty, too long or not printable, or another task has the external id.
        """
        title, description = clean_title(title), clean_description(description)
        name = None if external_id is None else clean_external_id(external_id)
        with self._database.transaction():
            self._check_unused(name)
            return self._store.add(title, description=description, external_id=name, now=self._now())

    def get(self, ref: str) -> Task:
        """Return the task with this local number, reference or external id.

        Raises:
            NotFound: There is none.
        """
        return self._references.task(ref)

    def find(self, text: str) -> Task | None:
        """Return the task that `text` names, None when it names none."""
        return self._references.find_task(text)

    def listed(self, status: TaskStatus | None = TaskStatus.OPEN, *, limit: int) -> list[Task]:
        """Return the newest tasks of a status, of any when it is None.

        Raises:
            UsageError: The limit is not from 1 to 10,000.
        """
        return self._store.listed(status, limit=checked_limit(limit))

    def open(self, *, near: Collection[NodeId] = (), limit: int) -> list[Task]:
        """Return open tasks: those that have to do with the learnings `near`, then the newest."""
        tasks = self._store.touching(near, limit=limit) if near else []
        rest = self._store.listed(TaskStatus.OPEN, limit=limit)
        return list({task.id: task for task in (*tasks, *rest)}.values())[:limit]

    def show(self, ref: str) -> TaskShown:
        """Return a task with its runs and its learnings; those that were removed are left out.

        Raises:
            NotFound: There is no such task.
        """
        task = self._references.task(ref)
        runs = self._runs.listed(task=task.id, limit=-1)
        derived = self._provenance.derived([task.node, *(run.node for run in runs)])
        return TaskShown(
            task=task,
            runs=tuple(runs),
            derived=tuple(one for one in self._learnings.by_nodes(derived) if one.learning.removed_at is None),
            used=tuple(self._used([run.id for run in runs])),
        )

    def _used(self, runs: Sequence[int]) -> list[UsedLearning]:
        """Return the learnings that runs used, those that helped most often first."""
        uses = self._runs.uses(runs)
        found = [
            UsedLearning(stored=stored, uses=tuple(use for use in uses if use.learning == stored.node))
            for stored in self._learnings.by_nodes({use.learning for use in uses})
            if stored.learning.removed_at is None
        ]
        return sorted(found, key=lambda one: (one.unhelpful - one.helpful, -len(one.uses), one.stored.id))

    def edit(self, ref: str, changes: TaskChanges) -> Task:
        """Change a task.

        Raises:
            NotFound: There is no such task.
            UsageError: Nothing is to change, a new value is not valid, or another task has the external id.
        """
        if changes == TaskChanges():
            raise UsageError("Nothing to change was given.", hint="See 'tx task:edit --help'.")
        with self._database.transaction():
            before = self._references.task(ref)
            task = _changed(before, changes)
            if task.external_id != before.external_id:
                self._check_unused(task.external_id, by=before)
            return self._saved(before, task)

    def finish(self, ref: str) -> Task:
        """Say that a task is done; one that was done already stays as it was.

        Raises:
            NotFound: There is no such task.
        """
        with self._database.transaction():
            before = self._references.task(ref)
            return self._saved(before, replace(before, done_at=before.done_at or self._now()))

    def reopen(self, ref: str) -> Task:
        """Say that a task is to be done after all.

        Raises:
            NotFound: There is no such task.
        """
        with self._database.transaction():
            before = self._references.task(ref)
            return self._saved(before, replace(before, done_at=None))

    def _saved(self, before: Task, task: Task) -> Task:
        if task == before:
            return before
        task = replace(task, updated_at=self._now())
        self._store.save(task)
        return task

    def _check_unused(self, name: str | None, *, by: Task | None = None) -> None:
        holder = self._store.by_external_id(name) if name else None
        if holder is not None and (by is None or holder.id != by.id):
            raise UsageError(f"There is a task called {holder.external_id} already.", candidates=[task_label(holder)])

    def _now(self) -> str:
        return iso(self._clock.now())


def _changed(task: Task, changes: TaskChanges) -> Task:
    if changes.title is not None:
        task = replace(task, title=clean_title(changes.title))
    if changes.description is not None:
        task = replace(task, description=clean_description(changes.description))
    if changes.external_id is not None:
        name = clean_external_id(changes.external_id) if changes.external_id.strip() else None
        task = replace(task, external_id=name)
    return task
