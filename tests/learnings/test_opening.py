"""A workspace opens wherever its records can be read, with its own database or with none."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.core.test_database import leave_log
from tests.isolation import READ_ONLY, in_namespace
from tests.support import Project
from tx_graph.core.errors import StorageError


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.git.commit("a.py")
    project.add("Rotate keys", "a.py")
    return project


READ = """
from scripts.opened import open_workspace
from tx_graph.workspace.doctor import check_up
from tx_graph.learnings.learnings import Draft
from tx_graph.context.search import Query
with open_workspace(directory) as workspace:
    found = workspace.search.run(Query(text="rotate"))
    print(json.dumps({
        "found": [one.stored.learning.content for one in found.results],
        "notices": workspace.health.status().notices,
        "levels": {one.check: one.level for one in check_up(directory).findings},
        "error": refusal(lambda: workspace.learnings.add_draft(Draft(content="New"))),
        "files": sorted(os.listdir(directory / ".tx")),
    }))
"""


def read_only(project: Project) -> dict[str, object]:
    """Answer from a file system that cannot be written, and find nothing written."""
    before = sorted(file.name for file in (project.root / ".tx").iterdir())
    found = in_namespace(READ_ONLY, READ, project.root)
    assert found["files"] == before
    assert json.dumps(found["error"]).startswith('[5, "')
    assert sorted(file.name for file in (project.root / ".tx").iterdir()) == before
    return found


def forget_database(project: Project) -> None:
    for file in (project.root / ".tx").glob("graph.db*"):
        file.unlink()


def test_a_fresh_clone_on_a_read_only_file_system_is_read(project: Project) -> None:
    forget_database(project)
    (project.root / ".tx" / ".gitignore").unlink()
    found = read_only(project)
    assert found["found"] == ["Rotate keys"]
    assert "answers come from the records alone" in str(found["notices"])
    assert "problem" not in json.dumps(found["levels"])


def test_a_log_that_only_a_writer_could_read_is_done_without(project: Project) -> None:
    leave_log(project.root / ".tx" / "graph.db")
    (project.root / ".tx" / "graph.db-shm").unlink()
    assert read_only(project)["found"] == ["Rotate keys"]


def test_a_database_elsewhere_serves_one_repository(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    other = Project(tmp_path / "other", monkeypatch)
    monkeypatch.setenv("TX_DB", str(tmp_path / "shared.db"))
    for _ in range(2):
        assert project.contents("rotate") == ["Rotate keys"]
    with pytest.raises(StorageError, match=f"belongs to {project.root}"):
        other.open()
    assert project.contents("rotate") == ["Rotate keys"]


def test_git_ignores_the_database_of_a_workspace_made_by_hand(project: Project) -> None:
    root = project.root.parent / "by-hand"
    (root / ".tx").mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", root], check=True)
    with open_workspace(root):
        untracked = project.git.git("-C", str(root), "status", "--porcelain", "--untracked-files=all")
    assert untracked == "?? .tx/.gitignore"


def test_what_is_ignored_is_the_users_to_say(project: Project) -> None:
    forget_database(project)
    ignore = project.root / ".tx" / ".gitignore"
    ignore.write_text("# mine\n", encoding="utf-8")
    project.open().close()
    assert ignore.read_text(encoding="utf-8") == "# mine\n"
