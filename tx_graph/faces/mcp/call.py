"""One call of a tool, and what is said of whatever may make its reply wrong."""

from __future__ import annotations

from tx_graph.core.dataclass import dataclass
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.text import label, quoted_line
from tx_graph.faces.mcp.replies import STANDARD_BUDGET, Draft, Reply, packed
from tx_graph.records.watch import Records
from tx_graph.workspace.health import Health
from tx_graph.workspace.updating import Updating

_MOST_RECORDS = 2  # skipped records that are named; `tx doctor` names the others


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

    @property
    def longest(self) -> int:
        """The most characters that one text among several may take: in all forms together a quarter of the budget."""
        return self.budget // 2 if self.is_structured else self.budget

    def packed(self, draft: Draft) -> Reply:
        """Return the reply with as many items as find room in the budget."""
        return packed(draft, budget=self.budget, is_structured=self.is_structured)

    def notices(self, *others: str) -> tuple[str, ...]:
        """Return what may make the reply wrong: `others`, records that could not be read, what was not taken in."""
        return (*filter(None, others), *self._of_records(), *self.kernel.one(Updating).notices)

    def graph_notices(self, *others: str, path: str | None = None) -> tuple[str, ...]:
        """Return the same for a reply that rests on the graph, with how far it lags; of the file at `path` first."""
        told = self.kernel.one(Health).age(path=path).notices
        named = [f"{label(path)}{one.removeprefix(path)}" if path and one.startswith(path) else one for one in told]
        return (*filter(None, others), *self._of_records(), *named)

    def _of_records(self) -> list[str]:
        """Return what is known to be missing in every reply: records that were skipped, settings that do not count."""
        records = self.kernel.one(Records)
        problems = records.problems()
        told = [f"A record is wrong: {quoted_line(problem)}." for problem in problems[:_MOST_RECORDS]]
        if len(problems) > _MOST_RECORDS:
            told.append(f"{len(problems) - _MOST_RECORDS:,} more records are skipped; see 'tx doctor'.")
        told += [self.kernel.caveat] if self.kernel.caveat else []
        if pending := records.synced.pending:
            told.append(f"Changed records not taken in: {pending:,}; the database is read-only.")
        return told
