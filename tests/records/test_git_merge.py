"""Git carries learnings between people: branches merge without a conflict and without a merge driver."""

from __future__ import annotations

from pathlib import Path
from subprocess import CalledProcessError

import pytest

from scripts.opened import Workspace, open_workspace
from tests.record_texts import add, contents, record_path, records, shown
from tests.support import Project
from tx_graph.anchors.linking import Linking
from tx_graph.graph.edges import Relation
from tx_graph.learnings.learnings import Draft
from tx_graph.records.anchor import parse_anchor
from tx_graph.records.learning import Link
from tx_graph.records.learning_record import LEARNING_FORMAT
from tx_graph.records.learning_store import LearningStore


def rendered(workspace: Workspace) -> dict[str, bytes]:
    """Return every stored learning as it would be written today, removed ones too."""
    return {
        stored.record: LEARNING_FORMAT.render(stored.learning).encode()
        for removed in (False, True)
        for stored in LearningStore(workspace._database).listed(removed=removed, limit=10_000)
    }


def forget_database(root: Path) -> None:
    for path in (root / ".tx").glob("graph.db*"):
        path.unlink()


def work_on_branch(project: Project, name: str, base: str) -> None:
    project.git.git("checkout", "--quiet", "-b", name, base)


def test_two_branches_that_touch_different_learnings_merge_to_their_union(project: Project) -> None:
    with project.open() as workspace:
        kept, hers, his, dropped, hidden, linked = (
            add(workspace, f"Learning {name}") for name in ("kept", "hers", "his", "dropped", "hidden", "linked")
        )
    base = project.git.commit()

    work_on_branch(project, "hers", base)
    with project.open() as workspace:
        draft = Draft(
            content="Added by her 😀",
            keywords=["no", "日本"],
            confidence=0.1,
            anchors=[parse_anchor("src/auth.py::login")],
        )
        workspace.learnings.add_draft(draft)
        workspace.learnings.edit(hers.learning.uid, content="Edited by her\n---\nindeed", category="ops")
        workspace.learnings.remove(hidden.learning.uid)
    project.git.commit()

    work_on_branch(project, "his", base)
    with project.open() as workspace:
        assert contents(workspace) == sorted(
            f"Learning {n}" for n in ("kept", "hers", "his", "dropped", "hidden", "linked")
        )
        draft = Draft(content="Added by him", links=[Link(target=kept.learning.uid, relation=Relation.PART_OF)])
        workspace.learnings.add_draft(draft)
        workspace.learnings.edit(his.learning.uid, content="Edited by him")
        workspace.kernel.one(Linking).relate(
            linked.learning.uid, kept.learning.uid, relation=Relation.DEPENDS_ON, weight=0.25
        )
    record_path(project.root, dropped).unlink()
    project.git.commit()

    project.git.git("merge", "--quiet", "--no-edit", "hers")
    expected = [
        "Added by her 😀",
        "Added by him",
        "Edited by her\n---\nindeed",
        "Edited by him",
        "Learning kept",
        "Learning linked",
    ]
    assert shown(project) == expected
    forget_database(project.root)
    with project.open() as workspace:
        assert contents(workspace) == expected
        assert rendered(workspace) == records(project.root)
        assert workspace.record_problems() == []
        (gone,) = LearningStore(workspace._database).listed(removed=True, limit=10)
        assert gone.learning.uid == hidden.learning.uid
    assert project.git.git("status", "--porcelain") == ""


def test_switching_branches_shows_each_its_own_learnings_under_the_same_numbers(project: Project) -> None:
    base = project.git.commit()
    numbers: dict[str, int] = {}
    for name in ("one", "two"):
        work_on_branch(project, name, base)
        with project.open() as workspace:
            numbers[name] = add(workspace, f"Only on {name}").id
        project.git.commit()
    for name in ("one", "two", "one"):
        project.git.git("checkout", "--quiet", name)
        with project.open() as workspace:
            assert contents(workspace) == [f"Only on {name}"]
            assert workspace.learnings.show(str(numbers[name])).stored.id == numbers[name]
    assert numbers["one"] != numbers["two"]


def test_a_conflict_within_one_learning_is_named_and_resolved_by_hand(project: Project) -> None:
    stored = project.add("Learning")
    base = project.git.commit()
    for name in ("one", "two"):
        work_on_branch(project, name, base)
        with project.open() as workspace:
            workspace.learnings.edit(stored.learning.uid, category=name)
        project.git.commit()
    path = record_path(project.root, stored)
    with pytest.raises(CalledProcessError):
        project.git.git("merge", "--quiet", "--no-edit", "one")
    with project.open() as workspace:
        (problem,) = workspace.record_problems()
        assert f"{path.name}:2: it has an unresolved merge conflict" in problem
    project.git.git("checkout", "--quiet", "--theirs", "--", str(path))
    with project.open() as workspace:
        assert workspace.learnings.show(stored.learning.uid).stored.learning.category == "one"


def test_windows_line_ends_from_git_make_no_change(project: Project, tmp_path: Path) -> None:
    stored = project.add("Rotate keys\nyearly")
    project.git.commit()
    project.git.git("clone", "--quiet", "--config", "core.autocrlf=true", str(project.root), str(tmp_path / "clone"))
    clone = tmp_path / "clone"
    assert b"\r\n" in record_path(clone, stored).read_bytes()
    with open_workspace(clone) as workspace:
        assert workspace.learnings.show(stored.learning.uid).stored.learning == stored.learning
    assert project.git.git("diff", "--name-only", at=clone) == ""
