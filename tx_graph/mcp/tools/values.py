"""A tool, and one call of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tx_graph.mcp.caveats import Caveats
from tx_graph.mcp.parameters import Given, Kind, Parameter, Schema, checked, schema_of, whole
from tx_graph.mcp.replies.reply import LEAST_BUDGET, MOST_BUDGET, STANDARD_BUDGET, Reply
from tx_graph.ports import Progress, no_progress
from tx_graph.workspace import Workspace

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
        """Return the arguments of a call, checked.

        Raises:
            UsageError: They are not what the tool takes.
        """
        return checked((*self.parameters, BUDGET), arguments, of=self.name)

    def for_readers(self) -> Tool:
        """Return the tool without what would have something written down."""
        return replace(self, parameters=tuple(one for one in self.parameters if not one.is_noting))


def parameter(name: str, kind: Kind, description: str = "", **more: Any) -> Parameter:  # noqa: ANN401 - its fields
    """Return a parameter; the three things that each has need no names."""
    return Parameter(name=name, kind=kind, description=description, **more)
