"""One call of a tool, and what is said of whatever may make its reply wrong."""

from __future__ import annotations

import time
from collections.abc import Callable

from tx_graph.context.freshness import INGEST, index_notices
from tx_graph.core.dataclass import dataclass, field
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.text import label, quoted_line
from tx_graph.documents.search import State, states_of
from tx_graph.faces.mcp.replies import STANDARD_BUDGET, Draft, Reply, packed
from tx_graph.graph.node_store import AnalysisStore
from tx_graph.records.watch import Records
from tx_graph.workspace.health import Age, Health

_SHARE = 20
"""Comparing index and working tree takes 20 ms among 2,000 files, 150 ms among 13,000: a twentieth of the time at most
goes there, and what was found is kept for as long as that takes."""
_AT_LEAST = 3.0  # seconds for which a comparison is kept: an agent that asks again so soon knows what it did meanwhile
_WORTH_SAYING = 2.0  # Seconds; that a comparison is younger than that surprises nobody
_MOST_RECORDS = 2  # skipped records that are named; `tx doctor` names the others


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What a comparison found, when (monotonic seconds), how long it took, and by which run the index was made."""

    kernel: Kernel
    age: Age
    at: float
    seconds: float
    indexed_at: str | None


class Caveats:
    """Finds the sentences. It is used by one thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: _Look | None = None

    def of_records(self, kernel: Kernel) -> list[str]:
        """Return what is known to be missing in every reply: records that were skipped, settings that do not count."""
        records = kernel.one(Records)
        problems = records.problems()
        told = [f"A record is wrong: {quoted_line(problem)}." for problem in problems[:_MOST_RECORDS]]
        if len(problems) > _MOST_RECORDS:
            told.append(f"{len(problems) - _MOST_RECORDS:,} more records are skipped; see 'tx doctor'.")
        told += [kernel.caveat] if kernel.caveat else []
        if pending := records.synced.pending:
            told.append(f"Changed records not taken in: {pending:,}; the database is read-only.")
        return told

    def of_graph(self, kernel: Kernel, *, path: str | None = None) -> list[str]:
        """Return how far the graph lags behind the working tree; of the file at `path` first, if one is given."""
        look = self._look(kernel)
        freshness = look.age.freshness
        told = [*(index_notices(freshness, path=path) if freshness else ()), *look.age.notices]
        if (seconds := self._clock() - look.at) >= _WORTH_SAYING:
            told = [f"{one.removesuffix('.')} (as of {seconds:.0f} s ago)." for one in told]
        if path is not None and states_of(kernel, [path]).get(path) is State.CHANGED:
            told.append(f"{path} has changed since it was read; run '{INGEST}'.")
        if path:
            told = [f"{label(path)}{one.removeprefix(path)}" if one.startswith(path) else one for one in told]
        return list(dict.fromkeys(told))

    def forget(self) -> None:
        """Let what was found count as old: the graph was brought up to date."""
        self._last = None

    def _look(self, kernel: Kernel) -> _Look:
        """Return the last comparison while it may still be told, else a new one."""
        run = AnalysisStore(kernel.database).last("index")
        indexed_at = run.finished_at if run else None
        start, last = self._clock(), self._last
        is_same = last is not None and last.kernel is kernel and last.indexed_at == indexed_at
        if last and is_same and start - last.at < max(_AT_LEAST, _SHARE * last.seconds):
            return last
        age = kernel.one(Health).age()
        end = self._clock()
        self._last = _Look(kernel=kernel, age=age, at=end, seconds=end - start, indexed_at=indexed_at)
        return self._last


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call: the open workspace, the budget of the reply, and what else every tool has.

    `is_read_only`: nothing may be noted, not even that something was asked. `is_structured`: the structure is sent
    beside the text, so the budget holds both. `progress` may end the call by raising.
    """

    kernel: Kernel
    budget: int = STANDARD_BUDGET
    is_read_only: bool = False
    is_structured: bool = False
    progress: Progress = no_progress
    caveats: Caveats = field(default_factory=Caveats)

    @property
    def longest(self) -> int:
        """The most characters that one text among several may take: in all forms together a quarter of the budget."""
        return self.budget // 2 if self.is_structured else self.budget

    def packed(self, draft: Draft) -> Reply:
        """Return the reply with as many items as find room in the budget."""
        return packed(draft, budget=self.budget, is_structured=self.is_structured)

    def notices(self, *others: str) -> tuple[str, ...]:
        """Return what may make the reply wrong: `others`, and records that could not be read."""
        return (*filter(None, others), *self.caveats.of_records(self.kernel))

    def graph_notices(self, *others: str, path: str | None = None) -> tuple[str, ...]:
        """Return the same for a reply that rests on the graph, so also how old that is."""
        return (*self.notices(*others), *self.caveats.of_graph(self.kernel, path=path))
