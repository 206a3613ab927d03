"""What one does to tasks: `workspace.tasks`, and the commands `tx task:…`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from tx_graph.core.arguments import Arg, Limit, Reads, Ref, TaskRef, choices
from tx_graph.core.errors import UsageError
from tx_graph.core.guard import without_secrets
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit
from tx_graph.work.references import WorkReferences
from tx_graph.work.store import RunStore, TaskStore
from tx_graph.work.values import (
    Task,
    TaskShown,
    TaskStatus,
    UsedLearning,
    clean_description,
    clean_external_id,
    clean_title,
)


class Tasks:
    """Pieces of work: `workspace.tasks`. They are named by number or by what a tracker calls them (`GH-123`)."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = TaskStore(kernel.database)
        self._references = kernel.one(WorkReferences)

    def add(
        self,
        title: Annotated[str, Arg("TITLE", "What is to be done, in one line.")],
        *,
        description: Annotated[str, Arg("TEXT", "More about it; '-' reads stdin.", reads=Reads.STDIN)] = "",
        external_id: Annotated[str | None, Arg("NAME", "What a tracker calls it, such as GH-123.", flag="--id")] = None,
    ) -> Task:
        """Add a task: something to gather context, runs and learnings for.

        Tasks stay on this machine. What may be a secret is taken out of their texts.

        Example:
          tx task:add "Repair the login" --id GH-123
          tx task:add "Cache the index" --description - < issue.md

        Raises:
            UsageError: A field is empty, too long or not printable, or another task has the external id.
        """
        title = clean_title(without_secrets(title))
        description = clean_description(without_secrets(description))
        name = None if external_id is None else clean_external_id(external_id)
        with self._kernel.database.transaction():
            self._check_unused(name)
            return self._store.add(title, description=description, external_id=name, now=self._kernel.now())

    def list(
        self,
        status: Annotated[
            TaskStatus | None, Arg("NAME", f"Only these: {choices(TaskStatus, 'all')}.", flag="--status", none="all")
        ] = TaskStatus.OPEN,
        *,
        limit: Limit = 50,
    ) -> tuple[Task, ...]:
        """List open tasks, newest first.

        Example:
          tx task:list
          tx task:list --status all -n 20
        """
        return tuple(self._store.listed(status, limit=checked_limit(limit)))

    def show(self, task: TaskRef) -> TaskShown:
        """Show a task with its runs, what was learned in it, and which learnings its runs used.

        Example:
          tx task:show 7
          tx task:show GH-123
        """
        from tx_graph.records.learning_store import LearningStore
        from tx_graph.records.origin_store import ProvenanceStore

        database = self._kernel.database
        found = self._references.task(task)
        runs = RunStore(database).listed(task=found.id, limit=-1)
        uses = RunStore(database).uses([run.id for run in runs])
        derived = ProvenanceStore(database).derived([found.node, *(run.node for run in runs)])
        learnings = LearningStore(database)
        used = [
            UsedLearning(stored=stored, uses=tuple(use for use in uses if use.learning == stored.node))
            for stored in learnings.by_nodes({use.learning for use in uses})
            if stored.learning.removed_at is None
        ]
        return TaskShown(
            task=found,
            runs=tuple(runs),
            derived=tuple(one for one in learnings.by_nodes(derived) if one.learning.removed_at is None),
            # those that helped most often first
            used=tuple(sorted(used, key=lambda one: (one.unhelpful - one.helpful, -len(one.uses), one.stored.id))),
        )

    def done(
        self, task: TaskRef, *, reopen: Annotated[bool, Arg(help="Say that it is to be done after all.")] = False
    ) -> Task:
        """Say that a task is done.

        Example:
          tx task:done GH-123
          tx task:done 7 --reopen
        """
        with self._kernel.database.transaction():
            before = self._references.task(task)
            # One that was done already keeps the time at which it was.
            return self._saved(
                before, replace(before, done_at=None if reopen else before.done_at or self._kernel.now())
            )

    def reopen(self, task: Ref) -> Task:
        """Say that a task is to be done after all."""
        return self.done(task, reopen=True)

    def edit(
        self,
        task: TaskRef,
        *,
        title: Annotated[str | None, Arg("TEXT", "New title.")] = None,
        description: Annotated[
            str | None, Arg("TEXT", "New description; '-' reads stdin, '' clears it.", reads=Reads.STDIN)
        ] = None,
        external_id: Annotated[str | None, Arg("NAME", "What a tracker calls it; '' clears it.", flag="--id")] = None,
    ) -> Task:
        """Change what a task says.

        Example:
          tx task:edit 7 --id GH-123
          tx task:edit GH-123 --title "Repair the login on Safari"

        Raises:
            UsageError: Nothing is to change, a new value is not valid, or another task has the external id.
        """
        if title is None and description is None and external_id is None:
            raise UsageError("Nothing to change was given.", hint="See 'tx task:edit --help'.")
        with self._kernel.database.transaction():
            before = after = self._references.task(task)
            if title is not None:
                after = replace(after, title=clean_title(without_secrets(title)))
            if description is not None:
                after = replace(after, description=clean_description(without_secrets(description)))
            if external_id is not None:
                after = replace(after, external_id=clean_external_id(external_id) if external_id.strip() else None)
            if after.external_id != before.external_id:
                self._check_unused(after.external_id, by=before)
            return self._saved(before, after)

    def _saved(self, before: Task, task: Task) -> Task:
        if task == before:
            return before
        task = replace(task, updated_at=self._kernel.now())
        self._store.save(task)
        return task

    def _check_unused(self, name: str | None, *, by: Task | None = None) -> None:
        holder = self._store.by_external_id(name) if name else None
        if holder is not None and (by is None or holder.id != by.id):
            raise UsageError(f"There is a task called {holder.external_id} already.", candidates=[holder.label])
