"""Publishing a repository."""

from __future__ import annotations

import pytest

from scripts.opened import Workspace
from tests.git_sandbox import GitSandbox
from tx_graph.core.errors import RepositoryError
from tx_graph.core.ports import alike, no_progress
from tx_graph.hub.publishing import Published, publish
from tx_graph.hub.store import Hub

NAME = "github.com/acme/shop"


def published(workspace: Workspace, *, dry_run: bool = False, force: bool = False) -> Published:
    return publish(workspace.kernel, dry_run=dry_run, force=force, stages=alike(no_progress))


@pytest.fixture(autouse=True)
def _named(project: GitSandbox) -> None:
    project.git("remote", "add", "origin", "git@github.com:acme/shop.git")


def test_what_is_committed_is_published(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    workspace.learnings.add("Tokens live for an hour.")
    with pytest.raises(RepositoryError, match="not as HEAD has them"):
        published(workspace)
    project.commit()
    done = published(workspace)
    assert done.repository == NAME
    assert done.added == {"file": 1, "learning": 1}
    assert hub.rows("SELECT content FROM tx.learnings") == [("Tokens live for an hour.",)]
    assert not published(workspace).is_changed
