"""Turns the names of tasks and runs into them; what is unknown is an error that lists the nearest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.errors import NotFound
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import DIGITS_OF_A_ROWID
from tx_graph.graph.references import Lookup, Node, NodeKind, Reference, parse_reference
from tx_graph.work.store import RunStore, TaskStore
from tx_graph.work.values import Run, Task

T = TypeVar("T", Task, Run)

_COMPARED = 1000  # newest tasks or runs among which the nearest are looked for


class WorkReferences(Lookup):
    """Looks tasks and runs up."""

    def __init__(self, kernel: Kernel) -> None:
        self._tasks = TaskStore(kernel.database)
        self._runs = RunStore(kernel.database)

    def task(self, ref: Ref) -> Task:
        """Return the task with this local number, reference or external id."""
        name = _name(ref_of(ref), NodeKind.TASK)
        if found := self._task_named(name):
            return found
        from difflib import SequenceMatcher

        def likeness(task: Task) -> float:
            names = [other.casefold() for other in (task.external_id, task.title) if other]
            return max(SequenceMatcher(None, name.casefold(), other).ratio() for other in names)

        near = _nearest(name, self._tasks.listed(None, limit=_COMPARED), likeness)
        raise NotFound(f"There is no task '{name}'.", hint="See 'tx task:list --status all'.", candidates=near)

    def find_task(self, text: str) -> Task | None:
        """Return the task that `text` names, None when it names none: it may be a question, then."""
        try:
            return self._task_named(_name(text, NodeKind.TASK))
        except NotFound:
            return None

    def run(self, ref: Ref) -> Run:
        """Return the run with this local number or reference."""
        name = _name(ref_of(ref), NodeKind.RUN)
        found = self._runs.by_number(int(name)) if _is_number(name) else None
        if found is None:
            near = _nearest(name, self._runs.listed(limit=_COMPARED), lambda _: 0.0)
            raise NotFound(f"There is no run '{name}'.", hint="See 'tx run:list'.", candidates=near)
        return found

    def nodes(self, reference: Reference) -> list[Node]:
        """Return the task or run with this number, or the task with this external id."""
        if len(reference.kinds) > 1:  # 'GH-1' may be something else
            task = self.find_task(f"{NodeKind.TASK}:{reference.text}")
            return [Node(kind=NodeKind.TASK, key=str(task.id), ref=task.ref, id=task.node)] if task else []
        kind, text = reference.kinds[0], f"{reference.kinds[0]}:{reference.text}"
        one = self.task(text) if kind is NodeKind.TASK else self.run(text)
        return [Node(kind=kind, key=str(one.id), ref=one.ref, id=one.node)]

    def text(self, ref: str) -> str:
        """Return what a task or run, by its canonical reference, is about; empty for anything else."""
        kind, _, number = ref.partition(":")
        if kind == NodeKind.TASK and _is_number(number) and (task := self._task_named(number)):
            return f"{task.title}{f' ({task.external_id})' if task.external_id else ''}"
        if kind == NodeKind.RUN and _is_number(number) and (run := self._runs.by_number(int(number))):
            return ", ".join(part for part in (run.outcome or "running", run.agent, run.purpose) if part)
        return ""

    def _task_named(self, name: str) -> Task | None:
        if _is_number(name):
            return next(iter(self._tasks.by_numbers([int(name)])), None)
        return self._tasks.by_external_id(name)


def _nearest(name: str, known: list[T], likeness: Callable[[T], float]) -> list[str]:
    """Return labels of the nearest: by number where the name is one, else by likeness, the newest first."""
    if _is_number(name):
        known.sort(key=lambda one: abs(one.id - int(name)))
    else:
        known.sort(key=lambda one: -likeness(one))
    return [one.label for one in known[:3]]


def _name(text: str, kind: NodeKind) -> str:
    """Return the name in `text`, without the kind that may stand before it."""
    reference = parse_reference(text)
    if reference.text != text.strip() and reference.kinds != (kind,):
        raise NotFound(f"'{text.strip()}' is not a {kind}.")
    return reference.text


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= DIGITS_OF_A_ROWID
