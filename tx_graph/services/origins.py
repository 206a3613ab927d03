"""Where a learning comes from, where somebody names the task or run in which it was learned."""

from __future__ import annotations

from dataclasses import replace

from tx_graph.core.kernel import Kernel
from tx_graph.domain.learning import SourceType
from tx_graph.errors import UsageError
from tx_graph.services.learnings import Draft
from tx_graph.work.references import WorkReferences

TOLD_TWICE = "--task and --run say where it came from; leave out --source-type and --source-ref."


class Origins:
    """Writes tasks and runs into drafts."""

    def __init__(self, kernel: Kernel) -> None:
        self._work = kernel.one(WorkReferences)

    def draft(self, draft: Draft, *, task: str | None = None, run: str | None = None) -> Draft:
        """Return the draft as one from a task or a run, if one is named; the record keeps the tracker's name.

        Raises:
            NotFound: There is no such task or run.
            UsageError: Both are named, or the draft says otherwise where it comes from.
        """
        if task is not None and run is not None:
            raise UsageError("A run has its task: give --task or --run.")
        if task is None and run is None:
            return draft
        if draft.source_type is not SourceType.MANUAL or draft.source_ref is not None:
            raise UsageError(TOLD_TWICE)
        return self._from_task(draft, task) if task is not None else self._from_run(draft, run or "")

    def _from_task(self, draft: Draft, ref: str) -> Draft:
        task = self._work.task(ref)
        return replace(draft, source_type=SourceType.TASK, source_ref=task.name, derived_from=task.node)

    def _from_run(self, draft: Draft, ref: str) -> Draft:
        run = self._work.run(ref)
        return replace(draft, source_type=SourceType.RUN, source_ref=run.ref, derived_from=run.node)
