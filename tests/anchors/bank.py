"""A small repository with one learning about its code, and what people do to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.record_texts import records
from tests.support import Project
from tx_graph.anchors.anchors import Pruned
from tx_graph.anchors.linking import Linking, Tied
from tx_graph.anchors.log import Acted
from tx_graph.anchors.verdict import AnchorEvent
from tx_graph.anchors.verify import Report, verify
from tx_graph.core.database import Database
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.records.anchor import Anchor, AnchorRequest
from tx_graph.records.anchor_store import AnchorRow, AnchorState, AnchorStore

INTEREST = '''\
def interest(balance, rate):
    """What a year brings."""
    total = balance
    for month in range(12):
        total += total * rate / 12
    return round(total - balance, 2)
'''
SOURCE = f"""\
class Account:
    def may_vote(self, age):
        return age >= 18


{INTEREST}"""
INSTANT = timedelta()


class Anchored(Project):
    """A project whose first learning is tied to code, and untied."""

    def link(self, place: str | AnchorRequest, *, ref: str = "1", dry_run: bool = False) -> Tied:
        with self.open() as workspace:
            return workspace.kernel.one(Linking).link(ref, place, dry_run=dry_run)

    def unlink(self, spec: str) -> tuple[Anchor, ...]:
        with self.open() as workspace:
            return workspace.kernel.one(Linking).unlink("1", spec)


class Bank(Anchored):
    """A project whose `bank.py` is committed. Its acts open the workspace anew, as commands do."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch, source: str = SOURCE) -> None:
        super().__init__(directory, monkeypatch)
        self.write("bank.py", source)
        self.git.commit()

    def edit(self, old: str, new: str, path: str = "bank.py") -> None:
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        self.write(path, text.replace(old, new))

    def delete(self) -> None:
        (self.root / "bank.py").unlink()

    def verify(self, *places: str, fix: bool = False, since: str | None = None) -> Report:
        with self.open() as workspace:
            return verify(workspace.kernel, places, since=since, fix=fix)

    def invalidate(self, spec: str | None = None, *, reason: str = "it is wrong", commit: str | None = None) -> Acted:
        with self.open() as workspace:
            return workspace.anchors.invalidate("1", spec, reason=reason, commit=commit)

    def restore(self, spec: str | None = None) -> Acted:
        with self.open() as workspace:
            return workspace.anchors.restore("1", spec)

    def pin(self, spec: str | None = None) -> Acted:
        with self.open() as workspace:
            return workspace.anchors.pin("1", spec)

    def unpin(self, spec: str | None = None) -> Acted:
        with self.open() as workspace:
            return workspace.anchors.unpin("1", spec)

    def confirm(self, spec: str | None = None) -> Acted:
        with self.open() as workspace:
            return workspace.anchors.confirm("1", spec)

    def prune(self, older_than: timedelta = INSTANT, *, dry_run: bool = False) -> list[Pruned]:
        with self.open() as workspace:
            return list(workspace.anchors.prune(older_than, dry_run=dry_run))

    def remove(self) -> None:
        with self.open() as workspace:
            workspace.learnings.remove("1")

    def rows(self) -> list[AnchorRow]:
        """Return every anchor with its state."""
        with Database.open(self.root / ".tx" / "graph.db") as database:
            return AnchorStore(database).rows()

    def state(self) -> AnchorState:
        [row] = self.rows()
        return row.state

    def anchor(self) -> Anchor:
        [row] = self.rows()
        return row.anchor

    def content(self) -> str:
        """Return the fingerprint of the only anchor's text."""
        taken = self.anchor().fingerprints
        assert taken is not None
        return taken.content

    def specs(self) -> list[str]:
        return [row.anchor.spec for row in self.rows()]

    def verdicts(self) -> list[str]:
        """Verify, and return what is said of each anchor."""
        return [checked.judgement.verdict.value for checked in self.verify().checked]

    def told(self) -> list[AnchorEvent]:
        """Return what the log says of the first learning, oldest first."""
        with self.open() as workspace:
            return [told.event for told in workspace.anchors.history("1")]

    def kinds(self) -> list[str]:
        """Return what happened, in short."""
        return [event.kind.value for event in self.told()]

    def blamed(self) -> list[str]:
        """Return the commits that the first learning is said to be invalidated by."""
        with self.open() as workspace:
            node = workspace.learnings.get("1").node
        with Database.open(self.root / ".tx" / "graph.db") as database:
            return EdgeStore(database).blamed(node)

    def records(self) -> dict[str, bytes]:
        return records(self.root)

    def forget(self) -> None:
        """Lose the database, as in a fresh clone."""
        for file in (self.root / ".tx").glob("graph.db*"):
            file.unlink()

    def rewrite_record(self, old: str, new: str) -> None:
        """Edit the only record by hand."""
        [record] = (self.root / ".tx" / "learnings").iterdir()
        record.write_text(record.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


ACTS: dict[str, Callable[[Bank], object]] = {
    "edit": lambda bank: bank.edit("range(12)", "range(13)"),
    "edit-signature": lambda bank: bank.edit("(balance, rate)", "(balance, rate, fee)"),
    "edit-comment": lambda bank: bank.edit("What a year brings.", "What a year costs."),
    "format": lambda bank: bank.edit("range(12)", "range( 12 )"),
    "insert": lambda bank: bank.edit("class Account", "import os\n\nclass Account"),
    "rename": lambda bank: bank.edit("def interest", "def monthly_interest"),
    "drop": lambda bank: bank.write("bank.py", SOURCE.removesuffix(INTEREST)),
    "empty": lambda bank: bank.write("bank.py", ""),
    "edit-moved": lambda bank: bank.edit("range(12)", "range(13)", path="money.py"),
    "copy-drop": lambda bank: [bank.write("a.py", INTEREST), bank.write("b.py", INTEREST), ACTS["drop"](bank)],
    "rename-py": lambda bank: [bank.link("*.py"), bank.confirm("*.py"), bank.git.git("mv", "bank.py", "bank.txt")],
    "move-file": lambda bank: bank.git.git("mv", "bank.py", "money.py"),
    "delete": Bank.delete,
    "return": lambda bank: bank.write("bank.py", SOURCE),
    "commit": lambda bank: bank.git.commit(),
    "clone": Bank.forget,
    "verify": Bank.verify,
    "fix": lambda bank: bank.verify(fix=True),
    "invalidate": Bank.invalidate,
    "blame": lambda bank: bank.invalidate(commit="HEAD"),
    "give-other-reason": lambda bank: bank.invalidate(reason="for another reason"),
    "restore": Bank.restore,
    "pin": Bank.pin,
    "unpin": Bank.unpin,
    "confirm": Bank.confirm,
    "prune": Bank.prune,
    "prune-90": lambda bank: bank.prune(timedelta(days=90)),
    "link": lambda bank: bank.link("bank.py::interest"),
    "link-renamed": lambda bank: bank.link("bank.py::monthly_interest"),
    "unlink": lambda bank: bank.unlink("bank.py"),
    "remove": Bank.remove,
    "30-days": lambda bank: bank.clock.pass_by(timedelta(days=30)),
    "60-days": lambda bank: bank.clock.pass_by(timedelta(days=60)),
    "89-days": lambda bank: bank.clock.pass_by(timedelta(days=89)),
    "a-day": lambda bank: bank.clock.pass_by(timedelta(days=1)),
}
"""What people do, by a word."""


def live(bank: Bank, acts: str) -> None:
    """Do one thing after the other."""
    for act in acts.split():
        ACTS[act](bank)
