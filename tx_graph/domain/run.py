"""Runs: single attempts at some work, what was shown in them, and what of it helped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.domain.task import Task
from tx_graph.errors import UsageError

TRANSCRIPT_LIMIT = 10_000_000
"""Bytes of UTF-8 that a transcript may hold: a long day of an agent has about a tenth of it."""


class Outcome(StrEnum):
    """How a run ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One attempt at some work. `id` is its local number; it has no outcome while it goes on.

    `transcript_bytes` is the size of what was said and done, None when that was not stored.
    """

    id: int
    node: NodeId
    started_at: str
    task: Task | None = None
    agent: str | None = None
    outcome: Outcome | None = None
    finished_at: str | None = None
    transcript_bytes: int | None = None

    @property
    def ref(self) -> str:
        """The explicit reference, `run:9`."""
        return f"{NodeKind.RUN}:{self.id}"

    @property
    def is_finished(self) -> bool:
        """Whether it has ended."""
        return self.outcome is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What a run had of one learning.

    `position` (from 1) and `score` are those of its first showing, None when it was never shown; `times` counts the
    showings. `helpful` is the vote, None when there is none.
    """

    run: int
    learning: NodeId
    position: int | None = None
    score: float | None = None
    times: int = 0
    helpful: bool | None = None


def clean_transcript(text: str) -> str:
    """Return a transcript with Unix line ends; it may be empty.

    Raises:
        UsageError: It has a NUL byte or text that is not Unicode, or is over the limit.
    """
    cleaned = text.replace("\r\n", "\n")
    if "\0" in cleaned:
        raise UsageError("The transcript has a NUL byte; a transcript is text.")
    try:
        size = len(cleaned.encode())
    except UnicodeEncodeError:
        raise UsageError("The transcript is not valid UTF-8.", hint="Convert it to UTF-8 first.") from None
    if size > TRANSCRIPT_LIMIT:
        raise UsageError(
            f"The transcript has {size:,} bytes; a run holds at most {TRANSCRIPT_LIMIT:,}.",
            hint=f"Keep its end: tail -c {TRANSCRIPT_LIMIT} FILE",
        )
    return cleaned
