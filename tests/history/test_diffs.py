"""Which lines a commit changed, read from real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git_sandbox import GitSandbox
from tx_graph.core.repository import GitRepository
from tx_graph.history.commits import changed_lines


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    return GitSandbox(tmp_path / "repo", monkeypatch)


def test_the_lines_of_a_commit_are_known(sandbox: GitSandbox) -> None:
    sandbox.write("a b.py", text="one\ntwo\nthree\n")
    sandbox.write("gone.py", text="x\n")
    first = sandbox.commit()
    (sandbox.root / "a b.py").write_text("one\n++ 2\n@@ -9 @@\nthree\n")
    (sandbox.root / "gone.py").unlink()
    second = sandbox.commit()
    repository = GitRepository(sandbox.root)
    assert changed_lines(repository, first)["a b.py"][0].added == ("one", "two", "three")
    assert changed_lines(repository, second).keys() == {"a b.py"}
    (hunk,) = changed_lines(repository, second)["a b.py"]
    assert (hunk.old_start, hunk.old_count, hunk.lines, hunk.added, hunk.size) == (
        2,
        1,
        (2, 3),
        ("++ 2", "@@ -9 @@"),
        3,
    )
