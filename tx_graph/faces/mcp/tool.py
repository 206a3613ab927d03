"""A tool, and one call of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tx_graph.context.freshness import INGEST, index_notices
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.text import label, quoted_line
from tx_graph.documents.search import State, states_of
from tx_graph.faces.mcp.parameters import Given, Kind, Parameter, Schema, checked, schema_of, whole
from tx_graph.faces.mcp.replies import LEAST_BUDGET, MOST_BUDGET, STANDARD_BUDGET, Reply
from tx_graph.workspace.composition import Workspace
from tx_graph.workspace.health import Age

_SHARE = 20
"""Comparing index and working tree takes 20 ms among 2,000 files, 150 ms among 13,000: a twentieth of the time at most
goes there, and what was found is kept for as long as that takes."""
_AT_LEAST = 3.0
"""Seconds for which a comparison is kept: an agent that asks again so soon knows what it did meanwhile."""
_WORTH_SAYING = 2.0
"""Seconds; that a comparison is younger than that surprises nobody."""
_MOST_RECORDS = 2
"""Skipped records that are named; `tx doctor` names the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What a comparison found, when (monotonic seconds), how long it took, and by which run the index was made."""

    age: Age
    at: float
    seconds: float
    indexed_at: str | None

    def is_good(self, now: float, indexed_at: str | None) -> bool:
        """Whether it may still be told."""
        return now - self.at < max(_AT_LEAST, _SHARE * self.seconds) and self.indexed_at == indexed_at


class Caveats:
    """Finds the sentences. It is used by one thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._looks: tuple[Workspace, _Look] | None = None

    def of_records(self, workspace: Workspace) -> list[str]:
        """Return what is known to be missing in every reply: records that were skipped, or not taken in."""
        problems = workspace.record_problems()
        told = [f"A record is wrong: {quoted_line(problem)}." for problem in problems[:_MOST_RECORDS]]
        if len(problems) > _MOST_RECORDS:
            told.append(f"{len(problems) - _MOST_RECORDS:,} more records are skipped; see 'tx doctor'.")
        if pending := workspace.synced.pending:
            told.append(f"Changed records not taken in: {pending:,}; the database is read-only.")
        return told

    def of_graph(self, workspace: Workspace, *, path: str | None = None) -> list[str]:
        """Return how far the graph lags behind the working tree; of the file at `path` first, if one is given."""
        look = self._look(workspace)
        freshness = look.age.freshness
        told = [*(index_notices(freshness, path=path) if freshness else ()), *look.age.notices]
        if (seconds := self._clock() - look.at) >= _WORTH_SAYING:
            told = [f"{one.removesuffix('.')} (as of {seconds:.0f} s ago)." for one in told]
        if path is not None and states_of(workspace.kernel, [path]).get(path) is State.CHANGED:
            told.append(f"{path} has changed since it was read; run '{INGEST}'.")
        if path:
            told = [f"{label(path)}{one.removeprefix(path)}" if one.startswith(path) else one for one in told]
        return list(dict.fromkeys(told))

    def forget(self) -> None:
        """Let what was found count as old: the graph was brought up to date."""
        self._looks = None

    def _look(self, workspace: Workspace) -> _Look:
        run = workspace.graph.last_index()
        indexed_at = run.finished_at if run else None
        start = self._clock()
        if self._looks and self._looks[0] is workspace and self._looks[1].is_good(start, indexed_at):
            return self._looks[1]
        age = workspace.health.age()
        end = self._clock()
        look = _Look(age=age, at=end, seconds=end - start, indexed_at=indexed_at)
        self._looks = workspace, look
        return look


BUDGET = Parameter(
    name="budget", kind=whole(least=LEAST_BUDGET, most=MOST_BUDGET), description=f"most tokens, {STANDARD_BUDGET}"
)
"""Every tool takes it."""
MOST_RESULTS = 100
"""Of any list. A reply has no room for more, and who wants them all has the command line."""
_SHARE_OF_ONE = 2
"""Characters of one text for each token of the budget: as text and in the structure, two of them take half of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call: the workspace, the arguments, and what of them every tool has.

    `is_read_only`: nothing may be noted, not even that something was asked. `progress` may end the call by raising.
    """

    workspace: Workspace
    given: Given
    budget: int = STANDARD_BUDGET
    is_read_only: bool = False
    progress: Progress = no_progress
    caveats: Caveats = field(default_factory=Caveats)

    @property
    def kernel(self) -> Kernel:
        """The open workspace, for use cases that are made of it."""
        return self.workspace.kernel

    @property
    def longest(self) -> int:
        """The most characters that one text among several may take."""
        return self.budget // _SHARE_OF_ONE

    def notices(self, *others: str) -> tuple[str, ...]:
        """Return what may make the reply wrong: `others`, and records that could not be read."""
        return (*filter(None, others), *self.caveats.of_records(self.workspace))

    def graph_notices(self, *others: str, path: str | None = None) -> tuple[str, ...]:
        """Return the same for a reply that rests on the graph, so also how old that is."""
        return (*self.notices(*others), *self.caveats.of_graph(self.workspace, path=path))


Run = Callable[[Call], Reply]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool. `is_reading`: it changes nothing that anybody curates."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    run: Run
    is_reading: bool = True

    @property
    def schema(self) -> Schema:
        """What it takes, as JSON Schema."""
        return schema_of((*self.parameters, BUDGET))

    def checked(self, arguments: Mapping[str, Any]) -> Given:
        """Return the arguments of a call, checked."""
        return checked((*self.parameters, BUDGET), arguments, of=self.name)

    def for_readers(self) -> Tool:
        """Return the tool without what would have something written down."""
        return replace(self, parameters=tuple(one for one in self.parameters if not one.is_noting))


def parameter(name: str, kind: Kind, description: str = "", **more: Any) -> Parameter:  # noqa: ANN401 - its fields
    """Return a parameter; the three things that each has need no names."""
    return Parameter(name=name, kind=kind, description=description, **more)
