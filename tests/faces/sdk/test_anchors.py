"""Anchors from Python: verified, judged by people, and one at a time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.fakes import FixedClock
from tests.git_sandbox import GitSandbox
from tx_graph import AnchorRequest, NotFound, StoredLearning, UsageError, Verdict, Workspace

PLACE = "src/tokens.py::verify"


@pytest.fixture
def stored(memory: Workspace) -> StoredLearning:
    """A learning about `verify`."""
    return memory.learnings.add("Tokens are compared", anchors=[PLACE]).stored


def change(repository: GitSandbox) -> None:
    """Let `verify` do something else."""
    path = repository.root / "src/tokens.py"
    path.write_text(path.read_text().replace("==", "!="))


def test_verification_tells_what_drifted_and_confirming_settles_it(
    memory: Workspace, stored: StoredLearning, signing_in: GitSandbox
) -> None:
    assert memory.anchors.verify().summary()["valid"] == 1
    change(signing_in)
    for scope in ((), (stored,), ("src/",)):
        assert [one.judgement.verdict for one in memory.anchors.verify(*scope).findings] == [Verdict.DRIFTED]
    assert memory.anchors.verify(since="HEAD").summary()["drifted"] == 1
    assert memory.anchors.confirm(stored, PLACE).steps[0].is_change
    assert memory.anchors.verify().findings == []


def test_code_that_went_elsewhere_is_followed(
    memory: Workspace, stored: StoredLearning, signing_in: GitSandbox
) -> None:
    signing_in.git("mv", "src/tokens.py", "src/secrets.py")
    assert memory.anchors.verify(fix=True).checked[0].mended
    assert [one.spec for one in memory.learnings.get(stored).learning.anchors] == ["src/secrets.py::verify"]


def test_a_pinned_anchor_is_taken_at_its_word(
    memory: Workspace, stored: StoredLearning, signing_in: GitSandbox
) -> None:
    memory.anchors.pin(stored)
    change(signing_in)
    assert memory.anchors.verify().summary()["pinned"] == 1
    memory.anchors.unpin(stored, memory.learnings.get(stored).learning.anchors[0])
    assert memory.anchors.verify().summary()["drifted"] == 1


def test_what_people_invalidate_is_pruned_in_time_and_can_be_restored(
    memory: Workspace, stored: StoredLearning, clock: FixedClock
) -> None:
    memory.anchors.invalidate(stored, reason="The gateway does it now", commit="HEAD")
    clock.pass_by(timedelta(days=100))
    assert len(memory.anchors.prune(timedelta(days=90), dry_run=True)) == len(memory.anchors.prune("90d")) == 1
    assert memory.learnings.get(stored).learning.anchors == ()
    memory.anchors.restore(stored)
    assert memory.anchors.verify().summary()["valid"] == 1
    assert [told.event.kind.value for told in memory.anchors.history(PLACE)][-3:] == [
        "invalidated",
        "pruned",
        "restored",
    ]
    with pytest.raises(UsageError, match="no length of time"):
        memory.anchors.prune("long")


def test_an_anchor_is_created_verified_and_found_by_its_file(memory: Workspace, signing_in: GitSandbox) -> None:
    stored = memory.learnings.add("Tokens are compared").stored
    anchor = memory.anchors.create_anchor(stored, AnchorRequest(path="src/tokens.py", symbol="verify"))
    other = memory.anchors.create_anchor(stored.id, "src/*.py")
    assert (anchor.ref, anchor.spec, anchor.state.status) == (stored.ref, PLACE, "valid")
    assert memory.anchors.find_anchors_for_file("src/tokens.py") == (other, anchor)
    assert memory.anchors.find_anchors_for_file("docs/guide.md") == ()
    assert memory.anchors.verify_anchor(anchor).judgement.verdict is Verdict.VALID
    change(signing_in)
    assert memory.anchors.verify_anchor(anchor).judgement.verdict is Verdict.DRIFTED
    assert memory.anchors.verify_anchor(other).judgement.verdict is Verdict.VALID
    (drifted,) = [one for one in memory.anchors.find_anchors_for_file("src/tokens.py") if one.spec == PLACE]
    assert drifted.state.status == "drifted"


def test_an_anchor_that_is_gone_is_not_found(memory: Workspace, stored: StoredLearning) -> None:
    (anchor,) = memory.anchors.find_anchors_for_file("src/tokens.py")
    memory.graph.unlink(stored, anchor)
    with pytest.raises(NotFound, match="any more"):
        memory.anchors.verify_anchor(anchor)
    with pytest.raises(NotFound):
        memory.anchors.find_anchors_for_file("src/nowhere.py")
