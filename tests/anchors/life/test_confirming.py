"""Somebody looked and it is still true: anchors take the code as it is now, or all of them stay as they were."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from tests.anchors.life.bank import INTEREST, SOURCE, Bank
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.verdict import Verdict
from tx_graph.core.errors import NotFound
from tx_graph.records.anchor import AnchorRequest, AnchorType, parse_anchor
from tx_graph.records.learning_record import LEARNING_FORMAT


def content(bank: Bank) -> str:
    taken = bank.anchor().fingerprints
    assert taken is not None
    return taken.content


def verdicts(bank: Bank) -> list[Verdict]:
    return [checked.judgement.verdict for checked in bank.verify().checked]


def test_confirming_takes_new_fingerprints_of_edited_code(bank: Bank) -> None:
    old = content(bank)
    bank.edit("range(12)", "range(13)")
    assert verdicts(bank) == [Verdict.DRIFTED]
    bank.confirm()
    new = hashlib.sha256(INTEREST.replace("12)", "13)", 1).removesuffix("\n").encode()).hexdigest()
    assert content(bank) == new
    assert verdicts(bank) == [Verdict.VALID]
    event = bank.told()[-1]
    assert (event.kind, event.detected_by) == ("confirmed", "graph:confirm by Ada")
    assert (event.old_status, event.new_status) == ("drifted", "valid")
    assert event.anchor.fingerprints is not None
    assert (event.anchor.fingerprints.content, event.new_hash) == (old, new)
    assert bank.kinds() == ["drifted", "confirmed"]


def test_confirming_needs_no_verification_before(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    bank.confirm()
    assert verdicts(bank) == [Verdict.VALID]


def test_confirming_acquits_the_commit(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    breaking = bank.git.commit()
    bank.verify()
    assert bank.blamed() == [breaking]
    bank.confirm()
    assert bank.blamed() == []
    bank.verify()
    assert bank.blamed() == []


@pytest.mark.parametrize("committed", [True, False])
def test_confirming_follows_a_rename(bank: Bank, *, committed: bool) -> None:
    bank.edit("def interest", "def monthly_interest")
    if committed:
        bank.git.commit()
    [step] = bank.confirm().steps
    assert step.has_moved
    assert bank.specs() == ["bank.py::monthly_interest"]
    assert verdicts(bank) == [Verdict.VALID]
    [event] = bank.told()
    assert (event.anchor.spec, event.new_place) == ("bank.py::interest", "bank.py::monthly_interest")


def test_confirming_follows_a_file_that_was_renamed_and_takes_what_was_edited(bank: Bank) -> None:
    bank.git.git("mv", "bank.py", "money.py")
    bank.write("money.py", SOURCE.replace("range(12)", "range(13)"))
    bank.git.commit()
    bank.confirm()
    assert bank.specs() == ["money.py::interest"]
    assert verdicts(bank) == [Verdict.VALID]


@pytest.mark.parametrize("kind", [AnchorType.LINES, AnchorType.HASH])
def test_confirming_follows_lines_that_moved(bank: Bank, kind: AnchorType) -> None:
    with bank.open() as workspace:
        workspace.kernel.one(Linking).link("1", AnchorRequest(path="bank.py", lines=(8, 11), type=kind))
        workspace.kernel.one(Linking).unlink("1", "bank.py::interest")
    bank.write("bank.py", f"import os\n\n{SOURCE}")
    bank.confirm()
    assert bank.specs() == ["bank.py:L10-L13"]
    assert verdicts(bank) == [Verdict.VALID]
    bank.edit("range(12)", "range(13)")
    bank.confirm()
    text = bank.anchor().text
    assert (text is not None and "range(13)" in text) == (kind is AnchorType.LINES)
    assert verdicts(bank) == [Verdict.VALID]


def test_what_is_nowhere_cannot_be_confirmed_and_nothing_changes(bank: Bank) -> None:
    with bank.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("bank.py::Account"))
    bank.write("bank.py", SOURCE.removesuffix(INTEREST).replace("18", "21"))
    before, told = bank.records(), bank.kinds()
    with pytest.raises(NotFound, match="cannot be confirmed") as error:
        bank.confirm()
    assert "graph:unlink" in error.value.hint
    assert (bank.records(), bank.kinds()) == (before, told)
    bank.confirm("bank.py::Account")
    assert (verdicts(bank), bank.specs()) == (
        [Verdict.VALID, Verdict.INVALID],
        ["bank.py::Account", "bank.py::interest"],
    )


def test_where_two_places_may_be_meant_both_are_named(bank: Bank) -> None:
    bank.write("bank.py", SOURCE.removesuffix(INTEREST))
    bank.write("a.py", INTEREST)
    bank.write("b.py", INTEREST)
    with pytest.raises(NotFound) as error:
        bank.confirm()
    assert error.value.candidates == ("a.py::interest", "b.py::interest")


def test_confirming_what_somebody_invalidated_makes_it_valid(bank: Bank) -> None:
    before = bank.records()
    bank.invalidate(commit="HEAD")
    bank.confirm()
    assert (bank.anchor().invalidated, bank.blamed(), bank.records()) == (None, [], before)
    assert verdicts(bank) == [Verdict.VALID]
    with pytest.raises(NotFound, match="nothing to restore"):
        bank.restore()


def test_a_pinned_anchor_can_be_confirmed_and_stays_pinned(bank: Bank) -> None:
    bank.pin()
    bank.edit("range(12)", "range(13)")
    bank.confirm()
    assert bank.anchor().pinned
    bank.unpin()
    assert verdicts(bank) == [Verdict.VALID]


def test_a_glob_is_confirmed_as_long_as_it_matches(bank: Bank) -> None:
    with bank.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("*.py"))
    bank.confirm("*.py")
    bank.git.git("mv", "bank.py", "bank.txt")
    with pytest.raises(NotFound, match="it matches no file"):
        bank.confirm("*.py")


def test_an_anchor_without_fingerprints_gets_some(bank: Bank) -> None:
    [path] = (bank.root / ".tx" / "learnings").iterdir()
    learning = LEARNING_FORMAT.parse(path.read_bytes())
    [anchor] = learning.anchors
    path.write_text(
        LEARNING_FORMAT.render(replace(learning, anchors=(replace(anchor, fingerprints=None),))), encoding="utf-8"
    )
    bank.verify()
    assert bank.anchor().fingerprints is None
    bank.confirm()
    assert bank.anchor().fingerprints is not None


def test_a_workspace_that_lives_long_confirms_what_is_there_now(bank: Bank) -> None:
    with bank.open() as workspace:
        workspace.learnings.show("1")
        workspace.anchors.confirm("1")
        bank.edit("range(12)", "range(13)")
        workspace.anchors.confirm("1")
    assert verdicts(bank) == [Verdict.VALID]


def test_two_anchors_that_come_to_one_place_become_one(bank: Bank) -> None:
    bank.edit("def interest", "def monthly_interest")
    with bank.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("bank.py::monthly_interest"))
    bank.confirm()
    assert bank.specs() == ["bank.py::monthly_interest"]
    assert verdicts(bank) == [Verdict.VALID]
