"""What reading a long session of an agent costs: all of it, what is new of it, and nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.benchmarks import transcript_data
from scripts.benchmarks.report import Quantity, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import timed
from scripts.opened import open_workspace
from tx_graph.work.transcripts import IngestReport, Transcripts
from tx_graph.workspace import prepare

_MEGABYTES = 50
_LARGER = 200
_APPENDED = 0.1
_BUDGET = at_most(10_000, "ms")
_MEMORY_BUDGET = at_most(250, "MB")
_MEGABYTE = 1_000_000


def rows(settings: Settings) -> Iterator[Row]:
    """Yield reading a session of 50 MB, reading it again, and the memory for it and for one of 200 MB."""
    with settings.workdir.temporary() as directory:
        root, transcript = directory / "project", directory / "session.jsonl"
        prepare_root(root)
        keys = transcript_data.write(transcript, megabytes=_MEGABYTES, cwd=root)
        with open_workspace(root) as workspace:
            reports: list[IngestReport] = []

            def read() -> None:
                reports.append(workspace.kernel.one(Transcripts).ingest(str(transcript), keep="5000w"))

            walls = [timed(read), timed(read)]
            _append(transcript, directory, root)
            walls.append(timed(read))
        told = reports[0].files[0]
        note = f"{told.lines:,} lines, {told.events:,} events, {told.redacted} secrets for {keys} keys"
        name = f"transcript:ingest, {_MEGABYTES} MB"
        yield Row(what=name, measured=ms(walls[0]), budget=_BUDGET, note=note)
        yield Row(what=f"{name}, nothing new", measured=ms(walls[1]))
        yield Row(
            what=f"{name}, {_APPENDED:g} MB appended", measured=ms(walls[2]), note=f"{reports[2].files[0].lines} lines"
        )
        for megabytes in (_MEGABYTES, _LARGER):
            yield _memory(directory / f"{megabytes}", megabytes)


def prepare_root(root: Path) -> None:
    """Make an empty workspace."""
    root.mkdir(parents=True)
    prepare(root)


def _append(transcript: Path, directory: Path, root: Path) -> None:
    more = directory / "more.jsonl"
    transcript_data.write(more, megabytes=_APPENDED, cwd=root)
    with transcript.open("ab") as file:
        file.write(more.read_bytes())


def _memory(directory: Path, megabytes: int) -> Row:
    root, transcript = directory / "project", directory / "session.jsonl"
    prepare_root(root)
    transcript_data.write(transcript, megabytes=megabytes, cwd=root)
    command = [sys.executable, "-m", "scripts.benchmarks.transcript_memory", str(root), str(transcript)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    peak = Quantity(value=int(done.stdout) / _MEGABYTE, unit="MB")
    return Row(what=f"transcript:ingest, {megabytes} MB, memory", measured=peak, budget=_MEMORY_BUDGET, note="peak")
