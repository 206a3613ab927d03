"""Who wrote the lines of files."""

from __future__ import annotations

import pytest

from tests.conftest import MakeRepository
from tx_graph.core.repository import GitRepository
from tx_graph.history import authors
from tx_graph.history.authors import authors_of


def test_where_history_goes_in_a_circle_git_is_not_waited_for(
    repository: MakeRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = repository(files={"a.py": "x = 1\n"})
    for number in range(3):
        git.write("b.py", text=f"y = {number}\n")
        git.commit()
    git.git("replace", "--graft", "HEAD~2", "HEAD")
    monkeypatch.setattr(authors, "_SECONDS", 1.0)
    found = authors_of(GitRepository(git.root), {"a.py": (), "b.py": ()})
    assert found.unanswered > 0
    assert "did not say in time" in found.silence
