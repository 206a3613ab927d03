"""A file that moves keeps its history, by whatever tells of the move."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.support import Project, let_stamps_settle
from tx_graph.context.ranking import rank_files
from tx_graph.core.database import Database
from tx_graph.core.settings import Weights
from tx_graph.history.cochange import CoChangeOptions
from tx_graph.history.cochange_store import CoChangeStore
from tx_graph.history.cochanges import CoChangeRequest
from tx_graph.history.commit_store import MOST_FILES, CommitStore
from tx_graph.history.evidence import refresh_messages
from tx_graph.workspace import prepare

OLD, NEW = "old/login.py", "new/sign_in.py"
MESSAGES = Weights(words=0, paths=0, history=0, imports=0, names=0, recent=0)
CODE = "".join(f"def step_{number}(): return {number}\n" for number in range(20))


def found(project: Project, text: str = "midnight") -> list[str]:
    """Return the files that messages lead to."""
    project.index()
    with project.open() as workspace:
        return [one.path for one in rank_files(workspace.kernel, text, weights=MESSAGES)]


def followed(project: Project) -> dict[str, str]:
    with Database.open(project.root / ".tx" / "graph.db") as database:
        return CommitStore(database).moved()


@pytest.fixture
def moved(project: Project) -> Project:
    """A file whose commits are all about what it was called before; it is moved, and that is not committed."""
    project.write(OLD, CODE)
    project.write("other.py", "other\n")
    for _ in range(3):
        project.git.commit(OLD, "other.py", message="Nobody is thrown out at midnight")
    project.index()
    let_stamps_settle()
    (project.root / "new").mkdir()
    project.git.git("mv", OLD, NEW)
    return project


def test_a_committed_rename_keeps_messages_and_co_changes(moved: Project) -> None:
    moved.write(NEW, (moved.root / NEW).read_text(encoding="utf-8") + "# not quite the same\n")
    moved.git.commit(message="Move it")
    assert sorted(found(moved)) == [NEW, "other.py"]
    with moved.open() as workspace:
        workspace.cochanges.run(CoChangeRequest(options=CoChangeOptions()))
        [partner] = CoChangeStore(workspace.kernel.database).partners_of(["other.py"])["other.py"]
    assert (partner.path, partner.shared) == (NEW, 3)


def test_a_move_that_nobody_committed_is_known_by_its_content(moved: Project) -> None:
    assert sorted(found(moved)) == [NEW, "other.py"]
    moved.git.git("reset", "--quiet", "--hard")
    assert sorted(found(moved)) == [OLD, "other.py"]
    assert followed(moved) == {}


def test_moves_are_followed_through_all_names_unless_an_old_one_is_in_use_again(moved: Project) -> None:
    moved.git.commit(message="Move it")
    moved.git.git("mv", NEW, "third.py")
    moved.git.commit(message="And again")
    assert "third.py" in found(moved)
    moved.write(OLD, "something else\n")
    moved.git.commit(message="Begin anew")
    assert {OLD, "other.py"} == set(found(moved))


def test_a_commit_too_wide_to_be_kept_still_tells_its_moves(moved: Project) -> None:
    moved.git.commit(*(f"wide/{number}" for number in range(MOST_FILES)), message="Move everything")
    assert NEW in found(moved)


def test_a_move_goes_with_its_commit(moved: Project) -> None:
    moved.git.commit(message="Move it")
    found(moved)
    moved.git.git("reset", "--quiet", "--hard", "HEAD^")
    assert sorted(found(moved)) == [OLD, "other.py"]


def test_without_the_contents_of_old_files_moves_of_unchanged_ones_are_followed(moved: Project, tmp_path: Path) -> None:
    moved.git.commit(message="Move it")
    moved.write("fourth.py", (moved.root / "other.py").read_text(encoding="utf-8") + "more\n")
    (moved.root / "other.py").unlink()
    moved.git.commit(message="Change and move the other")
    moved.git.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    moved.git.git("clone", "--quiet", "--filter=blob:none", moved.root.as_uri(), str(partial))
    shutil.rmtree(partial / ".tx", ignore_errors=True)
    prepare(partial)
    with open_workspace(partial) as workspace:
        workspace.indexing.run()
        report = refresh_messages(workspace.kernel)
        assert report.caveat == "Contents of old files are not here, so only moves of unchanged files are followed."
        assert CommitStore(workspace._database).moved() == {OLD: NEW}
