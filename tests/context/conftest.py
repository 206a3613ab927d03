"""What tests of context share: an empty workspace, and words for what something else speaks of."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.opened import Workspace
from tests.support import Project
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.knowledge.entity_store import EntityStore


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A repository with a workspace in which nothing is yet."""
    return Project(tmp_path, monkeypatch)


def mention(workspace: Workspace, kind: NodeKind, key: str, name: str) -> None:
    """Note that something speaks of an entity."""
    database = workspace._database
    with database.transaction():
        node = NodeStore(database).ensure(kind, [key])[key]
        entity = EntityStore(database).ensure([name])[name.lower()]
        database.write("INSERT INTO mentions (entity, node, origin, weight) VALUES (?, ?, 'text', 1)", (entity, node))
