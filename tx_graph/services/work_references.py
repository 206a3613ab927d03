"""Turns the names of tasks and runs into them; what is unknown is an error that lists the nearest."""

from __future__ import annotations

from difflib import SequenceMatcher

from tx_graph.domain.references import NodeKind, parse_reference
from tx_graph.domain.run import Run
from tx_graph.domain.task import Task
from tx_graph.errors import NotFound
from tx_graph.storage.runs import RunStore
from tx_graph.storage.tasks import TaskStore

_DIGITS_OF_A_ROWID = 18
"""A longer number fits no 64-bit row id."""
_COMPARED = 1000
"""Newest tasks or runs among which the nearest are looked for."""


class WorkReferences:
    """Looks tasks and runs up."""

    def __init__(self, *, tasks: TaskStore, runs: RunStore) -> None:
        self._tasks = tasks
        self._runs = runs

    def task(self, text: str) -> Task:
        """Return the task with this local number, reference or external id.

        Raises:
            NotFound: There is none.
        """
        name = _name(text, NodeKind.TASK)
        if found := self._task_named(name):
            return found
        raise NotFound(
            f"There is no task '{name}'.", hint="See 'tx task:list --status all'.", candidates=self._nearest_tasks(name)
        )

    def find_task(self, text: str) -> Task | None:
        """Return the task that `text` names, None when it names none: it may be a question, then."""
        try:
            return self._task_named(_name(text, NodeKind.TASK))
        except NotFound:
            return None

    def run(self, text: str) -> Run:
        """Return the run with this local number or reference.

        Raises:
            NotFound: There is none.
        """
        name = _name(text, NodeKind.RUN)
        found = self._runs.by_number(int(name)) if _is_number(name) else None
        if found is None:
            raise NotFound(f"There is no run '{name}'.", hint="See 'tx run:list'.", candidates=self._nearest_runs(name))
        return found

    def text(self, ref: str) -> str:
        """Return what a task or run, by its canonical reference, is about; empty for anything else."""
        kind, _, number = ref.partition(":")
        if kind == NodeKind.TASK and _is_number(number) and (task := self._task_named(number)):
            return f"{task.title}{f' ({task.external_id})' if task.external_id else ''}"
        if kind == NodeKind.RUN and _is_number(number) and (run := self._runs.by_number(int(number))):
            return ", ".join(part for part in (run.outcome or "running", run.agent, _purpose(run)) if part)
        return ""

    def _task_named(self, name: str) -> Task | None:
        if _is_number(name):
            return next(iter(self._tasks.by_numbers([int(name)])), None)
        return self._tasks.by_external_id(name)

    def _nearest_tasks(self, name: str) -> list[str]:
        tasks = self._tasks.listed(None, limit=_COMPARED)
        if name.isdecimal():
            tasks.sort(key=lambda task: abs(task.id - int(name)))
        else:
            tasks.sort(key=lambda task: -_likeness(name, task))
        return [task_label(task) for task in tasks[:3]]

    def _nearest_runs(self, name: str) -> list[str]:
        runs = self._runs.listed(limit=_COMPARED)
        if name.isdecimal():
            runs.sort(key=lambda run: abs(run.id - int(name)))
        return [run_label(run) for run in runs[:3]]


def task_label(task: Task) -> str:
    """Return what names a task in a line: `7 (GH-123) Repair the login`."""
    return f"{task.id}{f' ({task.external_id})' if task.external_id else ''} {task.title}"


def run_label(run: Run) -> str:
    """Return what names a run in a line: `9 failed, for task 7 (GH-123) Repair the login`."""
    return ", ".join(part for part in (f"{run.id} {run.outcome or 'running'}", _purpose(run)) if part)


def _purpose(run: Run) -> str:
    return f"for task {task_label(run.task)}" if run.task else ""


def _name(text: str, kind: NodeKind) -> str:
    """Return the name in `text`, without the kind that may stand before it.

    Raises:
        NotFound: It says that it is of another kind.
    """
    reference = parse_reference(text)
    if reference.text != text.strip() and reference.kinds != (kind,):
        raise NotFound(f"'{text.strip()}' is not a {kind}.")
    return reference.text


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= _DIGITS_OF_A_ROWID


def _likeness(name: str, task: Task) -> float:
    names = [other.casefold() for other in (task.external_id, task.title) if other]
    return max(SequenceMatcher(None, name.casefold(), other).ratio() for other in names)
