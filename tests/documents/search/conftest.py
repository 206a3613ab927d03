from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.search.material import Compass, Library
from tests.support import Project


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """A workspace without documents, with an embedder to which all questions are alike."""
    return Library(Project(tmp_path, monkeypatch, embedder=Compass()))
