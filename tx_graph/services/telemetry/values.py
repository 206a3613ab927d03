"""What reading transcripts and forgetting their events came to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tx_graph.domain.telemetry import TranscriptFormat


class Reading(StrEnum):
    """What was done with a file."""

    NEW = "new"
    CONTINUED = "continued"
    REWRITTEN = "rewritten"
    UNCHANGED = "unchanged"
    ELSEWHERE = "elsewhere"
    OLD = "old"
    SILENT = "silent"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """What was read of one file this time; `problem` says, as a sentence's end, why that is nothing.

    It was `named` itself, or found in a directory.
    Of `lines`, `unknown` ones say nothing that is known and `malformed` ones are no JSON. `expired` events are older
    than what is kept. A last line that `waits` has no end yet.
    """

    path: str
    reading: Reading
    named: bool = False
    format: TranscriptFormat | None = None
    run: int | None = None
    cwd: str | None = None
    lines: int = 0
    events: int = 0
    unknown: int = 0
    malformed: int = 0
    redacted: int = 0
    expired: int = 0
    waits: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What was read of each file, and how many events were forgotten afterwards because of their age."""

    files: tuple[FileReport, ...]
    pruned: int
    keep: str

    @property
    def refused(self) -> tuple[FileReport, ...]:
        """The files that could not be read."""
        return tuple(one for one in self.files if one.problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """How many events were forgotten, how many are left, and since when (UTC, ISO 8601)."""

    removed: int
    left: int
    since: str
