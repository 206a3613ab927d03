"""Learnings in focus: the file they are about, those beside them, and how they are linked."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.context.focus.conftest import View, order
from tests.support import Project
from tx_graph.core.errors import NotFound
from tx_graph.graph.edges import Relation
from tx_graph.learnings.merging import Merging
from tx_graph.records.learning import Link, Status


@pytest.fixture
def numbers(project: Project) -> Mapping[str, str]:
    """Four learnings about `src/jwt.py`, of which the second elaborates the first; one about nothing."""
    first = project.add("Keys rotate weekly.", "src/jwt.py")
    second = project.add(
        "Rotation takes a lock.\nElsewhere it would not.",
        "src/jwt.py::Keys",
        links=[Link(target=str(first.id), relation=Relation.ELABORATES)],
    )
    third = project.add("Decoding is cheap.", "src/jwt.py::decode")
    staged = project.add("Nobody confirmed this.", "src/jwt.py", status=Status.STAGED)
    loose = project.add("Naming is hard.")
    names = ("first", "second", "third", "staged", "loose")
    return dict(zip(names, (one.ref for one in (first, second, third, staged, loose)), strict=True))


def test_a_learning_and_all_around_it_in_the_order_worked_out_by_hand(view: View, numbers: Mapping[str, str]) -> None:
    seen = view(numbers["second"])
    assert seen.path == (".", "src", "src/jwt.py")
    assert order(seen)[:7] == [
        # Layer 1: the file it is anchored to, and the directories above.
        ("src/jwt.py", "Parent"),
        ("src", "ContextAncestor"),
        (".", "ContextAncestor"),
        # Layer 2: its link, which is a relation note; the learnings beside it, by number.
        (f"{numbers['second']}^elaborates", "Child"),
        (numbers["first"], "OlderSibling"),
        (numbers["third"], "YoungerSibling"),
        # The target of the link is there as a sibling, and so opens nothing. Round 2: beside the file.
        ("src/login.py", "ParentSibling"),
    ]


def test_a_link_is_a_note_of_its_own(view: View, numbers: Mapping[str, str]) -> None:
    link = f"{numbers['second']}^elaborates"
    seen = view(link.removeprefix("learning:"))
    assert seen.focus.ref == link
    assert seen.focus.parent == (numbers["second"], "Rotation takes a lock.")
    assert seen.focus.target == (numbers["first"], "Keys rotate weekly.")
    assert order(seen)[:2] == [(numbers["second"], "Parent"), (numbers["first"], "RelationshipTarget")]
    assert view(numbers["first"]).inbound_references == (link,)
    with pytest.raises(NotFound) as caught:
        view(f"{numbers['second']}^contradicts")
    assert caught.value.candidates == (link,)


def test_the_focus_says_all_and_is_judged_now(view: View, project: Project, numbers: Mapping[str, str]) -> None:
    assert view(numbers["second"]).focus.details == "Rotation takes a lock.\nElsewhere it would not."
    assert view(numbers["second"]).focus.marks == {"verdict": "fresh"}
    project.write("src/jwt.py", "def decode(key):\n    return 3\n")
    assert view(numbers["second"]).focus.marks == {"verdict": "gone", "stale": True}
    told = {one.note.ref: one.note.marks for one in view("src/jwt.py").related}
    assert told[numbers["third"]] == {"verdict": "drifted", "drift": "signature", "stale": True}


def test_staged_and_superseded_learnings_are_marked_in_focus(
    view: View, project: Project, numbers: Mapping[str, str]
) -> None:
    assert numbers["staged"] not in [ref for ref, _ in order(view("src/jwt.py"))]
    assert view(numbers["staged"]).focus.marks["status"] == "staged"
    with project.open() as workspace:
        workspace.kernel.one(Merging).supersede(numbers["first"], numbers["third"])
    marks = view(numbers["first"]).focus.marks
    assert (marks["status"], marks["superseded_by"]) == ("superseded", numbers["third"])


def test_a_learning_hangs_at_its_document_in_the_directory_its_pattern_begins_with_or_nowhere(
    view: View, project: Project
) -> None:
    loose, pattern = project.add("Naming is hard."), project.add("All of it is pure.", "src/*.py")
    document = project.add("The guide is old.", "docs/guide.md")
    assert [view(one.ref).path for one in (loose, pattern, document)] == [
        (),
        (".", "src"),
        (".", "docs", "docs/guide.md"),
    ]
    assert (view(loose.ref).focus.parent, order(view(loose.ref))) == (None, [])
    assert view("docs/guide.md").inbound_references == (document.ref,)
