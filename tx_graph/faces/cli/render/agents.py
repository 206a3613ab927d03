"""What a setup would write, or wrote: a new file in full, a changed one as a diff."""

from __future__ import annotations

from tx_graph.core.text import inert
from tx_graph.faces.cli.render.terminal import echo, printable, styled
from tx_graph.faces.setup.setting_up import Fate, SetUp

_DONE = {Fate.NEW: "written", Fate.CHANGED: "changed", Fate.UNCHANGED: "as it should be", Fate.REMOVED: "removed"}


def plan(done: SetUp) -> None:
    """Print what becomes of each file: what it will hold, or in a word what was done."""
    for change in done.changes:
        if done.is_done or change.fate is Fate.UNCHANGED:
            is_absent = change.fate is Fate.UNCHANGED and done.undo
            what = "not there" if change.before is None else "nothing of tx in it"
            echo(printable(f"{change.path}: {what if is_absent else _DONE[change.fate]}"))
        elif change.fate is Fate.NEW:
            echo(styled(f"{change.path} (new):", bold=True))
            echo(inert(change.content or ""))
        else:
            echo(styled(f"{change.path} ({change.fate}):", bold=True))
            echo(inert(change.diff))
