"""What verification finds is logged once, with who found it, where the code is now and which commit is to blame."""

from __future__ import annotations

import pytest

from tests.anchors.life.bank import SOURCE, Bank
from tx_graph.records.anchor import Drift, Reason


def test_a_missing_file_is_logged_once_however_often_it_is_missed(bank: Bank) -> None:
    bank.delete()
    for _ in range(3):
        bank.verify()
    bank.git.commit()
    bank.verify()
    [event] = bank.told()
    assert (event.kind, event.reason, event.detected_by) == ("invalid", Reason.FILE_DELETED, "graph:verify")
    assert (event.old_status, event.new_status) == ("valid", "invalid")


def test_a_file_that_comes_back_heals_its_anchors_and_acquits_the_commit(bank: Bank) -> None:
    bank.delete()
    breaking = bank.git.commit()
    bank.verify()
    assert (bank.blamed(), bank.told()[0].commit) == ([breaking], breaking)
    bank.write("bank.py", SOURCE)
    bank.verify()
    assert (bank.kinds(), bank.blamed()) == (["invalid", "healed"], [])
    assert (bank.told()[-1].old_status, bank.told()[-1].new_status) == ("invalid", "valid")
    bank.verify()
    assert bank.kinds() == ["invalid", "healed"]


def test_a_file_that_goes_again_is_missed_again(bank: Bank) -> None:
    for _ in range(2):
        bank.delete()
        bank.verify()
        bank.write("bank.py", SOURCE)
        bank.verify()
    assert bank.kinds() == ["invalid", "healed", "invalid", "healed"]


def test_drift_is_logged_with_its_grade_and_the_commit_that_broke_it(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    breaking = bank.git.commit()
    bank.verify()
    [event] = bank.told()
    assert (event.kind, event.drift, event.commit) == ("drifted", Drift.BODY, breaking)
    assert bank.blamed() == [breaking]


def test_worse_drift_is_logged_too_and_the_later_commit_is_to_blame(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    first = bank.git.commit()
    bank.verify()
    assert bank.blamed() == [first]
    bank.edit("(balance, rate)", "(balance, rate, fee)")
    bank.git.commit()
    bank.verify()
    bank.verify()
    assert [event.drift for event in bank.told()] == [Drift.BODY, Drift.SIGNATURE]
    assert len(bank.blamed()) == 1


@pytest.mark.parametrize(("old", "new"), [("range(12)", "range( 12 )"), ("What a year brings.", "Per year.")])
def test_mild_drift_is_no_event(bank: Bank, old: str, new: str) -> None:
    bank.edit(old, new)
    bank.verify()
    assert bank.kinds() == []


def test_a_relocation_is_logged_with_old_and_new_place_and_hash(bank: Bank) -> None:
    old = bank.anchor()
    bank.edit("def interest", "def monthly_interest")
    bank.verify()
    bank.verify()
    [event] = bank.told()
    bank.verify(fix=True)
    new = bank.anchor()
    assert (event.kind, event.anchor.spec, event.new_place) == (
        "relocated",
        "bank.py::interest",
        "bank.py::monthly_interest",
    )
    assert old.fingerprints is not None
    assert new.fingerprints is not None
    assert event.anchor.fingerprints == old.fingerprints
    assert event.new_hash == new.fingerprints.content != old.fingerprints.content
    assert (event.old_status, event.new_status) == ("valid", "valid")


def test_mending_is_logged_with_the_place_it_led_to(bank: Bank) -> None:
    bank.edit("def interest", "def monthly_interest")
    bank.verify()
    bank.verify(fix=True)
    event = bank.told()[-1]
    assert (event.kind, event.detected_by) == ("refreshed", "graph:verify --fix")
    assert (event.anchor.spec, event.new_place) == ("bank.py::interest", "bank.py::monthly_interest")
    bank.verify(fix=True)
    assert bank.kinds() == ["relocated", "refreshed"]


def test_refreshing_is_logged_with_both_hashes(bank: Bank) -> None:
    bank.edit("range(12)", "range( 12 )")
    bank.verify(fix=True)
    [event] = bank.told()
    assert (event.kind, event.detected_by) == ("refreshed", "graph:verify --fix")
    taken = bank.anchor().fingerprints
    assert event.anchor.fingerprints is not None
    assert taken is not None
    assert event.new_hash == taken.content != event.anchor.fingerprints.content


def test_a_name_that_is_used_again_has_a_life_of_its_own(bank: Bank) -> None:
    for old, new in (("interest", "yield_"), ("yield_", "interest"), ("interest", "gain")):
        bank.edit(f"def {old}(", f"def {new}(")
        bank.verify(fix=True)
    bank.invalidate()
    bank.restore()
    assert (bank.specs(), bank.state().found_at) == (["bank.py::gain"], None)
    bank.edit("def gain(", "def interest(")
    bank.verify(fix=True)
    bank.invalidate()
    bank.restore()
    assert bank.state().found_at is None
    bank.verify()
    assert bank.kinds()[-1] == "restored"


@pytest.mark.parametrize("path", ["../outside.py", "/etc/passwd", "C:/windows.py"])
def test_a_record_that_leads_outside_is_logged_once(bank: Bank, path: str) -> None:
    [record] = (bank.root / ".tx" / "learnings").iterdir()
    record.write_text(record.read_text(encoding="utf-8").replace("path: bank.py", f"path: '{path}'"), encoding="utf-8")
    bank.verify()
    bank.verify()
    [event] = bank.told()
    assert (event.kind, event.reason, event.commit) == ("invalid", Reason.OUTSIDE_REPOSITORY, None)
