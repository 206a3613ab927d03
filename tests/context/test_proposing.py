"""What a real repository proposes, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.opened import Workspace, open_workspace
from tests.proposals.told import sure
from tests.record_texts import record_path, records
from tests.support import Project
from tx_graph.anchors.verify import verify
from tx_graph.context.graph_view import Neighbor
from tx_graph.context.search import Query
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.place import DIRECTORY
from tx_graph.graph.expand import Limits
from tx_graph.proposals.gate import Reviewing
from tx_graph.proposals.proposing import Proposing
from tx_graph.proposals.values import Origin, ProposalRequest, Proposals
from tx_graph.records.learning import SourceType, Status
from tx_graph.records.learning_store import LearningStore
from tx_graph.workspace import prepare

WHY = "The lock in `second` is taken first, because two writers would overwrite each other's first record."
COMMENT = "# HACK: the header must be sent first, because old proxies drop the connection otherwise\n"
PAGE = "# 1. Keep text\n\n## Status\n\nAccepted\n\n## Decision\n\nText is the truth, as `src/lock.py` says.\n"
CODE = "def first():\n    return 'the first one'\n\n\ndef second():\n    return 'the second one'\n"


@pytest.fixture
def full(project: Project) -> Project:
    """A repository in which a commit, a comment and a decision record explain something."""
    project.write("src/lock.py", CODE)
    project.git.commit(message="Start")
    project.write("src/lock.py", CODE.replace("the second one", "the second one of all"))
    project.git.commit(message=f"Take the lock first\n\n{WHY}\n\nSigned-off-by: Ada <ada@example.org>")
    project.write("src/http.py", f"def send():\n    {COMMENT}    return 1\n")
    project.write("docs/adr/0001-text.md", PAGE)
    project.git.commit(message="Add the rest")
    return project


def propose(project: Project, **request: object) -> Proposals:
    with project.open() as workspace:
        return workspace.kernel.one(Proposing).propose(ProposalRequest(**request))  # type: ignore[arg-type]


def texts(found: Proposals) -> list[str]:
    return [one.proposal.content.partition("\n")[0] for one in found.proposed]


def _around(workspace: Workspace, ref: str) -> tuple[Neighbor, ...]:
    return workspace.graph.neighbors(ref).neighbors


def test_everything_that_explains_is_staged_surest_first(full: Project) -> None:
    found = propose(full)
    assert texts(found) == [
        "Keep text",
        "send: The header must be sent first, because old proxies drop the connection otherwise",
        WHY,
    ]
    decision, comment, commit = (one.stored.learning for one in found.proposed if one.stored)
    assert {one.status for one in (decision, comment, commit)} == {Status.STAGED}
    assert [anchor.spec for anchor in decision.anchors] == ["docs/adr/0001-text.md", "src/lock.py"]
    assert [anchor.spec for anchor in comment.anchors] == ["src/http.py::send"]
    assert [anchor.spec for anchor in commit.anchors] == ["src/lock.py::second"]
    assert commit.created_at == "2024-01-02T00:00:00Z"
    assert all(0 < one.confidence < 1 for one in (decision, comment, commit))
    assert found.staged == 3


def test_the_record_and_an_edge_say_which_commit_it_comes_from(full: Project) -> None:
    (one,) = propose(full, origins=[Origin.COMMITS]).proposed
    assert one.stored
    name = full.git.git("rev-parse", "HEAD~1")
    assert (one.stored.learning.source_type, one.stored.learning.source_ref) == (SourceType.COMMIT, f"commit:{name}")
    assert f"ref: commit:{name}" in record_path(full.root, one.stored).read_text()
    (full.root / DIRECTORY / "graph.db").unlink()
    with full.open() as workspace:
        (neighbor,) = [found for found in _around(workspace, one.stored.learning.uid) if found.kind == "commit"]
    assert neighbor.ref == f"commit:{name[:12]}"
    assert neighbor.steps[0].type == "DERIVED_FROM"


def test_nothing_is_proposed_twice_whatever_became_of_it(full: Project) -> None:
    first, second, third = (one.stored.ref for one in propose(full).proposed if one.stored)
    with full.open() as workspace:
        workspace.kernel.one(Reviewing).promote(first)
        workspace.learnings.edit(first, content="In my words")
        workspace.kernel.one(Reviewing).reject(second, reason="obvious")
        workspace.learnings.edit(third, content="Other words", status=Status.RETRACTED)
    (full.root / DIRECTORY / "graph.db").unlink()  # as in a fresh clone: the records alone remember
    again = propose(full)
    assert (again.proposed, again.known) == ((), 3)


def test_a_commit_that_was_picked_elsewhere_is_the_same(full: Project) -> None:
    full.git.git("switch", "--quiet", "--orphan", "other")
    full.write("src/lock.py", CODE)
    full.git.commit(message=f"Take the lock first\n\n{WHY}")
    full.git.git("switch", "--quiet", "main")
    full.git.git("merge", "--quiet", "--allow-unrelated-histories", "--strategy=ours", "--no-edit", "other")
    assert len(propose(full, origins=[Origin.COMMITS]).proposed) == 1
    assert propose(full, origins=[Origin.COMMITS]).proposed == ()


def test_looking_writes_nothing_since_leaves_older_commits_out_and_the_limit_the_less_sure(full: Project) -> None:
    found = propose(full, only_look=True)
    assert [one.stored for one in found.proposed] == [None] * 3
    assert (records(full.root), found.staged) == ({}, 0)
    dated = [propose(full, origins=[Origin.COMMITS], since=f"2024-01-0{day}", only_look=True) for day in (3, 1)]
    assert [len(one.proposed) for one in dated] == [0, 1]
    few = propose(full, limit=1)
    assert (texts(few), few.more) == (["Keep text"], 2)
    assert len(propose(full, limit=1).proposed) == 1
    for limit in (0, 10_001):
        with pytest.raises(UsageError, match="limit"):
            propose(full, limit=limit)


def test_a_file_that_moved_below_another_directory_is_found_and_of_one_that_is_gone_nothing_proposed(
    full: Project,
) -> None:
    (full.root / "lib").mkdir()
    full.git.git("mv", "src", "lib/src")
    full.git.commit(message="Move")
    (one,) = propose(full, origins=[Origin.COMMITS], only_look=True).proposed
    assert [anchor.spec for anchor in one.anchors] == ["lib/src/lock.py::second"]
    (full.root / "lib/src/lock.py").unlink()
    full.git.commit(message="Remove the lock")
    assert propose(full, origins=[Origin.COMMITS]).proposed == ()


THEN = CODE.replace("the second one", "the second one of all")
LATER = THEN.replace("second one of all", "last one of all")


@pytest.mark.parametrize(("text", "changed"), [
    (THEN, []), (THEN.replace("first one", "1st one"), []), (THEN.replace("def second", "# Which?\ndef second"), []),
    (LATER, ["drifted:body"]), (LATER.replace("second()", "second(x)"), ["drifted:signature"]),
], ids=["as it was", "elsewhere", "a comment", "body", "signature"])  # fmt: skip
def test_code_is_compared_with_what_it_was_when_the_commit_spoke(full: Project, text: str, changed: list[str]) -> None:
    full.write("src/lock.py", text)
    full.git.commit(message="Go on")
    (one,) = propose(full, origins=[Origin.COMMITS]).proposed
    assert [judged.standing.value for judged in one.changed] == changed
    assert one.stored
    with full.open() as workspace:
        (checked,) = workspace.kernel.one(Reviewing).check(one.stored.ref)
        assert checked.passes is not bool(changed)
        name = full.git.git("rev-parse", "HEAD~2")[:12]
        assert checked.evidence[0].detail.startswith(f"the code changed since commit {name}: ") is bool(changed)
        workspace.kernel.one(Reviewing).promote(one.stored.ref, force=True)
        assert [each.judgement.is_finding for each in verify(workspace.kernel).checked] == [bool(changed)]
        workspace.anchors.confirm(one.stored.ref)
        assert [each.judgement.is_finding for each in verify(workspace.kernel).checked] == [False]


def test_the_drift_is_that_since_the_commit_also_in_a_fresh_clone(full: Project) -> None:
    full.write("src/lock.py", LATER)
    full.git.commit(message="Go on")
    (one,) = propose(full, origins=[Origin.COMMITS]).proposed
    (full.root / DIRECTORY / "graph.db").unlink()
    with full.open() as workspace:
        (checked,) = workspace.kernel.one(Reviewing).check(sure(one.stored).learning.uid)
    assert not checked.passes


SEVERAL = "def {}():\n    return {}\n\n\nclass Store:\n    def load(self):\n        return {}\n"


@pytest.mark.parametrize(("values", "said", "anchors"), [
    ((1, 2), "It must never wait for `Store.load`.", ["src/a.py::Store::load"]),
    ((1, 2), "The `load` must never wait for `run`.", ["src/a.py::Store::load", "src/a.py::run"]),
    ((0, 2), "The file must never be read twice, because it changes.", ["src/a.py::Store::load"]),
    ((1, 2), "The file must never be read twice, because it changes.", ["src/a.py"]),
    ((1, 2), "Nobody may only run to the store, because it is far.", ["src/a.py"]),
], ids=["one that is named", "two", "the only one that changed", "the file", "a word is no name"])  # fmt: skip
def test_it_is_tied_to_the_code_that_it_names(
    project: Project, values: tuple[int, int], said: str, anchors: list[str]
) -> None:
    project.write("src/a.py", SEVERAL.format("run", 0, 0))
    project.git.commit(message="Start")
    project.write("src/a.py", SEVERAL.format("run", *values))
    project.git.commit(message=f"Rework the store\n\n{said}")
    (one,) = propose(project).proposed
    assert [anchor.spec for anchor in one.anchors] == anchors


def test_code_that_was_renamed_is_followed_and_of_what_is_gone_nothing_is_proposed(full: Project) -> None:
    full.write("src/lock.py", THEN.replace("def second", "def third"))
    full.git.commit(message="Rename")
    full.index()
    (one,) = propose(full, origins=[Origin.COMMITS], only_look=True).proposed
    assert [anchor.spec for anchor in one.anchors] == ["src/lock.py::third"]
    full.write("src/lock.py", CODE.partition("def second")[0])
    full.git.commit(message="Remove it")
    full.index()
    assert propose(full, origins=[Origin.COMMITS], only_look=True).proposed == ()


def test_what_was_reverted_is_told_and_what_it_explained_is_not(full: Project) -> None:
    name = full.git.git("rev-parse", "HEAD~1")
    full.git.git("revert", "--no-commit", name)
    full.git.commit(
        message=f'Revert "Take the lock first"\n\nThis reverts commit {name}.\n\n'
        "It made every reader wait for the writers, because they share one lock."
    )
    told = 'Revert "Take the lock first": It made every reader wait for the writers, because they share one lock.'
    found = propose(full, origins=[Origin.COMMITS])
    assert [(one.proposal.content, one.proposal.category) for one in found.proposed] == [(told, "pitfall")]


def test_what_nobody_confirmed_is_only_found_by_its_status_until_it_is_promoted(full: Project) -> None:
    full.index()
    staged = propose(full, origins=[Origin.COMMITS]).proposed[0].stored
    assert staged
    assert full.contents("lock header text", expand=True) == []
    before = (full.root / "src/lock.py").read_text()
    full.write("src/lock.py", "")
    with full.open() as workspace:
        asked = workspace.search.run(Query(text="lock", status=Status.STAGED)).results
        stale = workspace.search.run(Query(text="lock", include_stale=True, expansion=Limits())).results
        near = _around(workspace, "src/lock.py")
        assert verify(workspace.kernel).checked == ()  # nor does the gate look at it
        assert LearningStore(workspace._database).listed(confirmed=True, limit=-1) == []
        assert len(LearningStore(workspace._database).listed(status=Status.STAGED, limit=-1)) == 1
        assert workspace.health.status().graph.learnings == {"staged": 1}
        full.write("src/lock.py", before)
        (promoted,) = workspace.kernel.one(Reviewing).promote(staged.ref, staged.learning.uid).promoted
    assert [one.stored.id for one in asked] == [staged.id]
    assert stale == ()
    assert [one for one in near if one.kind == "learning"] == []
    assert promoted.learning.status is Status.ACTIVE
    assert promoted.learning.source_ref == staged.learning.source_ref
    assert full.contents("lock") == [staged.learning.content]


def test_rejecting_keeps_the_reason_and_can_be_taken_back(full: Project) -> None:
    refs = [one.stored.ref for one in propose(full).proposed if one.stored]
    with full.open() as workspace:
        rejected = workspace.kernel.one(Reviewing).reject(*refs[:2], reason="obvious")
        assert [one.learning.removal_reason for one in rejected] == ["obvious", "obvious"]
        assert "removal_reason: obvious" in record_path(full.root, rejected[0]).read_text()
        assert [one.ref for one in workspace.kernel.one(Reviewing).staged()] == refs[2:]
        back = workspace.learnings.restore(refs[0]).learning
        assert (back.status, back.removed_at, back.removal_reason) == (Status.STAGED, None, None)


def test_a_review_changes_all_or_nothing(full: Project) -> None:
    refs = [one.stored.ref for one in propose(full).proposed if one.stored]
    active = full.add("Confirmed").ref
    with full.open() as workspace:
        workspace.kernel.one(Reviewing).reject(refs[2])
        before = records(full.root)
        with pytest.raises(UsageError, match=f"{active} is active; nothing was changed"):
            workspace.kernel.one(Reviewing).promote(refs[0], active)
        with pytest.raises(UsageError, match=f"{refs[2]} is removed"):
            workspace.kernel.one(Reviewing).promote(refs[0], refs[2])
        with pytest.raises(NotFound):
            workspace.kernel.one(Reviewing).reject(refs[0], "99")
        with pytest.raises(UsageError, match="reason"):
            workspace.kernel.one(Reviewing).reject(refs[0], reason="two\nlines")
        assert records(full.root) == before


def test_who_writes_down_what_is_staged_confirms_it(full: Project) -> None:
    staged = propose(full, origins=[Origin.COMMITS]).proposed[0].stored
    assert staged
    assert full.add(staged.learning.content).learning.status is Status.ACTIVE
    assert full.contents("lock") == [staged.learning.content]


def test_words_that_somebody_wrote_down_are_no_news(full: Project) -> None:
    full.add(WHY)
    assert propose(full, origins=[Origin.COMMITS]).proposed == ()


def test_messages_that_nobody_should_trust_do_no_harm(project: Project) -> None:
    project.write("a.py", CODE)
    text = "Take \x1b[2J the lock\u202e first\n\n" + WHY + "\n\n<<<<<<< HEAD\nbecause\n=======\n>>>>>>> x\n"
    project.git.commit(message=text)
    project.write("b.py", CODE)
    project.git.commit(message="x" * 3000 + "\n\n" + (WHY + " ") * 1_000)
    found = propose(project)
    assert [one for one in found.proposed if not one.proposal.content.replace("\n", "").isprintable()] == []
    assert [len(one.proposal.content) for one in found.proposed if len(one.proposal.content) > 5000] == []
    with project.open() as workspace:
        assert workspace.record_problems() == []


def test_files_that_are_no_text_or_not_ours_are_passed_over(full: Project) -> None:
    (full.root / "src/latin.py").write_bytes(b"# HACK: caf\xe9 must be first, because old proxies drop it otherwise\n")
    (full.root / "src/data.py").write_bytes(b"# HACK: \0 must be first, because old proxies drop it otherwise\n")
    full.write(".gitattributes", "src/theirs.py linguist-vendored\n")
    for number, path in enumerate(("vendor/x.py", "src/theirs.py", "src/made.py", "src/made_pb2.py")):
        made = "# Generated by a tool. DO NOT EDIT\n\n" if path == "src/made.py" else ""
        full.write(path, made + COMMENT.replace("header", f"trailer {number}"))
    assert texts(propose(full, origins=[Origin.COMMENTS])) == [
        "Caf must be first, because old proxies drop it otherwise",
        "send: The header must be sent first, because old proxies drop the connection otherwise",
    ]


def test_a_clone_without_the_code_of_commits_says_so(full: Project, tmp_path: Path) -> None:
    full.git.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    full.git.git("clone", "--quiet", "--filter=blob:none", full.root.as_uri(), str(partial))
    full.git.git("-C", str(partial), "remote", "remove", "origin")
    prepare(partial)
    with open_workspace(partial) as workspace:
        found = workspace.kernel.one(Proposing).propose(ProposalRequest(origins=[Origin.COMMITS]))
    assert (found.proposed, len(found.notices)) == ((), 1)
    assert "partial clone" in found.notices[0]


def test_without_git_files_propose_still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TX_DB", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    root = tmp_path / "plain"
    (root / "docs/adr").mkdir(parents=True)
    (root / "docs/adr/0001-text.md").write_text(PAGE)
    prepare(root)
    with open_workspace(root) as workspace:
        found = workspace.kernel.one(Proposing).propose(ProposalRequest())
    assert texts(found) == ["Keep text"]
    assert found.notices == ("There is no git repository here, so commits propose nothing.",)
