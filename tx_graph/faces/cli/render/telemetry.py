"""Transcripts and what they told, for people and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from tx_graph.faces.cli.render.terminal import note, print_table, reading_width, shortened
from tx_graph.faces.cli.render.words import counted

if TYPE_CHECKING:
    from tx_graph.work.telemetry_store import TranscriptTally
    from tx_graph.work.transcripts import FileReport, IngestReport, Pruned
    from tx_graph.work.values import StoredEvent


_MOST_NAMED = 3
_READ = ("new", "continued", "rewritten")
_PLACE = 40
"""Columns of a path in a table; its end tells more than its beginning."""


def ingested(report: IngestReport) -> None:
    """Print what was read, and to stderr what was not and why."""
    read = [one for one in report.files if one.reading.value in _READ]
    kinds = Counter(one.reading.value for one in report.files)
    events, redacted = sum(one.events for one in read), sum(one.redacted for one in read)
    states = ", ".join(f"{kinds[kind]:,} {kind}" for kind in (*_READ, "unchanged") if kinds[kind])
    typer.echo(f"{counted(len(read) + kinds['unchanged'], 'transcript')}{f' ({states})' if states else ''}.")
    if read:
        typer.echo(f"{counted(events, 'event')}, {counted(redacted, 'secret')} taken out. See 'tx transcript:list'.")
    _note_left_out(report, kinds)
    _note_lines(read, sum(one.waits for one in report.files))
    for one in report.refused[:_MOST_NAMED]:
        note(f"{one.path} {one.problem}.")
    if len(report.refused) > _MOST_NAMED:
        note(f"{len(report.refused) - _MOST_NAMED:,} more files were not read; --json names them all.")


def refused(report: IngestReport) -> None:
    """Make the exit status 1 where a file that was named could not be read."""
    if any(one.named for one in report.refused):
        raise typer.Exit(1)


def pruned(done: Pruned) -> None:
    """Print how many events were forgotten."""
    typer.echo(f"Removed {counted(done.removed, 'event')} from before {done.since}; {done.left:,} left.")


def _note_left_out(report: IngestReport, kinds: Counter[str]) -> None:
    if kinds["elsewhere"]:
        what = counted(kinds["elsewhere"], "session")
        note(f"{what} in other directories left out; --everywhere reads them too.")
    if kinds["silent"]:
        note(f"{counted(kinds['silent'], 'file')} in which nothing was said or done.")
    expired = sum(one.expired for one in report.files)
    if kinds["old"] or expired:
        old = [counted(kinds["old"], "transcript")] if kinds["old"] else []
        old += [counted(expired, "event")] if expired else []
        note(f"{' and '.join(old)} older than {report.keep} left out; --keep 365d keeps more.")
    if report.pruned:
        note(f"{counted(report.pruned, 'event')} older than {report.keep} removed.")


def _note_lines(read: Sequence[FileReport], waiting: int) -> None:
    unknown, malformed = sum(one.unknown for one in read), sum(one.malformed for one in read)
    if unknown:
        note(f"{counted(unknown, 'line')} that no format knows.")
    if malformed:
        note(f"{counted(malformed, 'line')} that {'is' if malformed == 1 else 'are'} no JSON.")
    if waiting:
        note(f"{counted(waiting, 'last line')} without an end; read when there is more.")


def transcripts(found: Sequence[TranscriptTally]) -> None:
    """Print transcripts as a table, or how to read some."""
    if not found:
        note("No transcript was read yet: run 'tx transcript:ingest FILE|DIR'.")
        return
    rows = [
        (
            str(one.row.run),
            one.row.format.value,
            (one.last_at or "")[:16].replace("T", " "),
            f"{one.row.read_bytes / 1_000_000:,.1f}",
            f"{one.row.lines:,}",
            f"{one.events:,}",
            f"{one.failed:,}",
            f"{one.row.redacted:,}",
            _ending(one.row.path),
        )
        for one in found
    ]
    headings = ("run", "format", "last event", "MB", "lines", "events", "failed", "redacted", "file")
    print_table(headings, rows, right=("run", "MB", "lines", "events", "failed", "redacted"))


def told(one: TranscriptTally | None) -> str:
    """Return what is kept of a run's transcript in words, `1,200 events, 31 failed`; empty where it has none."""
    if one is None:
        return ""
    failed = f", {one.failed:,} failed" if one.failed else ""
    return f"{counted(one.events, 'event')}{failed}; 'tx telemetry:list --run {one.row.run}' shows them"


def events(found: Sequence[StoredEvent]) -> None:
    """Print events as a table, of each text the beginning, or how to have some."""
    if not found:
        note("No such event is kept. 'tx transcript:ingest FILE|DIR' reads transcripts.")
        return
    rows = [
        (
            str(stored.run),
            (stored.event.at or "")[:16].replace("T", " "),
            f"{stored.event.kind.value}{' ✗' if stored.event.failed else ''}",
            shortened(stored.event.tool or "", 20),
            shortened(stored.event.text.strip(), reading_width()),
        )
        for stored in found
    ]
    print_table(("run", "at", "kind", "tool", "text"), rows, right=("run",))


def _ending(path: str) -> str:
    return path if len(path) <= _PLACE else f"…{path[1 - _PLACE :]}"
