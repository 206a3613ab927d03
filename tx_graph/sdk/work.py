"""Tasks and runs: what is to be done, and attempts at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.domain.run import Outcome, Run
from tx_graph.domain.task import Task, TaskStatus
from tx_graph.sdk.given import chosen, several
from tx_graph.sdk.namespace import Namespace
from tx_graph.sdk.references import Ref, ref_of

if TYPE_CHECKING:
    from tx_graph.services.runs import Ended, Feedback, RunShown
    from tx_graph.services.tasks import TaskShown


class Tasks(Namespace):
    """Pieces of work: `workspace.tasks`. They are named by number or by what a tracker calls them (`GH-123`)."""

    def add(self, title: str, *, description: str = "", external_id: str | None = None) -> Task:
        """Return the task that was added.

        Raises:
            UsageError: A field is empty, too long or not printable, or another task has the external id.
        """
        with self._lasting.use() as workspace:
            return workspace.tasks.add(title, description=description, external_id=external_id)

    def list(self, status: TaskStatus | None = TaskStatus.OPEN, *, limit: int = 50) -> tuple[Task, ...]:
        """Return tasks of a status, of any where it is None, newest first.

        Raises:
            UsageError: The limit is not from 1 to 10,000.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.tasks.listed(chosen(TaskStatus, status), limit=limit))

    def show(self, task: Ref) -> TaskShown:
        """Return a task with its runs, what was learned in it, and which learnings its runs used.

        Raises:
            NotFound: There is no such task.
        """
        with self._lasting.use() as workspace:
            return workspace.tasks.show(ref_of(task))

    def done(self, task: Ref) -> Task:
        """Return a task that is done.

        Raises:
            NotFound: There is no such task.
        """
        with self._lasting.use() as workspace:
            return workspace.tasks.finish(ref_of(task))

    def reopen(self, task: Ref) -> Task:
        """Return a task that is to be done after all.

        Raises:
            NotFound: There is no such task.
        """
        with self._lasting.use() as workspace:
            return workspace.tasks.reopen(ref_of(task))

    def edit(
        self, task: Ref, *, title: str | None = None, description: str | None = None, external_id: str | None = None
    ) -> Task:
        """Return a task after changing it; None leaves a field as it is, an empty text clears it.

        Raises:
            NotFound: There is no such task.
            UsageError: Nothing is to change, a new value is not valid, or another task has the external id.
        """
        from tx_graph.services.tasks import TaskChanges

        changes = TaskChanges(title=title, description=description, external_id=external_id)
        with self._lasting.use() as workspace:
            return workspace.tasks.edit(ref_of(task), changes)


class Runs(Namespace):
    """Attempts at work, and what helped in them: `workspace.runs`."""

    def start(self, *, task: Ref | None = None, agent: str | None = None) -> Run:
        """Return the run that was started, for a task if one is named.

        Raises:
            NotFound: There is no such task.
            UsageError: The agent's name is empty, too long or not printable.
        """
        with self._lasting.use() as workspace:
            return workspace.runs.start(task=None if task is None else ref_of(task), agent=agent)

    def finish(self, run: Ref, outcome: Outcome, *, transcript: str | None = None, again: bool = False) -> Ended:
        """Return a run that has ended; only with `again` may one that has ended get another outcome or transcript.

        Raises:
            NotFound: There is no such run.
            UsageError: It has ended otherwise, or the transcript is too long or no text.
        """
        from tx_graph.services.runs import Ending

        ending = Ending(outcome=chosen(Outcome, outcome), transcript=transcript)
        with self._lasting.use() as workspace:
            return workspace.runs.finish(ref_of(run), ending, again=again)

    def show(self, run: Ref) -> RunShown:
        """Return a run with the learnings that were shown in it, what helped, and what was learned in it.

        Raises:
            NotFound: There is no such run.
        """
        with self._lasting.use() as workspace:
            return workspace.runs.show(ref_of(run))

    def transcript(self, run: Ref) -> str | None:
        """Return the transcript of a run, None when it has none.

        Raises:
            NotFound: There is no such run.
        """
        with self._lasting.use() as workspace:
            return workspace.runs.transcript(ref_of(run))

    def list(self, *, task: Ref | None = None, limit: int = 20) -> tuple[Run, ...]:
        """Return runs, newest first, only those for a task if one is named.

        Raises:
            NotFound: There is no such task.
            UsageError: The limit is not from 1 to 10,000.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.runs.listed(task=None if task is None else ref_of(task), limit=limit))

    def feedback(self, run: Ref, *, helpful: Sequence[Ref] = (), unhelpful: Sequence[Ref] = ()) -> Feedback:
        """Return the votes that were given on learnings in a run: all of them or none; a later vote replaces one.

        Raises:
            NotFound: The run or a learning does not exist.
            UsageError: No learning is named, or one is named as both.

        Example:
            >>> stored = workspace.learnings.add("Tokens are secret").stored
            >>> run = workspace.runs.start(agent="reviewer")
            >>> [vote.helpful for vote in workspace.runs.feedback(run, helpful=[stored]).votes]
            [True]
        """
        good, bad = [ref_of(one) for one in several(helpful)], [ref_of(one) for one in several(unhelpful)]
        with self._lasting.use() as workspace:
            return workspace.runs.feedback(ref_of(run), helpful=good, unhelpful=bad)
