"""Anchors that have been dead for long are cleared away; the log keeps them, and can bring them back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.anchors.life.bank import INTEREST, SOURCE, Bank
from tx_graph.anchors.anchors import Pruned
from tx_graph.anchors.linking import Linking
from tx_graph.core.errors import NotFound
from tx_graph.core.times import parse_age
from tx_graph.records.anchor import Reason, parse_anchor

DAYS_90 = timedelta(days=90)
INSTANT = timedelta()


def prune(bank: Bank, older_than: timedelta = DAYS_90, *, dry_run: bool = False) -> list[Pruned]:
    with bank.open() as workspace:
        return list(workspace.anchors.prune(older_than, dry_run=dry_run))


def lose(bank: Bank) -> None:
    """Let verification find that the code is gone."""
    bank.delete()
    bank.verify()


def test_what_has_been_invalid_for_so_long_is_removed_and_named(bank: Bank) -> None:
    lose(bank)
    since = bank.told()[0].at
    bank.clock.pass_by(timedelta(days=89))
    assert prune(bank) == []
    bank.clock.pass_by(timedelta(days=1))
    [pruned] = prune(bank)
    assert (pruned.row.anchor.spec, pruned.since, pruned.reason) == ("bank.py::interest", since, Reason.FILE_DELETED)
    assert (bank.specs(), prune(bank)) == ([], [])


def test_the_log_survives_and_says_why(bank: Bank) -> None:
    lose(bank)
    bank.clock.pass_by(DAYS_90)
    prune(bank)
    assert bank.kinds() == ["invalid", "pruned"]
    event = bank.told()[-1]
    assert (event.old_status, event.new_status, event.detected_by) == ("invalid", "none", "graph:prune by Ada")
    assert event.detail == "invalid since 2026-11-20T12:00:00Z: the file is gone"


def test_a_dry_run_only_names(bank: Bank) -> None:
    lose(bank)
    record = bank.records()
    assert [pruned.row.anchor.spec for pruned in prune(bank, INSTANT, dry_run=True)] == ["bank.py::interest"]
    assert (bank.specs(), bank.records(), bank.kinds()) == (["bank.py::interest"], record, ["invalid"])


def test_what_was_invalidated_by_hand_counts_from_then(bank: Bank) -> None:
    bank.invalidate()
    bank.clock.pass_by(timedelta(days=60))
    lose(bank)
    bank.clock.pass_by(timedelta(days=30))
    [pruned] = prune(bank)
    assert (pruned.reason, pruned.detail) == (Reason.INVALIDATED, "it is wrong")


def test_what_healed_in_between_counts_from_the_second_time(bank: Bank) -> None:
    lose(bank)
    bank.clock.pass_by(timedelta(days=60))
    bank.write("bank.py", SOURCE)
    bank.verify()
    lose(bank)
    bank.clock.pass_by(timedelta(days=60))
    assert prune(bank) == []
    bank.clock.pass_by(timedelta(days=30))
    assert len(prune(bank)) == 1


def test_what_is_lost_for_another_reason_has_been_invalid_all_the_time(bank: Bank) -> None:
    lose(bank)
    bank.clock.pass_by(timedelta(days=60))
    bank.write("bank.py", SOURCE.removesuffix(INTEREST))
    bank.verify()
    bank.clock.pass_by(timedelta(days=30))
    [pruned] = prune(bank)
    assert pruned.reason is Reason.SYMBOL_MISSING


def test_what_holds_again_is_not_removed_although_nobody_verified(bank: Bank) -> None:
    lose(bank)
    bank.clock.pass_by(DAYS_90)
    bank.write("bank.py", SOURCE)
    assert prune(bank) == []
    assert bank.specs() == ["bank.py::interest"]


def test_what_has_moved_is_not_removed(bank: Bank) -> None:
    lose(bank)
    bank.clock.pass_by(DAYS_90)
    bank.write("bank.py", SOURCE.replace("def interest", "def monthly_interest"))
    assert prune(bank) == []


def test_a_workspace_that_lives_long_sees_what_came_back(bank: Bank) -> None:
    lose(bank)
    with bank.open() as workspace:
        assert len(workspace.anchors.prune(INSTANT, dry_run=True)) == 1
        bank.write("bank.py", SOURCE)
        assert workspace.anchors.prune(INSTANT) == ()


def test_drift_is_never_pruned_nor_what_nobody_verified(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    bank.verify()
    bank.add("Nobody looked.", "bank.py::Account")
    bank.write("bank.py", "")
    assert prune(bank, INSTANT) == []


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_pinned_anchor_is_never_pruned(bank: Bank, *, by_hand: bool) -> None:
    if by_hand:
        bank.invalidate()
        bank.pin()
    else:
        bank.pin()
        lose(bank)
    bank.clock.pass_by(DAYS_90)
    assert prune(bank) == []


def test_restoring_brings_a_pruned_anchor_back_byte_for_byte(bank: Bank) -> None:
    with bank.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("bank.py:L8-L11"))
    before = bank.records()
    lose(bank)
    assert len(prune(bank, INSTANT)) == 2
    assert bank.records() != before
    steps = bank.restore().steps
    assert [(step.old, step.anchor.spec) for step in steps] == [(None, "bank.py::interest"), (None, "bank.py:L8-L11")]
    assert bank.records() == before
    assert {(row.state.status, row.state.reason) for row in bank.rows()} == {("invalid", Reason.FILE_DELETED)}
    bank.verify()
    assert bank.kinds()[-2:] == ["restored", "restored"]
    bank.write("bank.py", SOURCE)
    bank.verify()
    assert bank.kinds()[-2:] == ["healed", "healed"]


def test_restoring_what_was_invalidated_and_pruned_is_as_if_neither_had_been(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    bank.verify()
    before = bank.records()
    bank.invalidate(commit="HEAD")
    prune(bank, INSTANT)
    assert (bank.specs(), bank.blamed()) == ([], [])
    bank.restore()
    assert (bank.records(), bank.state().status, bank.blamed()) == (before, "drifted", [])


def test_one_of_several_pruned_anchors_is_restored_by_its_name(bank: Bank) -> None:
    with bank.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("bank.py::Account"))
    lose(bank)
    prune(bank, INSTANT)
    bank.restore("bank.py::Account")
    assert bank.specs() == ["bank.py::Account"]
    with pytest.raises(NotFound, match="was invalidated or pruned"):
        bank.restore("bank.py::Account")
    bank.restore()
    assert bank.specs() == ["bank.py::Account", "bank.py::interest"]


def test_what_was_linked_again_after_pruning_is_not_restored_over_it(bank: Bank) -> None:
    lose(bank)
    prune(bank, INSTANT)
    bank.write("bank.py", SOURCE.replace("range(12)", "range(13)"))
    with bank.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("bank.py::interest"))
    record = bank.records()
    with pytest.raises(NotFound, match="nothing to restore"):
        bank.restore()
    with bank.open() as workspace:
        workspace.kernel.one(Linking).unlink("1", "bank.py::interest")
    with pytest.raises(NotFound, match="nothing to restore"):
        bank.restore()
    assert bank.records() != record


def test_pruned_blame_is_taken_back_and_returns_with_the_anchor(bank: Bank) -> None:
    bank.delete()
    breaking = bank.git.commit()
    bank.verify()
    assert bank.blamed() == [breaking]
    prune(bank, INSTANT)
    assert bank.blamed() == []
    bank.restore()
    assert bank.blamed() == [breaking]


def test_anchors_of_learnings_that_no_answer_shows_are_pruned_too(bank: Bank) -> None:
    lose(bank)
    with bank.open() as workspace:
        workspace.learnings.remove("1")
    assert [pruned.learning.id for pruned in prune(bank, INSTANT)] == [1]


def test_where_nobody_knows_since_when_it_is_since_the_last_look(bank: Bank) -> None:
    bank.delete()
    for file in (bank.root / ".tx").glob("graph.db*"):
        file.unlink()
    bank.verify()
    bank.clock.pass_by(timedelta(days=89))
    assert prune(bank) == []
    bank.clock.pass_by(timedelta(days=1))
    assert len(prune(bank)) == 1


@pytest.mark.parametrize("age", ["50000w", "90000w", "99999w", "99999d"])
def test_nothing_is_older_than_the_hills(bank: Bank, age: str) -> None:
    lose(bank)
    assert prune(bank, parse_age(age)) == []


def test_outside_paths_are_pruned_like_everything_invalid(bank: Bank) -> None:
    [record] = (bank.root / ".tx" / "learnings").iterdir()
    record.write_text(record.read_text(encoding="utf-8").replace("path: bank.py", "path: ../bank.py"), "utf-8")
    bank.verify()
    assert [pruned.reason for pruned in prune(bank, INSTANT)] == [Reason.OUTSIDE_REPOSITORY]
