"""A workspace with two learnings and a file to complete, and an environment in which a shell finds `tx`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.completion.prompt import install_tx
from tests.git_sandbox import GitSandbox
from tx_graph.learnings.learnings import Draft
from tx_graph.workspace import open_workspace


@pytest.fixture
def memory(project: GitSandbox) -> Path:
    """The root of a workspace with learnings 1 and 2."""
    (project.root / ".tx" / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    project.write("src/auth.py", text="")
    project.write("notes.md", text="")
    project.write("src/deep/jwt utils.py", text="")
    with open_workspace(project.root) as workspace:
        workspace.learnings.add_draft(Draft(content="Compare tokens in constant time\n\nElse they leak."))
        workspace.learnings.add_draft(Draft(content="Migrations \x1b[31mare: atomic"))
    return project.root


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return install_tx(tmp_path / "bin")
