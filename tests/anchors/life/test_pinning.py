"""A pinned anchor is taken at its word: verification leaves it alone, whatever becomes of its code."""

from __future__ import annotations

import pytest

from tests.anchors.life.bank import SOURCE, Bank
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.verdict import Verdict
from tx_graph.core.errors import NotFound
from tx_graph.records.anchor import parse_anchor


def test_a_pinned_anchor_on_a_deleted_file_is_left_alone(bank: Bank) -> None:
    bank.pin()
    record = bank.records()
    bank.delete()
    for fix in (False, True):
        report = bank.verify(fix=fix)
        assert [checked.judgement.verdict for checked in report.checked] == [Verdict.PINNED]
        assert not report.findings
    assert (bank.records(), bank.state().status, bank.kinds()) == (record, "valid", ["pinned"])


def test_a_pin_stands_in_the_record_and_is_gone_without_a_trace(bank: Bank) -> None:
    before = bank.records()
    bank.pin()
    assert any(b"pinned: true" in record for record in bank.records().values())
    bank.unpin()
    assert bank.records() == before


def test_pinning_twice_changes_nothing_and_says_so(bank: Bank) -> None:
    assert not any(step.is_change for step in bank.unpin().steps)
    assert all(step.is_change for step in bank.pin().steps)
    record = bank.records()
    assert not any(step.is_change for step in bank.pin().steps)
    assert (bank.records(), bank.kinds()) == (record, ["pinned"])
    assert [event.detected_by for event in bank.told()] == ["graph:pin by Ada"]


def test_what_verification_found_before_a_pin_counts_no_more(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    breaking = bank.git.commit()
    bank.verify()
    assert bank.blamed() == [breaking]
    bank.pin()
    assert (bank.state().status, bank.state().drift, bank.blamed()) == ("valid", None, [])
    bank.unpin()
    bank.verify()
    assert (bank.state().status, bank.blamed()) == ("drifted", [breaking])
    assert bank.kinds() == ["drifted", "pinned", "unpinned", "drifted"]


def test_an_unpinned_anchor_is_verified_again(bank: Bank) -> None:
    bank.pin()
    bank.delete()
    bank.verify()
    bank.unpin()
    assert [checked.judgement.verdict for checked in bank.verify().checked] == [Verdict.INVALID]
    bank.write("bank.py", SOURCE)
    assert [checked.judgement.verdict for checked in bank.verify().checked] == [Verdict.VALID]


def test_a_pin_does_not_hide_that_somebody_invalidated(bank: Bank) -> None:
    bank.invalidate()
    bank.pin()
    assert bank.state().status == "invalid"
    assert [checked.judgement.verdict for checked in bank.verify().checked] == [Verdict.INVALID]


def test_what_was_known_before_an_invalidation_does_not_outlive_a_pin(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    bank.verify()
    bank.invalidate()
    bank.pin()
    bank.restore()
    assert (bank.state().status, bank.state().drift) == ("valid", None)


def test_linking_again_keeps_the_pin(bank: Bank) -> None:
    bank.pin()
    bank.edit("range(12)", "range(13)")
    with bank.open() as workspace:
        tied = workspace.kernel.one(Linking).link("1", parse_anchor("bank.py::interest"))
    assert (tied.existed, tied.anchor.pinned, bank.anchor().pinned) == (False, True, True)


def test_one_anchor_of_several_is_pinned(bank: Bank) -> None:
    with bank.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("bank.py"))
    bank.pin("bank.py::interest")
    assert [row.anchor.spec for row in bank.rows() if row.anchor.pinned] == ["bank.py::interest"]
    bank.pin("bank.py")
    assert [row.anchor.spec for row in bank.rows() if row.anchor.pinned] == ["bank.py", "bank.py::interest"]
    with pytest.raises(NotFound):
        bank.pin("nowhere.py")
