"""What tests of context share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A repository with a workspace in which nothing is yet."""
    return Project(tmp_path, monkeypatch)
