"""A project with one source file, and its workspace, open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.opened import Workspace
from tests.support import Project


@pytest.fixture(scope="session")
def first_with_source(tmp_path_factory: pytest.TempPathFactory) -> Project:
    with pytest.MonkeyPatch.context() as monkeypatch:
        project = Project(tmp_path_factory.mktemp("source"), monkeypatch)
        project.write("src/auth.py", "def login():\n    return True\n")
        project.git.commit()
    return project


@pytest.fixture
def project(first_with_source: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with `src/auth.py`, committed with its workspace."""
    return first_with_source.copied(tmp_path, monkeypatch)


@pytest.fixture
def workspace(project: Project) -> Iterator[Workspace]:
    """The workspace of the project, open."""
    with project.open() as opened:
        yield opened
