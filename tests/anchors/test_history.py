"""What happened to anchors can be told, oldest first, also of those that are gone."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.anchors.bank import Bank, live
from tx_graph.anchors.anchors import Told
from tx_graph.core.errors import NotFound, UsageError


def of(bank: Bank, place: str, *, below: str = "") -> list[Told]:
    with bank.open(below) as workspace:
        return list(workspace.anchors.history(place))


def kinds(told: list[Told]) -> list[str]:
    return [one.event.kind.value for one in told]


def test_every_change_is_told_oldest_first(bank: Bank) -> None:
    live(bank, "edit commit verify")
    for act in (bank.confirm, bank.pin, bank.unpin, bank.invalidate, bank.restore):
        bank.clock.pass_by(timedelta(hours=1))
        act()
    told = of(bank, "1")
    assert kinds(told) == ["drifted", "confirmed", "pinned", "unpinned", "invalidated", "restored"]
    assert [one.event.at for one in told] == sorted({one.event.at for one in told})


def test_the_subject_of_a_commit_is_told_if_git_has_it(bank: Bank) -> None:
    live(bank, "edit commit verify")
    [told] = of(bank, "1")
    assert (told.subject, told.number) == ("change", 1)
    (bank.root / ".git").rename(bank.root.parent / "git")
    [told] = of(bank, "1")
    assert (told.subject, told.event.commit is not None) == (None, True)


@pytest.mark.parametrize("ref", ["1", "learning:1", "uid"])
def test_a_learning_is_named_as_everywhere(bank: Bank, ref: str) -> None:
    bank.pin()
    with bank.open() as workspace:
        uid = workspace.learnings.get("1").learning.uid
    [told] = of(bank, uid if ref == "uid" else ref)
    assert told.uid == uid


def test_what_is_at_a_place_is_told_whatever_learning_it_belongs_to(bank: Bank) -> None:
    bank.write("src/a.py", "def f():\n    return 1\n")
    bank.add("Other.", "bank.py::Account::may_vote", "src/a.py::f")
    bank.pin()
    with bank.open() as workspace:
        workspace.anchors.pin("2")
    assert [(one.number, one.event.anchor.spec) for one in of(bank, "bank.py")] == [
        (1, "bank.py::interest"),
        (2, "bank.py::Account::may_vote"),
    ]
    assert [one.number for one in of(bank, "bank.py::interest")] == [1]
    assert [one.number for one in of(bank, "bank.py::Account")] == [2]
    assert [one.event.anchor.spec for one in of(bank, "src")] == ["src/a.py::f"]
    assert [one.event.anchor.spec for one in of(bank, "a.py::f", below="src")] == ["src/a.py::f"]
    assert len(of(bank, ".")) == 3
    assert of(bank, "bank.py::nothing") == []


def test_a_place_whose_name_begins_like_another_is_another(bank: Bank) -> None:
    bank.write("bank.pyi", "def interest(): ...\n")
    bank.add("Stub.", "bank.pyi::interest")
    bank.write("bank.py", "def interest_rate():\n    return 1\n\n\ndef interest():\n    return 2\n")
    bank.add("Rate.", "bank.py::interest_rate")
    for number in ("1", "2", "3"):
        with bank.open() as workspace:
            workspace.anchors.pin(number)
    assert [one.number for one in of(bank, "bank.py")] == [1, 3]
    assert [one.number for one in of(bank, "bank.py::interest")] == [1]


def test_where_an_anchor_went_is_a_place_in_its_history(bank: Bank) -> None:
    live(bank, "rename confirm")
    for place in ("bank.py::interest", "bank.py::monthly_interest", "1"):
        assert kinds(of(bank, place)) == ["confirmed"]


def test_a_file_that_is_gone_and_anchors_that_were_taken_away_have_a_history(bank: Bank) -> None:
    live(bank, "delete verify")
    bank.unlink("bank.py")
    assert kinds(of(bank, "bank.py")) == ["invalid", "unlinked"]
    assert kinds(of(bank, "bank.py::interest")) == ["invalid", "unlinked"]
    assert kinds(of(bank, "1")) == ["invalid", "unlinked"]


def test_a_learning_of_which_nothing_is_told_has_an_empty_history(bank: Bank) -> None:
    assert of(bank, "1") == []
    assert of(bank, "bank.py") == []


@pytest.mark.parametrize("place", ["99", "nowhere.py", "nowhere.py::f", "99zz", "bnak.py::interest"])
def test_what_never_was_is_not_found_and_the_nearest_anchors_are_named(bank: Bank, place: str) -> None:
    with pytest.raises(NotFound) as error:
        of(bank, place)
    assert "bnak" not in place or error.value.candidates == ("bank.py::interest",)
    with pytest.raises(UsageError):
        of(bank, "../outside.py")
