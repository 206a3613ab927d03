"""Real repositories and workspaces in temporary directories, deaf to the machine's own configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

import pytest

from tests.codebase.git_sandbox import GitSandbox
from tests.fakes import FixedClock
from tx_graph.records.layout import CONFIG, DIRECTORY
from tx_graph.services.setup import prepare
from tx_graph.storage.database import Database
from tx_graph.workspace import DATABASE_VARIABLE, Workspace, open_workspace


class MakeRepository(Protocol):
    """Makes a git repository below the test's directory, the files given committed."""

    def __call__(self, name: str = "project", files: Mapping[str, str] | None = None) -> GitSandbox: ...


class OpenWorkspace(Protocol):
    """Opens the workspace of a repository, by default that of `project`; the caller closes it."""

    def __call__(self, root: Path | None = None) -> Workspace: ...


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeRepository:
    """A factory of real git repositories."""
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)

    def make(name: str = "project", files: Mapping[str, str] | None = None) -> GitSandbox:
        sandbox = GitSandbox(tmp_path / name, monkeypatch)
        for path, text in (files or {}).items():
            sandbox.write(path, text=text)
        if files:
            sandbox.commit()
        return sandbox

    return make


@pytest.fixture
def project(repository: MakeRepository) -> GitSandbox:
    """A git repository with a workspace, all of it committed; embedding is turned off."""
    sandbox = repository()
    sandbox.write("src/auth.py", text="def login():\n    return True\n")
    prepare(sandbox.root)
    (sandbox.root / DIRECTORY / CONFIG).write_text('embedder = "none"\n', encoding="utf-8")
    sandbox.commit()
    return sandbox


@pytest.fixture
def clock() -> FixedClock:
    """A clock that stands still."""
    return FixedClock()


@pytest.fixture
def open_project(project: GitSandbox, clock: FixedClock) -> OpenWorkspace:
    """Opens workspaces with the test's clock."""
    return lambda root=None: open_workspace(root or project.root, clock=clock)


@pytest.fixture
def workspace(open_project: OpenWorkspace) -> Iterator[Workspace]:
    """The workspace of `project`, open."""
    with open_project() as opened:
        yield opened


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A new, empty database in a file."""
    with Database.open(tmp_path / "graph.db") as opened:
        yield opened
