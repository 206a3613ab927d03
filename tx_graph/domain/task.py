"""Tasks: pieces of work, as people name them and as they stand in one database."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tx_graph.domain.edges import NodeId
from tx_graph.domain.learning import clean_label
from tx_graph.domain.references import NodeKind, parse_reference
from tx_graph.errors import UsageError

DESCRIPTION_LIMIT = 100_000
"""Bytes of UTF-8 that a description may hold."""


class TaskStatus(StrEnum):
    """Whether a task is still to be done."""

    OPEN = "open"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A piece of work. `id` is its local number, `external_id` what a tracker calls it, such as `GH-123`."""

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
    def name(self) -> str:
        """What to call it in a text that others read: the tracker's name where it has one."""
        return self.external_id or self.ref

    @property
    def status(self) -> TaskStatus:
        """Whether it is still to be done."""
        return TaskStatus.DONE if self.done_at else TaskStatus.OPEN


def clean_title(text: str) -> str:
    """Return a title without white space around it.

    Raises:
        UsageError: It is empty, longer than 200 characters, or has a line break or control character.
    """
    return clean_label(text, what="title")


def clean_description(text: str) -> str:
    """Return a description with Unix line ends and no white space around it; it may be empty.

    Raises:
        UsageError: It has a NUL byte or text that is not Unicode, or is over the limit.
    """
    cleaned = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if "\0" in cleaned:
        raise UsageError("The description has a NUL byte; a description is text.")
    try:
        size = len(cleaned.encode())
    except UnicodeEncodeError:
        raise UsageError("The description is not valid UTF-8.", hint="Convert it to UTF-8 first.") from None
    if size > DESCRIPTION_LIMIT:
        raise UsageError(f"The description has {size:,} bytes; a task holds at most {DESCRIPTION_LIMIT:,}.")
    return cleaned


def clean_external_id(text: str) -> str:
    """Return what a tracker calls a task, without white space around it.

    Raises:
        UsageError: It is no single word of printable characters, or it would be taken for something else: a local
            number, or a reference such as `run:9`.
    """
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
