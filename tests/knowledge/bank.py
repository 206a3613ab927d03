"""Facts and entities of an open workspace, in few words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scripts.opened import Workspace
from tests.support import Project
from tx_graph.knowledge.entities import Entities
from tx_graph.knowledge.facts import Added, Facts


class Bank:
    """What is known in an open workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.facts = workspace.kernel.one(Facts)
        self.entities = workspace.kernel.one(Entities)

    def add(self, subject: str, predicate: str, value: str | None = None, **fields: Any) -> Added:  # noqa: ANN401
        """Add a fact with a literal value."""
        return self.facts.add(subject=subject, predicate=predicate, value=value, **fields)

    def tie(self, subject: str, predicate: str, named: str, **fields: Any) -> Added:  # noqa: ANN401
        """Add a fact about two entities."""
        return self.add(subject, predicate, object=named, **fields)

    def told(self, **query: Any) -> list[str]:  # noqa: ANN401
        """Return what is known, the newest first: `Billing uses DuckDB`."""
        found = self.facts.list(**query, limit=1000)
        return [f"{one.stored.subject_name} {one.stored.fact.predicate} {one.stored.told}" for one in found]

    def history(self, of: str, **query: Any) -> list[str]:  # noqa: ANN401
        """Return the values that were ever said, the oldest first."""
        return [one.stored.told for one in self.facts.history(of, **query)]


@contextmanager
def opened(project: Project) -> Iterator[Bank]:
    """Open a project's workspace, and close it again."""
    with project.open() as workspace:
        yield Bank(workspace)


def lose_database(project: Project) -> None:
    """Remove the database: what records say must do."""
    for file in (project.root / ".tx").glob("graph.db*"):
        file.unlink()
