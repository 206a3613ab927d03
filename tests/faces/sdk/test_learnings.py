"""Learnings from Python: the same rules as everywhere, and values that go back in where they came from."""

from __future__ import annotations

import pytest

from tests.git_sandbox import GitSandbox
from tx_graph import (
    Draft,
    Limits,
    Link,
    NotFound,
    Origin,
    ProposalRequest,
    Query,
    Ref,
    Relation,
    SourceType,
    Standing,
    Status,
    StorageError,
    UsageError,
    Workspace,
    init_workspace,
)


def test_a_learning_is_added_with_all_that_is_said_of_it(memory: Workspace) -> None:
    first = memory.learnings.add("Tokens are compared")
    added = memory.learnings.add(
        "Tokens must be compared in constant time",
        category="security",
        keywords=["timing"],
        anchors=["src/tokens.py::verify"],
        links=[Link(target=first.stored.ref, relation=Relation.ELABORATES), "1"],
        confidence=0.9,
    )
    learning = added.stored.learning
    assert (added.existed, learning.category, learning.keywords, learning.confidence) == (
        False,
        "security",
        ("timing",),
        0.9,
    )
    assert [anchor.spec for anchor in learning.anchors] == ["src/tokens.py::verify"]
    assert {link.relation for link in learning.links} == {Relation.ELABORATES, Relation.REFERENCES}


def test_the_same_content_again_is_recognised(memory: Workspace) -> None:
    memory.learnings.add("Tokens are compared")
    assert memory.learnings.add("Tokens are compared").existed


def test_a_learning_remembers_its_task_and_its_run(memory: Workspace) -> None:
    task = memory.tasks.add("Repair the login", external_id="GH-1")
    of_task = memory.learnings.add("Safari drops the cookie", task=task)
    of_run = memory.learnings.add_draft(Draft(content="So does Lynx"), run=memory.runs.start(task=task))
    assert (of_task.stored.learning.source_type, of_task.stored.learning.source_ref) == (SourceType.TASK, "GH-1")
    assert of_run.stored.learning.source_type is SourceType.RUN
    with pytest.raises(UsageError, match="give --task or --run"):
        memory.learnings.add("Both", task=task, run=1)


def test_a_learning_is_named_by_number_by_uid_and_by_itself(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared").stored
    names: list[Ref] = [stored, stored.id, str(stored.id), stored.ref, stored.learning.uid, stored.learning.uid[:6]]
    assert {memory.learnings.get(name).id for name in names} == {stored.id}
    with pytest.raises(NotFound):
        memory.learnings.get(99)


def test_lists_leave_out_what_nobody_has_confirmed(memory: Workspace) -> None:
    memory.learnings.add("Known", category="a")
    memory.learnings.add("Proposed", status=Status.STAGED)
    gone = memory.learnings.remove(memory.learnings.add("Gone").stored)
    assert [one.learning.content for one in memory.learnings.list()] == ["Known"]
    assert [one.learning.content for one in memory.learnings.list(status=Status.STAGED)] == ["Proposed"]
    assert [one.learning.content for one in memory.learnings.list(removed=True)] == ["Gone"]
    assert memory.learnings.restore(gone).learning.removed_at is None


def test_an_edit_that_would_overwrite_somebody_else_is_refused(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared").stored
    edited = memory.learnings.edit(
        stored, content="Tokens are hashed", add_keywords=["hash"], expected="Tokens are compared"
    )
    assert edited.learning.keywords == ("hash",)
    with pytest.raises(StorageError, match="somebody else"):
        memory.learnings.edit(stored, content="Tokens are salted", expected="Tokens are compared")


def test_what_was_shown_says_whether_it_still_holds(memory: Workspace, signing_in: GitSandbox) -> None:
    stored = memory.learnings.add("Tokens are compared", anchors=["src/tokens.py::verify"]).stored
    assert memory.learnings.show(stored).standing is Standing.FRESH
    path = signing_in.root / "src/tokens.py"
    path.write_text(path.read_text().replace("==", "!="))
    assert memory.learnings.show(stored).standing is Standing.DRIFTED_BODY
    assert memory.learnings.standings([stored]) == {stored.id: Standing.DRIFTED_BODY}


def test_a_text_is_a_query_with_the_standard_options(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared", anchors=["src/tokens.py"]).stored
    for answer in (memory.search("tokens"), memory.search(Query(text="tokens")), memory.learnings.search("tokens")):
        assert [result.stored.id for result in answer.results] == [stored.id]
    expanded = memory.search(Query(text="src/auth.py", expansion=Limits(depth=3)))
    assert expanded.results[0].path[-1] == stored.ref
    with pytest.raises(UsageError, match="fresh-only"):
        Query(text="tokens", fresh_only=True, include_stale=True)


def test_use_counts_and_recent_learnings_come_first(memory: Workspace) -> None:
    old = memory.learnings.add("Old").stored
    memory.learnings.add("New")
    assert memory.learnings.helpful(old, score=0.5).usage.helpful == 0.5
    assert [one.learning.content for one in memory.learnings.recent(limit=1)] == ["Old"]


def test_one_learning_takes_the_place_of_another(memory: Workspace) -> None:
    one, two, three = (memory.learnings.add(text).stored for text in ("One", "Two", "Three"))
    assert memory.learnings.merge(one, two).other.learning.status is Status.SUPERSEDED
    assert memory.learnings.supersede(three, one).new.id == one.id
    assert [stored.id for stored in memory.learnings.list(status=Status.ACTIVE)] == [one.id]


def test_what_is_exported_can_be_imported_elsewhere(memory: Workspace, signing_in: GitSandbox) -> None:
    memory.learnings.add("Tokens are compared", anchors=["src/tokens.py::verify"])
    memory.learnings.add("Sessions end", links=["1"])
    elsewhere = signing_in.root.parent / "elsewhere"
    signing_in.git("clone", "--quiet", str(signing_in.root), str(elsewhere))
    told: list[tuple[int, int | None]] = []
    with init_workspace(elsewhere) as other:
        done = other.learnings.import_(memory.learnings.export_lines(), progress=lambda *at: told.append(at))
        assert (done.added, done.duplicates) == (2, 0)
        assert [one.learning for one in other.learnings.export()] == [one.learning for one in memory.learnings.export()]
    assert told[-1] == (2, 2)


def test_without_a_model_nothing_is_embedded_and_that_is_said(memory: Workspace) -> None:
    memory.learnings.add("Tokens are compared")
    assert (memory.learnings.embedding_status().model, memory.learnings.embedding_status().installed) == ("none", False)
    with pytest.raises(UsageError, match="turned off"):
        memory.learnings.embed()


def test_proposals_wait_until_somebody_promotes_or_rejects_them(memory: Workspace, signing_in: GitSandbox) -> None:
    signing_in.write("src/store.py", text="RETRIES = 3\n\n\ndef store(token):\n    return RETRIES\n")
    reason = "The lock is taken first, because two writers would otherwise overwrite each other's first record."
    signing_in.commit(message=f"Take the lock before the first write\n\n{reason}")
    found = memory.learnings.propose(ProposalRequest(origins=[Origin.COMMITS]))
    staged = memory.learnings.staged()
    assert len(found.proposed) == len(staged) == 1
    assert not memory.learnings.check(*staged, min_confidence=1.0)[0].passes
    assert memory.learnings.promote(*staged, force=True).promoted[0].learning.status is Status.ACTIVE
    memory.learnings.add("Proposed", status=Status.STAGED)
    (rejected,) = memory.learnings.reject(*memory.learnings.staged(), reason="obvious")
    assert (rejected.learning.removal_reason, memory.learnings.staged()) == ("obvious", ())
    with pytest.raises(UsageError, match="transcripts"):
        ProposalRequest(refine=True)
