"""A small repository with one learning about its code, and what people do to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.record_texts import records
from tests.support import Project
from tx_graph.anchors.log import Acted
from tx_graph.anchors.verdict import AnchorEvent
from tx_graph.anchors.verify import Report, Scope, Verification
from tx_graph.core.database import Database
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.records.anchor import Anchor
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


class Bank(Project):
    """A project whose `bank.py` is committed. Its acts open the workspace anew, as commands do."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(directory, monkeypatch)
        self.write("bank.py", SOURCE)
        self.git.commit()

    def edit(self, old: str, new: str) -> None:
        """Change the code."""
        text = (self.root / "bank.py").read_text(encoding="utf-8")
        assert old in text
        self.write("bank.py", text.replace(old, new))

    def delete(self) -> None:
        """Delete the code."""
        (self.root / "bank.py").unlink()

    def verify(self, *places: str, fix: bool = False) -> Report:
        """Verify, as graph:verify does."""
        with self.open() as workspace:
            return workspace.kernel.one(Verification).run(Scope(places=places), fix=fix)

    def invalidate(self, spec: str | None = None, *, reason: str = "it is wrong", commit: str | None = None) -> Acted:
        """Invalidate anchors of the first learning."""
        with self.open() as workspace:
            return workspace.anchors.invalidate("1", spec, reason=reason, commit=commit)

    def restore(self, spec: str | None = None) -> Acted:
        """Restore anchors of the first learning."""
        with self.open() as workspace:
            return workspace.anchors.restore("1", spec)

    def pin(self, spec: str | None = None) -> Acted:
        """Pin anchors of the first learning."""
        with self.open() as workspace:
            return workspace.anchors.pin("1", spec)

    def unpin(self, spec: str | None = None) -> Acted:
        """Unpin anchors of the first learning."""
        with self.open() as workspace:
            return workspace.anchors.unpin("1", spec)

    def confirm(self, spec: str | None = None) -> Acted:
        """Confirm anchors of the first learning."""
        with self.open() as workspace:
            return workspace.anchors.confirm("1", spec)

    def rows(self) -> list[AnchorRow]:
        """Return every anchor with its state."""
        with Database.open(self.root / ".tx" / "graph.db") as database:
            return AnchorStore(database).rows()

    def state(self) -> AnchorState:
        """Return the state of the only anchor."""
        [row] = self.rows()
        return row.state

    def anchor(self) -> Anchor:
        """Return the only anchor."""
        [row] = self.rows()
        return row.anchor

    def specs(self) -> list[str]:
        """Return where the anchors are."""
        return [row.anchor.spec for row in self.rows()]

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
        """Return the bytes of every record."""
        return records(self.root)
