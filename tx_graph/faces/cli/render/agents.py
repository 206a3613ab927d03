"""What a setup would write, or wrote: a new file in full, a changed one as a diff."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Any

import typer

from tx_graph.faces.cli.render.terminal import printable, styled
from tx_graph.faces.setup.setting_up import Fate, FileChange, SetUp

_DONE = {Fate.NEW: "written", Fate.CHANGED: "changed", Fate.UNCHANGED: "as it should be", Fate.REMOVED: "removed"}
_UNENDED = "\n\\ No newline at end of file"


def plan(done: SetUp) -> None:
    """Print what becomes of each file: what it will hold, or in a word what was done."""
    for change in done.plan.changes:
        if done.is_done or change.fate is Fate.UNCHANGED:
            is_absent = change.fate is Fate.UNCHANGED and done.plan.request.undo
            what = "not there" if change.before is None else "nothing of tx in it"
            typer.echo(printable(f"{change.path}: {what if is_absent else _DONE[change.fate]}"))
        elif change.fate is Fate.NEW:
            typer.echo(styled(f"{change.path} (new):", bold=True))
            typer.echo(printable(_text(change.after or b"")))
        else:
            typer.echo(styled(f"{change.path} ({change.fate}):", bold=True))
            typer.echo(printable("".join(_diff(change))))


def notes(done: SetUp) -> Sequence[str]:
    """Return what else there is to know."""
    return done.notes


def shape(done: SetUp) -> dict[str, Any]:
    """Return a plan as a document."""
    plan = done.plan
    return {
        "client": plan.request.client.value,
        "command": plan.request.command or "tx",
        "hooks": plan.request.hooks,
        "undo": plan.request.undo,
        "written": done.is_done,
        "files": [
            {
                "path": change.path,
                "fate": change.fate.value,
                "content": None if change.after is None else _text(change.after),
                "diff": "".join(_diff(change)),
            }
            for change in plan.changes
        ],
        "notes": list(done.notes),
    }


def _diff(change: FileChange) -> Iterator[str]:
    """Yield the lines of a diff, as patch reads them."""
    before, after = (_text(data or b"").splitlines(keepends=True) for data in (change.before, change.after))
    names = ("/dev/null" if change.before is None else f"a/{change.path}", f"b/{change.path}")
    for line in unified_diff(before, after, names[0], "/dev/null" if change.after is None else names[1]):
        yield line if line.endswith("\n") else f"{line}{_UNENDED}\n"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")
