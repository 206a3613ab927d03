"""What there is in work: tasks, runs, what helped in them, and what agents did; and the rules for their texts."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.core.labels import clean_label
from tx_graph.core.shape import Answer
from tx_graph.graph.references import NodeKind, parse_reference

if TYPE_CHECKING:
    from tx_graph.graph.edges import NodeId
    from tx_graph.records.learning import StoredLearning
    from tx_graph.work.telemetry_store import TranscriptTally


DESCRIPTION_LIMIT = 100_000
"""Bytes of UTF-8 that a description may hold."""
TRANSCRIPT_LIMIT = 10_000_000
"""Bytes of UTF-8 that a transcript may hold: a long day of an agent has about a tenth of it."""


class TaskStatus(StrEnum):
    """Whether a task is still to be done."""

    OPEN = "open"
    DONE = "done"


class Outcome(StrEnum):
    """How a run ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Answer):
    """A piece of work. `id` is its local number, `external_id` what a tracker calls it, such as `GH-123`."""

    JSON: ClassVar = "id node=id@task ref title description external_id status created_at updated_at done_at"

    id: int
    node: NodeId
    title: str
    created_at: str
    updated_at: str
    description: str = ""
    external_id: str | None = None
    done_at: str | None = None

    @property
    def ref(self) -> str:
        """The explicit reference, `task:7`."""
        return f"{NodeKind.TASK}:{self.id}"

    @property
    def label(self) -> str:
        """What names it in a line: `7 (GH-123) Repair the login`."""
        return f"{self.id}{f' ({self.external_id})' if self.external_id else ''} {self.title}"

    @property
    def name(self) -> str:
        """What to call it in a text that others read: the tracker's name where it has one."""
        return self.external_id or self.ref

    @property
    def status(self) -> TaskStatus:
        """Whether it is still to be done."""
        return TaskStatus.DONE if self.done_at else TaskStatus.OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Answer):
    """One attempt at some work. `id` is its local number; it has no outcome while it goes on.

    `transcript_bytes` is the size of what was said and done, None when that was not stored.
    """

    JSON: ClassVar = "id node=id@run ref task agent outcome started_at finished_at transcript_bytes"

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
    def label(self) -> str:
        """What names it in a line: `9 failed, for task 7 (GH-123) Repair the login`."""
        return f"{self.id} {self.outcome or 'running'}{f', {self.purpose}' if self.task else ''}"

    @property
    def purpose(self) -> str:
        """What it is for, as part of a sentence; empty where nobody said."""
        return f"for task {self.task.label}" if self.task else ""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedLearning:
    """A learning and what the runs for one task had of it: newest run first."""

    JSON: ClassVar = "*stored runs helpful unhelpful"

    stored: StoredLearning
    uses: tuple[Use, ...]

    @property
    def runs(self) -> list[int]:
        """The numbers of the runs."""
        return [use.run for use in self.uses]

    @property
    def helpful(self) -> int:
        """In how many of the runs it helped."""
        return sum(use.helpful is True for use in self.uses)

    @property
    def unhelpful(self) -> int:
        """In how many of the runs it did not help."""
        return sum(use.helpful is False for use in self.uses)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskShown(Answer):
    """A task with its runs, newest first, what was learned in it, and which learnings its runs used."""

    JSON: ClassVar = "*task runs derived used"

    task: Task
    runs: tuple[Run, ...]
    derived: tuple[StoredLearning, ...]
    used: tuple[UsedLearning, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(Answer):
    """A run that has ended; `existed` when it had ended just so before."""

    JSON: ClassVar = "*run existed"

    run: Run
    existed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UseInRun:
    """A learning and what a run had of it."""

    JSON: ClassVar = "*stored position=use.position score=use.score times_shown=use.times helpful=use.helpful"

    stored: StoredLearning
    use: Use


@dataclass(frozen=True, slots=True, kw_only=True)
class RunShown(Answer):
    """A run with the learnings it used, in the order in which they were shown, and those that were made in it.

    `telemetry` is what is kept of the session that it was read from.
    """

    JSON: ClassVar = "*run used derived telemetry"

    run: Run
    used: tuple[UseInRun, ...]
    derived: tuple[StoredLearning, ...]
    telemetry: TranscriptTally | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunWithTranscript(RunShown):
    """The same with what was said and done, None where that was not stored."""

    JSON: ClassVar = f"{RunShown.JSON} transcript"

    transcript: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """A vote on a learning, with the learning as it counts now; `previous` is the vote that this one replaced."""

    JSON: ClassVar = "*stored helpful previous position"

    stored: StoredLearning
    helpful: bool
    position: int | None
    previous: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback(Answer):
    """The votes that were given in one run, in the order given."""

    JSON: ClassVar = "run learnings=votes"

    run: Run
    votes: tuple[Vote, ...]


class TranscriptFormat(StrEnum):
    """Whose transcripts they are."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    PLAIN = "plain"


class EventKind(StrEnum):
    """What happened: the user or the agent said something, a tool was called, or it answered."""

    USER = "user"
    AGENT = "agent"
    CALL = "call"
    RESULT = "result"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened in a session, with all secrets taken out.

    `text` is what was said, the command or input of a call, or what came back; `call` ties a result to its call;
    `paths` are files of the repository that a call names, relative to its root; `at` is UTC in ISO 8601, None where
    the transcript does not say; `line` is that of the transcript, from 1.
    """

    kind: EventKind
    text: str
    line: int
    at: str | None = None
    tool: str | None = None
    call: str | None = None
    failed: bool = False
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent(Answer):
    """An event with its place in this database: its number and that of the run (one session) it belongs to."""

    JSON: ClassVar = (
        "id run line=event.line at=event.at kind=event.kind tool=event.tool call=event.call failed=event.failed "
        "paths=event.paths text=event.text"
    )

    id: int
    run: int
    event: Event


def clean_title(text: str) -> str:
    """Return a title without white space around it."""
    return clean_label(text, what="title")


def clean_description(text: str) -> str:
    """Return a description with Unix line ends and no white space around it; it may be empty."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if (size := _size(text, "description")) > DESCRIPTION_LIMIT:
        raise UsageError(f"The description has {size:,} bytes; a task holds at most {DESCRIPTION_LIMIT:,}.")
    return text


def clean_transcript(text: str) -> str:
    """Return a transcript with Unix line ends; it may be empty."""
    text = text.replace("\r\n", "\n")
    if (size := _size(text, "transcript")) > TRANSCRIPT_LIMIT:
        raise UsageError(
            f"The transcript has {size:,} bytes; a run holds at most {TRANSCRIPT_LIMIT:,}.",
            hint=f"Keep its end: tail -c {TRANSCRIPT_LIMIT} FILE",
        )
    return text


def _size(text: str, what: str) -> int:
    """Return how many bytes a text takes."""
    if "\0" in text:
        raise UsageError(f"The {what} has a NUL byte; a {what} is text.")
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        raise UsageError(f"The {what} is not valid UTF-8.", hint="Convert it to UTF-8 first.") from None


def clean_external_id(text: str) -> str:
    """Return what a tracker calls a task, without white space around it."""
    cleaned = clean_label(text, what="external id")
    if any(character.isspace() for character in cleaned):
        raise UsageError(f"The external id '{cleaned}' must be one word.", hint="Write it as GH-123.")
    if cleaned.isdigit():
        raise UsageError(
            f"The external id '{cleaned}' would be taken for a local number.", hint=f"Write it as GH-{cleaned}."
        )
    if parse_reference(cleaned).text != cleaned:
        raise UsageError(f"The external id '{cleaned}' would be taken for a reference.", hint="Write it as GH-123.")
    return cleaned
