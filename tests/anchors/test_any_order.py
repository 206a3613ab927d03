"""Whatever people do to anchors and code, in whatever order: records and database stay equal, and acts undo acts."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.anchors.bank import ACTS, Bank
from tx_graph.core.errors import NotFound
from tx_graph.records.anchor import AnchorRequest, AnchorType
from tx_graph.records.anchor_store import AnchorState
from tx_graph.workspace.doctor import Level, examine

pytestmark = pytest.mark.slow

Act = Callable[[Bank, str | None], object]


CODE = "edit edit-signature edit-comment format insert rename delete return move-file commit verify fix".split()
WORDS: dict[str, Act] = {
    "invalidate": lambda bank, spec: bank.invalidate(spec),
    "invalidate --commit": lambda bank, spec: bank.invalidate(spec, commit="HEAD"),
    "restore": lambda bank, spec: bank.restore(spec),
    "pin": lambda bank, spec: bank.pin(spec),
    "unpin": lambda bank, spec: bank.unpin(spec),
    "confirm": lambda bank, spec: bank.confirm(spec),
    "link": lambda bank, spec: bank.link(spec or "bank.py::Account"),
    "unlink": lambda bank, spec: bank.unlink(spec or "bank.py"),
    "prune": lambda bank, _: bank.prune(),
}
HARMLESS, ANYTHING = [*CODE, "confirm", "link"], [*CODE, *WORDS]
SPECS = st.sampled_from([None, None, "bank.py", "bank.py::interest", "bank.py::monthly_interest", "bank.py:L8-L11"])


def sequences(acts: list[str]) -> st.SearchStrategy[list[tuple[str, str | None]]]:
    """Return sequences of acts, each on one anchor or all."""
    return st.lists(st.tuples(st.sampled_from(acts), SPECS), max_size=10)


@contextmanager
def founded() -> Iterator[Bank]:
    """A new bank with one learning, tied to a function, to its lines in two ways, to the file and to a glob."""
    with TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as monkeypatch:
        bank = Bank(Path(directory), monkeypatch)
        bank.add("Interest is monthly.", "bank.py::interest", "bank.py", "bank.py:L8-L11", "*.py")
        bank.link(AnchorRequest(path="bank.py", lines=(8, 11), type=AnchorType.HASH))
        yield bank


def live(bank: Bank, acts: list[tuple[str, str | None]]) -> None:
    """Do one thing after the other, an hour apart; what is refused, or cannot be done to the code as it is, is left."""
    for name, spec in acts:
        bank.clock.pass_by(timedelta(hours=1))
        with suppress(NotFound, AssertionError, OSError, CalledProcessError):
            WORDS[name](bank, spec) if name in WORDS else ACTS[name](bank)


@settings(deadline=None, max_examples=12)
@given(sequences(ANYTHING))
def test_records_and_database_stay_equal(acts: list[tuple[str, str | None]]) -> None:
    with founded() as bank:
        live(bank, acts)
        with bank.open() as workspace:
            assert [one for one in examine(workspace.kernel) if one.level is Level.PROBLEM] == []
        verified = outcomes(bank)
        with aside(bank):
            assert outcomes(bank) == verified


def blame(bank: Bank, spec: str | None) -> None:
    bank.invalidate(spec, commit="HEAD")
    bank.restore(spec)


def pin(bank: Bank, spec: str | None) -> None:
    bank.pin(spec)
    bank.unpin(spec)


def prune(bank: Bank, _: str | None) -> None:
    bank.prune()
    bank.restore()


@pytest.mark.parametrize("done_and_undone", [blame, pin, prune], ids=lambda act: act.__name__)
@settings(deadline=None, max_examples=8)
@given(sequences(HARMLESS), SPECS)
def test_what_is_undone_leaves_nothing(
    done_and_undone: Act, acts: list[tuple[str, str | None]], spec: str | None
) -> None:
    with founded() as bank:
        live(bank, acts)
        if done_and_undone is prune:
            bank.verify()
        before = (bank.records(), states(bank), bank.blamed())
        with suppress(NotFound):
            done_and_undone(bank, spec)
        if done_and_undone is pin:  # what was known before a pin counts no more
            assert bank.records() == before[0]
        else:
            assert (bank.records(), states(bank), bank.blamed()) == before


@settings(deadline=None, max_examples=8)
@given(sequences(ANYTHING))
def test_to_look_twice_finds_nothing_new(acts: list[tuple[str, str | None]]) -> None:
    with founded() as bank:
        live(bank, acts)
        bank.verify()
        told, before = bank.told(), bank.records()
        bank.verify()
        assert (bank.told(), bank.records()) == (told, before)


def outcomes(bank: Bank) -> list[object]:
    """Return what a verification says, and what is kept of it."""
    judged = [one.judgement for one in bank.verify().checked]
    found = [(one.anchor, one.verdict, one.drift, one.reason, one.relocated_to, one.lines) for one in judged]
    return [*found, *states(bank)]


def states(bank: Bank) -> list[AnchorState]:
    """Return what is known of every anchor, but for when somebody looked and at which lines it was."""
    return [replace(row.state, verified_at=None, verified_hash=None, found_lines=None) for row in bank.rows()]


@contextmanager
def aside(bank: Bank) -> Iterator[None]:
    """Put the database away for a while, as if this were a fresh clone."""
    kept = bank.root.parent / "kept"
    kept.mkdir()
    for file in (bank.root / ".tx").glob("graph.db*"):
        shutil.move(file, kept)
    yield
    for file in (bank.root / ".tx").glob("graph.db*"):
        file.unlink()
    for file in kept.iterdir():
        shutil.move(file, bank.root / ".tx")
