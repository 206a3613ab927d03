from __future__ import annotations

from pathlib import Path

import pytest

from tests.git_sandbox import GitSandbox
from tests.support import Project


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    """An empty repository."""
    return GitSandbox(tmp_path / "repo", monkeypatch)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty repository with a workspace."""
    return Project(tmp_path, monkeypatch)
