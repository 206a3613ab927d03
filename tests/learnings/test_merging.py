"""One learning takes the place of another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.anchors.linking import Linking
from tx_graph.core.errors import NotFound, StorageError, UsageError
from tx_graph.graph.edges import Relation
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.learnings.learnings import Draft
from tx_graph.learnings.merging import Merged, Merging, Superseded
from tx_graph.records.anchor import AnchorRequest
from tx_graph.records.learning import Learning, Link, Status


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("a.py", "one\n")
    project.write("b.py", "two\n")
    return project


def merge(project: Project, keep: str, other: str) -> Merged:
    with project.open() as workspace:
        return workspace.kernel.one(Merging).merge(keep, other)


def supersede(project: Project, old: str, new: str) -> Superseded:
    with project.open() as workspace:
        return workspace.kernel.one(Merging).supersede(old, new)


def learning(project: Project, number: int) -> Learning:
    with project.open() as workspace:
        return workspace.learnings.get(str(number)).learning


def test_the_one_that_stays_gains_what_it_lacks(project: Project) -> None:
    third = project.add("third").learning.uid
    project.add("keep", "a.py", links=[Link(target="1", weight=0.5)])
    links = [Link(target="1", weight=1.0), Link(target="1", relation=Relation.ELABORATES)]
    project.add("other", "a.py", "b.py", category="beasts", links=links)
    with project.open() as workspace:
        workspace.learnings.edit("2", add_keywords=["one"])
    with project.open() as workspace:
        workspace.learnings.edit("3", add_keywords=["two", "one"])
    merged = merge(project, "2", "3")
    kept, other = learning(project, 2), learning(project, 3)
    assert kept.content == "keep"
    assert [anchor.path for anchor in kept.anchors] == ["a.py", "b.py"]
    assert kept.keywords == ("one", "two")
    assert kept.category == "beasts"
    assert {(link.target, link.relation, link.weight) for link in kept.links} == {
        (third, Relation.REFERENCES, 0.5),
        (third, Relation.ELABORATES, 1.0),
    }
    assert (merged.anchors, merged.keywords, merged.links) == (1, 1, 1)
    assert (other.status, other.superseded_by) == (Status.SUPERSEDED, kept.uid)
    assert [anchor.path for anchor in other.anchors] == ["a.py", "b.py"]


def test_the_fingerprint_of_a_place_that_both_have_is_that_of_the_one_that_stays(project: Project) -> None:
    project.add("keep", "a.py")
    before = learning(project, 1).anchors
    project.write("a.py", "changed\n")
    project.add("other", "a.py")
    merge(project, "1", "2")
    assert learning(project, 1).anchors == before


def test_links_between_the_two_have_served_their_time(project: Project) -> None:
    project.add("keep")
    project.add("other", links=[Link(target="1")])
    with project.open() as workspace:
        workspace.kernel.one(Linking).relate("1", "2", relation=Relation.ELABORATES, weight=1)
    merge(project, "1", "2")
    assert learning(project, 1).links == ()


def test_whoever_links_to_the_other_one_is_led_on(project: Project) -> None:
    keep = project.add("keep").learning.uid
    other = project.add("other").learning.uid
    project.add("third", links=[Link(target="2", relation=Relation.DEPENDS_ON, weight=0.5)])
    assert merge(project, "1", "2").linked == ("learning:3",)
    assert {(link.target, link.relation, link.weight) for link in learning(project, 3).links} == {
        (keep, Relation.DEPENDS_ON, 0.5),
        (other, Relation.DEPENDS_ON, 0.5),
    }
    assert project.contents("third", expand=True) == ["third", "keep"]


def test_a_merge_again_changes_nothing_and_is_undone_by_making_the_other_one_active(project: Project) -> None:
    project.add("keep")
    project.add("other", "a.py")
    with project.open() as workspace:
        workspace.learnings.helpful("2", score=1.0)
    merge(project, "1", "2")
    again = merge(project, "1", "2")
    assert (again.anchors, again.keywords, again.links, again.linked) == (0, 0, 0, ())
    assert project.contents("other") == []
    with project.open() as workspace:
        used = [workspace.learnings.get(ref).usage.count for ref in ("1", "2")]
        assert used == [0, 1], "votes stay with the learning they were for"
        workspace.learnings.edit("2", status=Status.ACTIVE)
    assert project.contents("other") == ["other"]
    assert learning(project, 2).superseded_by is None


def test_what_is_superseded_answers_no_more_and_is_in_its_record(project: Project) -> None:
    old = project.add("xerus old")
    new = project.add("xerus new")
    done = supersede(project, "1", "2")
    assert (done.existed, done.old.learning.superseded_by) == (False, new.learning.uid)
    assert supersede(project, "1", "2").existed
    assert project.contents("xerus") == ["xerus new"]
    record = (project.root / ".tx" / "learnings" / old.record).read_text(encoding="utf-8")
    assert f"superseded_by: {new.learning.uid}" in record


Act = Callable[[Project, str, str], object]


@pytest.mark.parametrize("act", [merge, supersede])
def test_a_learning_cannot_take_its_own_place(project: Project, act: Act) -> None:
    project.add("one")
    with pytest.raises(UsageError, match="name two"):
        act(project, "1", "1")
    with pytest.raises(NotFound):
        act(project, "1", "7")


def test_nothing_comes_to_be_superseded_by_itself(project: Project) -> None:
    for content in ("one", "two", "three"):
        project.add(content)
    supersede(project, "1", "2")
    supersede(project, "2", "3")
    for new in ("1", "2"):
        with pytest.raises(UsageError, match=f"learning:{new} is itself superseded by learning:3"):
            supersede(project, "3", new)


@pytest.mark.parametrize("fate", ["removed", Status.RETRACTED, Status.SUPERSEDED, Status.STAGED])
def test_what_answers_nothing_itself_takes_no_place(project: Project, fate: str) -> None:
    project.add("one")
    project.add("two")
    with project.open() as workspace:
        if fate == "removed":
            workspace.learnings.remove("2")
        else:
            workspace.learnings.edit("2", status=Status(fate))
    with pytest.raises(UsageError, match=f"learning:2 (was|is) {fate}"):
        supersede(project, "1", "2")
    with pytest.raises(UsageError, match=f"learning:2 (was|is) {fate}"):
        merge(project, "2", "1")
    if fate == "removed":
        with pytest.raises(UsageError, match="learning:2 was removed"):
            merge(project, "1", "2")


def test_a_failing_merge_leaves_everything_as_it_was(project: Project) -> None:
    project.add("keep")
    other = project.add("other", "a.py")
    record = project.root / ".tx" / "learnings" / other.record
    with project.open() as workspace:
        record.write_text(record.read_text(encoding="utf-8").replace("other", "others"), encoding="utf-8")
        with pytest.raises(StorageError, match="changed by somebody else"):
            workspace.kernel.one(Merging).merge("1", "2")
    assert learning(project, 1).anchors == ()


def test_origins_come_along(project: Project) -> None:
    project.add("keep")
    with project.open() as workspace:
        with workspace._database.transaction():
            commit = NodeStore(workspace._database).ensure(NodeKind.COMMIT, ["a" * 40])["a" * 40]
        draft = Draft(content="other", anchors=[AnchorRequest(path="a.py")], derived_from=commit)
        workspace.learnings.add_draft(draft)
        assert workspace.kernel.one(Merging).merge("1", "2").derived == 1
        kinds = {(step.type, step.target) for step in workspace.graph.show("1").steps}
    assert ("DERIVED_FROM", f"commit:{'a' * 12}") in kinds
