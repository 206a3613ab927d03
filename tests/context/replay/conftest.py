"""A repository to be replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git_sandbox import GitSandbox


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    monkeypatch.delenv("TX_DB", raising=False)
    sandbox = GitSandbox(tmp_path / "repo", monkeypatch)
    (sandbox.root / ".git" / "info" / "exclude").write_text(".tx\n")
    return sandbox
