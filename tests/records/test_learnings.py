"""What one does to learnings one at a time, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest

from scripts.opened import Workspace
from tests.record_texts import add, contents, records
from tests.support import Project
from tx_graph.anchors.verdict import Standing
from tx_graph.core.errors import NotFound, StorageError, UsageError
from tx_graph.core.labels import is_uid
from tx_graph.graph.edges import Relation
from tx_graph.learnings.learnings import Draft
from tx_graph.records.anchor import AnchorType, parse_anchor
from tx_graph.records.learning import Link, SourceType, Status
from tx_graph.records.learning_store import LearningStore


def test_everything_that_was_said_is_kept(workspace: Workspace) -> None:
    target = add(workspace, "Target")
    draft = Draft(
        content="  Compare tokens\r\nin constant time \n\n",
        category=" security ",
        keywords=["jwt, tokens", "jwt"],
        status=Status.STAGED,
        confidence=0.5,
        source_type=SourceType.AGENT,
        source_ref="session 12",
        anchors=[parse_anchor("src/auth.py::login")],
        links=[Link(target="1", relation=Relation.ELABORATES, weight=0.5)],
    )
    added = workspace.learnings.add_draft(draft)
    one = workspace.learnings.show(added.stored.ref).stored.learning
    assert one == added.stored.learning
    assert is_uid(one.uid)
    assert one.content == "  Compare tokens\nin constant time"
    assert (one.category, one.keywords, one.status) == ("security", ("jwt", "tokens"), Status.STAGED)
    assert (one.confidence, one.source_type, one.source_ref) == (0.5, SourceType.AGENT, "session 12")
    assert one.created_at == "2026-11-20T12:00:00Z"
    assert one.links == (Link(target=target.learning.uid, relation=Relation.ELABORATES, weight=0.5),)
    (anchor,) = one.anchors
    assert (anchor.type, anchor.spec) == (AnchorType.SYMBOL, "src/auth.py::login")
    assert workspace.learnings.show("2").standing is Standing.FRESH


@pytest.mark.parametrize(
    ("draft", "error", "said"),
    [
        *((Draft(content=content), UsageError, "empty") for content in ("", " \n\t\r\n")),
        (Draft(content="x" * 1_000_001), UsageError, "1,000,001 bytes"),
        (Draft(content="é" * 500_001), UsageError, "1,000,002 bytes"),
        (Draft(content=b"latin-1 \xe9".decode("utf-8", "surrogateescape")), UsageError, "not valid UTF-8"),
        (Draft(content="a\0b"), UsageError, "NUL"),
        (Draft(content="<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> branch"), UsageError, "conflict markers"),
        (Draft(content="a", category=" "), UsageError, "category is empty"),
        (Draft(content="a", category="two\nlines"), UsageError, "one line"),
        (Draft(content="a", category="\ud800"), UsageError, "printable"),
        (Draft(content="a", keywords=["a,,b"]), UsageError, "keyword is empty"),
        (Draft(content="a", keywords=["x" * 201]), UsageError, "at most 200"),
        (Draft(content="a", source_ref=""), UsageError, "source reference is empty"),
        (Draft(content="a", links=[Link(target="7")]), NotFound, "no learning '7'"),
        *(
            (Draft(content="a", anchors=[parse_anchor(spec)]), NotFound, spec[:5])
            for spec in ("src/none.py", "src/auth.py::none", "src/auth.py:L90-L99", "none/**/*.py")
        ),
    ],
)
def test_what_cannot_be_is_refused_and_leaves_nothing(
    project: Project, workspace: Workspace, draft: Draft, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        workspace.learnings.add_draft(draft)
    assert (records(project.root), contents(workspace)) == ({}, [])
    add(workspace, "Learning")
    before = records(project.root)
    if error is UsageError and draft.content != "a":
        with pytest.raises(UsageError, match=said):
            workspace.learnings.edit("1", content=draft.content)
    assert (records(project.root), contents(workspace)) == (before, ["Learning"])


@pytest.mark.parametrize("confidence", [math.nan, math.inf, -1, -0.001, 1.1])
def test_a_confidence_outside_zero_to_one_is_refused(workspace: Workspace, confidence: float) -> None:
    with pytest.raises(UsageError, match="from 0 to 1"):
        workspace.learnings.add_draft(Draft(content="Learning", confidence=confidence))
    add(workspace, "Learning")
    with pytest.raises(UsageError, match="from 0 to 1"):
        workspace.learnings.edit("1", confidence=confidence)
    with pytest.raises(UsageError, match="from 0 to 1"):
        workspace.learnings.helpful("1", score=confidence)


def test_the_same_content_again_is_recognised_and_gains_what_is_new(project: Project, workspace: Workspace) -> None:
    target = add(workspace, "Target").learning.uid
    links = [Link(target="1"), Link(target=target, weight=0.5)]
    first = workspace.learnings.add_draft(
        Draft(content="Learning", keywords=["a"], category="x", confidence=0.5, links=links)
    )
    new = Draft(content="Learning\n", keywords=["b"], category="y", links=links[:1])
    again = workspace.learnings.add_draft(replace(new, anchors=[parse_anchor("src/auth.py")]))
    assert (first.existed, again.existed, again.revived) == (False, True, False)
    assert again.stored.id == first.stored.id
    one = again.stored.learning
    assert (one.keywords, one.category, one.confidence) == (("a", "b"), "x", 0.5)
    assert one.links == (Link(target=target, weight=0.5),), "the same link twice is kept once, with its weight"
    assert [anchor.spec for anchor in one.anchors] == ["src/auth.py"]
    assert len(records(project.root)) == 2
    workspace.learnings.remove("2")
    revived = workspace.learnings.add_draft(Draft(content="Learning", keywords=["new"]))
    assert (revived.revived, revived.existed, revived.stored.id) == (True, False, first.stored.id)
    assert (contents(workspace), revived.stored.learning.keywords) == (["Learning", "Target"], ("a", "b", "new"))


def test_a_removed_learning_is_hidden_kept_and_restored(project: Project, workspace: Workspace) -> None:
    stored = add(workspace, "Learning")
    before = records(project.root)
    removed = workspace.learnings.remove("1")
    project.clock.pass_by(timedelta(days=1))
    assert workspace.learnings.remove("1").learning.removed_at == removed.learning.removed_at == "2026-11-20T12:00:00Z"
    assert contents(workspace) == []
    assert [one.id for one in LearningStore(workspace._database).listed(removed=True, limit=5)] == [stored.id]
    assert len(records(project.root)) == 1
    assert workspace.learnings.restore("1").learning == stored.learning
    assert contents(workspace) == ["Learning"]
    assert records(project.root) == before


def test_helpfulness_is_counted_here_and_not_in_the_record(project: Project, workspace: Workspace) -> None:
    for content in ("Never used", "Used first", "Used last"):
        add(workspace, content)
        project.clock.pass_by(timedelta(minutes=1))
    before = records(project.root)
    assert [one.learning.content for one in workspace.learnings.recent(limit=2)] == ["Used last", "Used first"]
    for number, score in (("2", 0.5), ("2", 1.0), ("3", 0.0)):
        project.clock.pass_by(timedelta(hours=1))
        usage = workspace.learnings.helpful(number, score=score).usage
    assert usage.last_used_at == "2026-11-20T15:03:00Z"
    usage = workspace.learnings.get("2").usage
    assert (usage.count, usage.helpful) == (2, 1.5)
    assert [one.learning.content for one in workspace.learnings.recent(limit=5)] == ["Used last", "Used first"]
    assert records(project.root) == before


def test_an_edit_changes_what_it_names_and_keeps_the_file(project: Project, workspace: Workspace) -> None:
    workspace.learnings.add_draft(Draft(content="Old words", category="a", keywords=["one", "two"]))
    (name,) = records(project.root)
    project.clock.pass_by(timedelta(hours=1))
    stored = workspace.learnings.edit(
        "1", content="New words", category="", add_keywords=["three"], remove_keywords=["one"]
    )
    assert (stored.learning.content, stored.learning.category) == ("New words", None)
    assert stored.learning.keywords == ("two", "three")
    assert (stored.learning.created_at, stored.updated_at) == ("2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z")
    assert list(records(project.root)) == [name]
    before = records(project.root)
    assert workspace.learnings.edit("1").updated_at == "2026-11-20T13:00:00Z"
    assert records(project.root) == before


@pytest.mark.parametrize("limit", [0, -1, 10_001])
def test_a_limit_is_from_one_to_ten_thousand(workspace: Workspace, limit: int) -> None:
    with pytest.raises(UsageError, match="from 1 to 10,000"):
        workspace.learnings.list(limit=limit)
    with pytest.raises(UsageError, match="from 1 to 10,000"):
        workspace.learnings.recent(limit=limit)


@pytest.mark.parametrize(
    "ref", ["9999999", "learning:9999999", "zzzzzzzz", "99999999999999999999", "learning:src/auth.py"]
)
def test_an_unknown_learning_is_not_found(workspace: Workspace, ref: str) -> None:
    add(workspace, "Learning")
    for act in (
        lambda: workspace.learnings.show(ref),
        lambda: workspace.learnings.edit(ref, content="x"),
        lambda: workspace.learnings.remove(ref),
        lambda: workspace.learnings.restore(ref),
        lambda: workspace.learnings.helpful(ref, score=1.0),
    ):
        with pytest.raises(NotFound):
            act()


def test_an_edit_of_another_text_than_the_expected_one_is_refused(project: Project, workspace: Workspace) -> None:
    add(workspace, "Learning")
    workspace.learnings.edit("1", content="Better", expected="Learning")
    before = records(project.root)
    with pytest.raises(StorageError, match="changed by somebody else meanwhile"):
        workspace.learnings.edit("1", content="Best", expected="Learning")
    assert records(project.root) == before
