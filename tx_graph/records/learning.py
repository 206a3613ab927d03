"""Learnings: atomic knowledge, as people curate it and as it stands in one database."""

from __future__ import annotations

import math
import re
from enum import StrEnum
from typing import ClassVar

from tx_graph.core.dataclass import dataclass, field, fields
from tx_graph.core.errors import UsageError
from tx_graph.core.shape import Answer
from tx_graph.graph.edges import Relation
from tx_graph.records.anchor import Anchor

CONTENT_LIMIT = 1_000_000
"""Bytes of UTF-8 one learning may hold; more is a document, not a learning."""
_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)+")


class Status(StrEnum):
    """Where a learning stands. All but active ones are withheld from search unless asked for.

    A staged one was proposed, and nobody has confirmed it yet.
    """

    STAGED = "staged"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"


class SourceType(StrEnum):
    """Where a learning came from."""

    MANUAL = "manual"
    AGENT = "agent"
    RUN = "run"
    TASK = "task"
    DOCUMENT = "document"
    TRANSCRIPT = "transcript"
    COMMIT = "commit"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An outgoing LINKS_TO edge; `target` is the other learning's uid, `weight` lies in [0, 1]."""

    JSON: ClassVar = "target target_node=target@learning relation weight"

    target: str
    relation: Relation = Relation.REFERENCES
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """What people curate and git carries: everything a record holds.

    Times are UTC in ISO 8601 (`2026-11-20T22:00:00Z`); `confidence` lies in [0, 1]; `superseded_by` is a uid;
    `removal_reason` is why it was removed, where somebody said so.

    A field is a column of the table, a key of the record, of the JSON and of what is imported. One that holds a line
    of text, or nothing, needs only a line here and a migration.
    """

    uid: str
    content: str
    category: str | None = None
    keywords: tuple[str, ...] = ()
    status: Status = Status.ACTIVE
    confidence: float = 1.0
    source_type: SourceType = SourceType.MANUAL
    source_ref: str | None = None
    anchors: tuple[Anchor, ...] = ()
    links: tuple[Link, ...] = ()
    superseded_by: str | None = None
    created_at: str
    removed_at: str | None = None
    removal_reason: str | None = None


FIELDS = tuple(one.name for one in fields(Learning))
"""The names of all that a learning has."""
COLUMNS = tuple(name for name in FIELDS if name not in ("anchors", "links"))
"""Those that are columns of its row; anchors and links have tables of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Local history of a learning: how often it was used, and the sum of the helpfulness votes in [0, 1]."""

    count: int = 0
    helpful: float = 0.0
    last_used_at: str | None = None

    @property
    def score(self) -> float:
        """The Bayesian average of the votes, in (0, 1); 0.5 before any use (PRD-016)."""
        return (self.helpful + 1) / (self.count + 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLearning(Answer):
    """A learning with its place in this database: local number, node and usage."""

    JSON: ClassVar = (
        "id node=learning.uid@learning *learning superseded_by_node=learning.superseded_by@learning updated_at "
        "usage_count=usage.count last_used_at=usage.last_used_at feedback_score=usage.score record=place"
    )

    id: int
    node: int
    learning: Learning
    updated_at: str
    record: str
    usage: Usage = field(default_factory=Usage)

    @property
    def ref(self) -> str:
        """The explicit reference, `learning:12`."""
        return f"learning:{self.id}"

    @property
    def name(self) -> str:
        """What it is called in every clone, and then in this database: `jtphdby3nz1r (learning:12)`."""
        return f"{self.learning.uid} ({self.ref})"

    @property
    def place(self) -> str:
        """The path of its record."""
        return f".tx/learnings/{self.record}"


def clean_content(text: str) -> str:
    """Return `text` as a learning holds it: Unix line ends, no blank lines around it."""
    cleaned = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    if blank := _BLANK_LINES.match(cleaned):
        cleaned = cleaned[blank.end() :]
    if not cleaned:
        raise UsageError(
            "A learning needs content; this one is empty.", hint="Pass the text, or '-' to read it from stdin."
        )
    if "\0" in cleaned:
        raise UsageError("The content has a NUL byte; a learning is text.")
    try:
        size = len(cleaned.encode())
    except UnicodeEncodeError:
        raise UsageError("The content is not valid UTF-8.", hint="Convert it to UTF-8 first.") from None
    if size > CONTENT_LIMIT:
        raise UsageError(
            f"The content has {size:,} bytes; a learning holds at most {CONTENT_LIMIT:,}.",
            hint="Keep a learning atomic, and the long text in a document of the repository.",
        )
    return cleaned


def unit_interval(value: float, *, what: str) -> float:
    """Return `value` if it is a number in [0, 1]."""
    if not math.isfinite(value) or not 0 <= value <= 1:
        raise UsageError(f"The {what} must be a number from 0 to 1, not {value:g}.")
    return value
