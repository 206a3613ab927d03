"""What was read of files and of history, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import typer

from tx_graph.code.indexing import IndexReport
from tx_graph.faces.cli.render.terminal import note
from tx_graph.faces.cli.render.words import counted
from tx_graph.history.cochanges import CoChangeReport, Pass

_MOST_NAMED = 3
"""Files to name of those that were left out for the same reason."""
_IN_LINE = re.compile(r" in line \d+")


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
    if done.how is Pass.INCREMENTAL:
        note(f"Incremental: {counted(done.new, 'new commit')} read, the others were known.")
    elif done.why:
        note(f"Full pass: {done.why}.")


def print_index(report: IndexReport) -> None:
    """Print what an index run did."""
    gone = f", {report.removed:,} gone" if report.removed else ""
    imports, symbols = counted(report.imports, "import"), counted(report.symbols, "symbol")
    typer.echo(f"{counted(report.files, 'file')}, {report.read:,} read{gone}; {imports} between them, {symbols}.")
    for notice in report.notices:
        note(notice)
    _print_skipped([*report.skipped, *report.manifests])


def _print_skipped(skipped: Sequence[tuple[str, str]]) -> None:
    """Print what was left out or read in part: each reason once, with the first names."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, reason in skipped:
        groups.setdefault(_IN_LINE.sub("", reason), []).append((name, reason))
    for common, those in groups.items():
        if len(those) == 1:
            note(f"'{those[0][0]}' {those[0][1]}.")
            continue
        names = ", ".join(f"'{name}'" for name, _ in those[:_MOST_NAMED])
        more = f" and {len(those) - _MOST_NAMED:,} more" if len(those) > _MOST_NAMED else ""
        note(f"{len(those):,} files, each of which {common}: {names}{more}.")
    if any(len(those) > _MOST_NAMED for those in groups.values()):
        note("'tx index --json' names them all.")
