"""A repository with a workspace, and its facts and entities, open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.knowledge.bank import Bank, opened
from tests.support import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


@pytest.fixture
def bank(project: Project) -> Iterator[Bank]:
    with opened(project) as found:
        yield found
