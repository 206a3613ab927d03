"""A repository with a workspace, and the same with three learnings in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.opened import Workspace
from tests.support import Project
from tx_graph.learnings.learnings import Draft


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


@pytest.fixture
def workspace(project: Project) -> Iterator[Workspace]:
    with project.open() as opened:
        yield opened


@pytest.fixture
def bank(workspace: Workspace) -> Workspace:
    """A workspace with three learnings, open."""
    for content in ("One", "Two", "Three"):
        workspace.learnings.add_draft(Draft(content=content))
    return workspace
