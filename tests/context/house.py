"""A workspace that knows a little of everything, for tests of recall."""

from __future__ import annotations

from typing import Any

from scripts.opened import Workspace
from tests.support import Project
from tx_graph.context.recall import Recall, RecallAnswer
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import FactStatus
from tx_graph.knowledge.facts import Added, Facts
from tx_graph.knowledge.spreading import RecallLimits


def says(workspace: Workspace, subject: str, predicate: str, value: str = "", **fields: Any) -> Added:  # noqa: ANN401
    """Add a confirmed fact with a value, or one `to` another entity."""
    to = fields.pop("to", None)
    fields.setdefault("status", FactStatus.CONFIRMED)
    told = {"object": to} if to else {"value": value}
    return workspace.kernel.one(Facts).add(subject=subject, predicate=predicate, **told, **fields)


def furnish(workspace: Workspace) -> None:
    """Add what the decision about recall has as its example; all of it confirmed but for one preference."""
    says(workspace, "user", "prefers", "dark mode")
    says(workspace, "user", "prefers", "TypeScript over JavaScript", status=FactStatus.STAGED)
    says(workspace, "user", "works_on", to="JACQ Project")
    says(workspace, "JACQ Project", "uses", to="DuckDB")
    says(workspace, "JACQ Project", "status", "active development")
    says(workspace, "DuckDB", "type", "embedded OLAP database")


def furnished(project: Project) -> Project:
    """Furnish a project's workspace."""
    with project.open() as workspace:
        furnish(workspace)
    return project


def recall(workspace: Workspace, text: str, *, anchors: int = 3, **limits: Any) -> RecallAnswer:  # noqa: ANN401
    """Ask; `moment` and `budget` may stand among the limits."""
    asked = {name: limits.pop(name) for name in ("moment", "budget") if name in limits}
    return workspace.kernel.one(Recall).ask(text, anchors=anchors, limits=RecallLimits(**limits), **asked)


def lines(answer: RecallAnswer) -> list[str]:
    """Return the lines of a narrative."""
    return answer.narrative.split("\n")


def anchors(answer: RecallAnswer) -> list[tuple[str, str]]:
    """Return the names of the anchors, each with how it was found."""
    return [(anchor.entity.name, anchor.matched_by.value) for anchor in answer.anchors]


def mention(workspace: Workspace, kind: NodeKind, key: str, name: str) -> None:
    """Note that something speaks of an entity."""
    database = workspace._database
    with database.transaction():
        node = NodeStore(database).ensure(kind, [key])[key]
        entity = EntityStore(database).ensure([name])[name.lower()]
        database.write("INSERT INTO mentions (entity, node, origin, weight) VALUES (?, ?, 'text', 1)", (entity, node))
