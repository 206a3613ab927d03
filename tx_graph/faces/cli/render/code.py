"""What was read of files and of history, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from tx_graph.faces.cli.render.terminal import note
from tx_graph.faces.cli.render.words import counted
from tx_graph.faces.cli.render.workspace import print_index

if TYPE_CHECKING:
    from tx_graph.code.indexing import IndexReport
    from tx_graph.history.cochanges import CoChangeReport


def read(report: IndexReport) -> None:
    """Print what was read of files, and where their imports lead nowhere."""
    print_index(report)
    if report.unresolved:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in report.unresolved.items())
        typer.echo(f"Imports that lead to no file here: {reasons}.")


def counted_together(done: CoChangeReport) -> None:
    """Print what was read of history."""
    dropped = f" ({done.dropped:,} left out: more than {done.max_files} files)" if done.dropped else ""
    pairs = "1 pair of files changes" if done.pairs == 1 else f"{done.pairs:,} pairs of files change"
    typer.echo(f"{pairs} together, from {counted(done.commits, 'commit')}{dropped}.")
    if done.head is None:
        note("There is no commit yet.")
    elif done.shallow:
        note("This is a shallow clone: only the commits that are here were counted ('git fetch --unshallow').")
    if done.how == "incremental":
        note(f"Incremental: {counted(done.new, 'new commit')} read, the others were known.")
    elif done.why:
        note(f"Full pass: {done.why}.")
