"""The gate: what a staged learning needs to become known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes import WordEmbedder
from tests.record_texts import records
from tests.support import Project
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.learnings.learnings import Draft
from tx_graph.learnings.merging import Merging
from tx_graph.proposals.gate import Checked, Demand, Evidence, Promotion, Reviewing
from tx_graph.records.anchor import parse_anchor
from tx_graph.records.learning import SourceType, Status, StoredLearning

CODE = "def first():\n    return 'the first one'\n\n\ndef second():\n    return 'the second one'\n"
FIRST, SECOND = "src/lock.py::first", "src/lock.py::second"
TOLD = SourceType.TRANSCRIPT
SAID = "correction:one#L4:0123456789ab"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("src/lock.py", CODE)
    project.git.commit(message="Start")
    return project


def stage(project: Project, content: str, *anchors: str, **fields: object) -> StoredLearning:
    given = {"status": Status.STAGED, "confidence": 0.9, "source_type": SourceType.AGENT, **fields}
    with project.open() as workspace:
        draft = Draft(content=content, anchors=[parse_anchor(spec) for spec in anchors], **given)  # type: ignore[arg-type]
        return workspace.learnings.add_draft(draft).stored


def check(project: Project, stored: StoredLearning, **options: object) -> Checked:
    with project.open() as workspace:
        return workspace.kernel.one(Reviewing).check(stored.ref, **options)[0]  # type: ignore[arg-type]


def promote(project: Project, *refs: str, **options: object) -> Promotion:
    with project.open() as workspace:
        return workspace.kernel.one(Reviewing).promote(*refs, **options)  # type: ignore[arg-type]


def evidence(checked: Checked, demand: Demand) -> Evidence:
    return next(one for one in checked.evidence if one.demand is demand)


def test_with_its_code_as_it_was_something_new_and_sure_it_passes(project: Project) -> None:
    stored = stage(project, "The first one comes first", FIRST)
    before = records(project.root)
    checked = check(project, stored)
    assert (checked.passes, records(project.root)) == (True, before)
    details = [f"{FIRST} as it was", "no active learning says much the same", "0.9, at least 0.6", "none is seen in it"]
    assert [one.detail for one in checked.evidence] == details
    done = promote(project, stored.ref)
    assert ([one.id for one in done.promoted], done.held_back, done.forced) == ([stored.id], (), ())
    assert done.promoted[0].learning.status is Status.ACTIVE


AS_IT_WAS, LOOSE, SOMEBODYS = f"{FIRST} as it was", "not tied to code", "not tied to code, but a person said it"


@pytest.mark.parametrize(("anchors", "code", "fields", "met", "detail"), [
    ([FIRST], f"# new\n\n\n{CODE}", {}, True, AS_IT_WAS),
    ([FIRST], CODE.replace("return 'the first one'", "return 'the first one'  # as it was"), {}, True, AS_IT_WAS),
    ([FIRST], CODE.replace("    return 'the first one'", "\n    return 'the first one'"), {}, True, AS_IT_WAS),
    ([FIRST], CODE.replace("the first one", "another"), {}, False, f"{FIRST} drifted:body"),
    ([FIRST], CODE.replace("first()", "first(a, b)"), {}, False, f"{FIRST} drifted:signature"),
    ([FIRST], "x = 1\n", {}, False, f"{FIRST} gone"),
    ([FIRST, SECOND], CODE.replace("the second one", "another"), {}, False, f"{SECOND} drifted:body"),
    ([], CODE, {}, False, LOOSE), ([], CODE, {"source_type": SourceType.MANUAL}, True, SOMEBODYS),
    ([], CODE, {"source_type": TOLD, "source_ref": SAID}, True, SOMEBODYS),
    ([], CODE, {"source_type": SourceType.AGENT, "source_ref": SAID}, False, LOOSE),
    ([], CODE, {"source_type": TOLD, "source_ref": SAID.replace("correction", "error")}, False, LOOSE),
    ([], CODE, {"source_type": TOLD, "source_ref": SAID.replace("correction", "command")}, False, LOOSE),
    ([], CODE, {"source_type": TOLD, "source_ref": "correction: my word for it"}, False, LOOSE),
    ([], CODE, {"source_type": SourceType.TRANSCRIPT}, False, LOOSE),
])  # fmt: skip
def test_its_code_must_stand_or_a_person_must_have_said_it(
    project: Project, anchors: list[str], code: str, fields: dict[str, object], met: bool, detail: str
) -> None:
    stored = stage(project, "The first one comes first", *anchors, **fields)
    project.write("src/lock.py", code)
    checked = check(project, stored)
    found = evidence(checked, Demand.ANCHORS)
    assert (found.met, found.detail.partition(" (")[0], checked.passes) == (met, detail, met)
    way_out = f"tx graph:confirm {stored.id}" if anchors else f"tx graph:link {stored.id}"
    assert met or way_out in found.hint
    assert [one.id for one in promote(project, stored.ref).promoted] == ([stored.id] if met else [])


def test_what_an_active_learning_says_already_is_to_be_merged(project: Project) -> None:
    known = project.add("The lock is taken first so that writers never overwrite each other")
    again = stage(project, "The lock is taken first, so writers never overwrite each other", "src/lock.py")
    found = evidence(check(project, again), Demand.ORIGINALITY)
    assert not found.met
    assert f"{known.ref} says much the same" in found.detail
    assert found.hint == f"tx learning:merge {known.id} {again.id}"


def test_vectors_find_what_other_words_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path, monkeypatch, embedder=WordEmbedder(synonyms={"mutex": "lock", "grabbed": "taken"}))
    project.write("a.py", CODE)
    known = project.add("the lock is taken before all writes")
    again = stage(project, "the mutex is grabbed before all writes", "a.py")
    found = evidence(check(project, again), Demand.ORIGINALITY)
    assert (found.met, found.detail) == (False, f"{known.ref} says much the same (1.00 by meaning)")


def test_what_is_superseded_or_removed_or_says_the_opposite_is_no_duplicate(project: Project) -> None:
    old, gone = project.add("The lock is taken first by each writer"), project.add("The lock is taken first by writers")
    opposite = project.add("The lock is not taken first by writers")
    with project.open() as workspace:
        workspace.learnings.edit(old.ref, status=Status.RETRACTED)
        workspace.learnings.remove(gone.ref)
    assert check(project, stage(project, "the lock is taken first by all writers", "src/lock.py")).passes
    assert opposite.learning.status is Status.ACTIVE


def test_of_two_staged_ones_that_say_the_same_one_passes(project: Project) -> None:
    one = stage(project, "The lock is taken first by all writers", "src/lock.py")
    other = stage(project, "The lock is taken first by all of the writers", "src/lock.py")
    done = promote(project, one.ref, other.ref)
    assert [stored.id for stored in done.promoted] == [one.id]
    assert [checked.stored.id for checked in done.held_back] == [other.id]


def test_the_least_confidence_depends_on_where_it_comes_from_unless_it_is_given(project: Project) -> None:
    words = stage(project, "A commit said so", "src/lock.py", source_type=SourceType.COMMIT, confidence=0.3)
    heard = stage(project, "Something was heard", "src/lock.py", source_type=SourceType.TRANSCRIPT, confidence=0.59)
    assert check(project, words).passes
    found = evidence(check(project, heard), Demand.CONFIDENCE)
    assert (found.met, found.detail) == (False, "0.59, below 0.6")
    assert found.hint == f"tx learning:promote {heard.id} --min-confidence 0.59"
    assert check(project, heard, min_confidence=0.59).passes
    assert not check(project, words, min_confidence=0.31).passes
    for least in (-0.1, 1.1, float("nan")):
        with pytest.raises(UsageError, match="confidence"):
            check(project, words, min_confidence=least)


def test_what_has_the_evidence_is_promoted_beside_what_lacks_it(project: Project) -> None:
    good, bad = stage(project, "The first one", "src/lock.py"), stage(project, "Nothing to hold on to")
    done = promote(project, bad.ref, good.ref)
    assert [stored.id for stored in done.promoted] == [good.id]
    assert [checked.stored.id for checked in done.held_back] == [bad.id]
    with project.open() as workspace:
        assert [stored.id for stored in workspace.kernel.one(Reviewing).staged()] == [bad.id]


def test_force_promotes_and_says_what_was_missing(project: Project) -> None:
    bad = stage(project, "Nothing to hold on to", confidence=0.1)
    done = promote(project, bad.ref, force=True)
    assert ([stored.id for stored in done.promoted], done.held_back) == ([bad.id], ())
    assert [one.demand for one in done.forced[0].evidence if not one.met] == [Demand.ANCHORS, Demand.CONFIDENCE]


def test_what_is_not_staged_or_not_there_changes_nothing(project: Project) -> None:
    stored, active = stage(project, "The first one", "src/lock.py"), project.add("Known")
    before = records(project.root)
    with pytest.raises(UsageError, match=f"{active.ref} is active; nothing was changed"):
        promote(project, stored.ref, active.ref)
    with pytest.raises(NotFound):
        promote(project, stored.ref, "99", force=True)
    assert records(project.root) == before


def test_there_is_no_way_round_it_by_editing(project: Project) -> None:
    stored = stage(project, "Nothing to hold on to")
    with project.open() as workspace:
        with pytest.raises(UsageError, match="is staged") as caught:
            workspace.learnings.edit(stored.ref, status=Status.ACTIVE)
        assert f"tx learning:promote {stored.id}" in caught.value.hint
        workspace.learnings.edit(stored.ref, content="Something", confidence=1.0)
        with pytest.raises(UsageError, match="must answer itself") as caught:
            workspace.kernel.one(Merging).merge(
                stored.ref, workspace.learnings.add_draft(Draft(content="Other")).stored.ref
            )
        assert "tx learning:promote" in caught.value.hint
