"""Somebody's word that an anchor holds no more stands until it is taken back, and leaves nothing behind then."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.anchors.life.bank import INTEREST, Bank
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.verdict import Standing, Verdict
from tx_graph.core.errors import NotFound, RepositoryError, UsageError
from tx_graph.core.kernel import iso
from tx_graph.records.anchor import Drift, Invalidation, Reason, parse_anchor


def test_an_invalidated_anchor_is_invalid_for_everybody_until_it_is_restored(bank: Bank) -> None:
    bank.invalidate(reason="interest is daily now")
    assert bank.anchor().invalidated == Invalidation(reason="interest is daily now", at=iso(bank.clock.now()))
    assert any(b"interest is daily now" in record for record in bank.records().values())
    [checked] = bank.verify().checked
    assert (checked.judgement.verdict, checked.judgement.reason) == (Verdict.INVALID, Reason.INVALIDATED)
    with bank.open() as workspace:
        assert workspace.learnings.show("1").standing is Standing.GONE
    bank.restore()
    [checked] = bank.verify().checked
    assert checked.judgement.verdict is Verdict.VALID


def test_it_is_logged_who_said_so_and_why(bank: Bank) -> None:
    bank.invalidate(reason="it is wrong")
    bank.verify()
    bank.restore()
    invalidated, restored = bank.told()
    assert (invalidated.kind, invalidated.old_status, invalidated.new_status) == ("invalidated", "valid", "invalid")
    assert (invalidated.reason, invalidated.detail) == (Reason.INVALIDATED, "it is wrong")
    assert invalidated.detected_by == "graph:invalidate by Ada"
    assert (restored.kind, restored.old_status, restored.new_status) == ("restored", "invalid", "valid")
    assert restored.detected_by == "graph:restore by Ada"


def test_the_name_of_the_user_goes_into_no_record(bank: Bank) -> None:
    bank.invalidate()
    assert not any(b"Ada" in record for record in bank.records().values())


def test_restoring_returns_drift_as_it_was(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    bank.verify()
    before, record = bank.state(), bank.records()
    assert (before.status, before.drift) == ("drifted", Drift.BODY)
    bank.invalidate()
    bank.restore()
    assert (bank.state().status, bank.state().drift) == ("drifted", Drift.BODY)
    assert bank.records() == record
    bank.verify()
    assert bank.kinds() == ["drifted", "invalidated", "restored"]


def test_restoring_returns_mild_drift_which_no_log_has(bank: Bank) -> None:
    bank.edit("What a year brings.", "What a year costs.")
    bank.verify()
    bank.invalidate()
    bank.restore()
    assert (bank.state().status, bank.state().drift) == ("drifted", Drift.COMMENT)


def test_restoring_returns_what_was_lost_as_lost(bank: Bank) -> None:
    bank.delete()
    bank.verify()
    bank.invalidate()
    bank.restore()
    assert (bank.state().status, bank.state().reason) == ("invalid", Reason.FILE_DELETED)
    bank.verify()
    assert bank.kinds() == ["invalid", "invalidated", "restored"]


def test_a_pin_outlives_an_invalidation(bank: Bank) -> None:
    bank.pin()
    bank.invalidate()
    bank.restore()
    assert bank.anchor().pinned
    [checked] = bank.verify().checked
    assert checked.judgement.verdict is Verdict.PINNED


def test_a_place_narrows_to_one_anchor(bank: Bank) -> None:
    with bank.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("bank.py::Account"))
    assert [step.anchor.spec for step in bank.invalidate("bank.py::Account").steps] == ["bank.py::Account"]
    assert [row.anchor.spec for row in bank.rows() if row.anchor.invalidated] == ["bank.py::Account"]
    assert len(bank.invalidate("bank.py").steps) == 2
    assert [step.anchor.spec for step in bank.restore("bank.py::interest").steps] == ["bank.py::interest"]
    assert [row.anchor.spec for row in bank.rows() if row.anchor.invalidated] == ["bank.py::Account"]


def test_a_place_is_spelled_from_the_working_directory_too(bank: Bank) -> None:
    bank.write("src/a.py", INTEREST)
    bank.add("Elsewhere.", "src/a.py::interest")
    with bank.open("src") as workspace:
        acted = workspace.anchors.invalidate("2", "a.py::interest", reason="no")
    assert [step.anchor.spec for step in acted.steps] == ["src/a.py::interest"]


def test_the_same_word_twice_is_said_once(bank: Bank) -> None:
    bank.invalidate()
    bank.clock.pass_by(timedelta(days=1))
    record = bank.records()
    assert not any(step.is_change for step in bank.invalidate().steps)
    assert (bank.records(), bank.kinds()) == (record, ["invalidated"])


def test_another_reason_replaces_the_first_but_not_its_time(bank: Bank) -> None:
    at = iso(bank.clock.now())
    bank.edit("range(12)", "range(13)")
    bank.verify()
    bank.invalidate()
    bank.clock.pass_by(timedelta(days=1))
    bank.invalidate(reason="it is worse")
    assert bank.anchor().invalidated == Invalidation(reason="it is worse", at=at)
    bank.restore()
    assert bank.state().status == "drifted"


def test_a_colleagues_invalidation_can_be_corrected_and_taken_back(bank: Bank) -> None:
    before = bank.records()
    bank.invalidate()
    for file in (bank.root / ".tx").glob("graph.db*"):
        file.unlink()
    bank.invalidate(reason="for another reason")
    bank.restore()
    assert (bank.state().status, bank.records()) == ("valid", before)


def test_a_commit_to_blame_is_blamed_until_the_anchor_is_restored(bank: Bank) -> None:
    head = bank.git.git("rev-parse", "HEAD")
    bank.invalidate(commit="HEAD")
    assert bank.blamed() == [head]
    assert bank.told()[0].commit == head
    bank.restore()
    assert bank.blamed() == []


def test_a_commit_is_blamed_as_long_as_one_anchor_needs_it(bank: Bank) -> None:
    with bank.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("bank.py::Account"))
    head = bank.git.git("rev-parse", "HEAD")
    bank.invalidate(commit="HEAD")
    bank.restore("bank.py::Account")
    assert bank.blamed() == [head]
    with bank.open() as workspace:
        workspace.kernel.one(Linking).unlink("1", "bank.py::interest")
    assert bank.blamed() == []


@pytest.mark.parametrize("commit", ["no-such-branch", "0" * 40])
def test_an_unknown_commit_changes_nothing(bank: Bank, commit: str) -> None:
    before = bank.records()
    with pytest.raises(NotFound):
        bank.invalidate(commit=commit)
    assert (bank.records(), bank.kinds()) == (before, [])


def test_where_there_is_no_git_no_commit_can_be_blamed(bank: Bank) -> None:
    (bank.root / ".git").rename(bank.root.parent / "git")
    with pytest.raises(RepositoryError):
        bank.invalidate(commit="HEAD")
    bank.invalidate()
    assert bank.told()[0].detected_by == "graph:invalidate"


@pytest.mark.parametrize("reason", ["", "   ", "x" * 10_000])
def test_a_reason_is_needed_and_is_no_novel(bank: Bank, reason: str) -> None:
    with pytest.raises(UsageError):
        bank.invalidate(reason=reason)


def test_what_is_not_anchored_is_not_found_and_what_is_is_named(bank: Bank) -> None:
    with pytest.raises(NotFound) as error:
        bank.invalidate("bank.py::Account")
    assert error.value.candidates == ("bank.py::interest",)
    bank.add("Free.")
    with bank.open() as workspace, pytest.raises(NotFound, match="no anchors"):
        workspace.anchors.invalidate("2", reason="no")


def test_nothing_to_restore_is_an_error_that_says_so(bank: Bank) -> None:
    with pytest.raises(NotFound, match="nothing to restore"):
        bank.restore()
    bank.invalidate()
    with pytest.raises(NotFound, match="was invalidated or pruned") as error:
        bank.restore("bank.py::Account")
    assert error.value.candidates == ("bank.py::interest",)


def test_what_was_unlinked_is_not_restored(bank: Bank) -> None:
    bank.invalidate()
    with bank.open() as workspace:
        workspace.kernel.one(Linking).unlink("1", "bank.py::interest")
    with pytest.raises(NotFound, match="nothing to restore"):
        bank.restore()
