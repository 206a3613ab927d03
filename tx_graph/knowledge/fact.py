"""How much a fact counts (JACQ's ADR 3): confidence, source, age, use and confirmation, multiplied."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, ClassVar

from tx_graph.core.dataclass import dataclass, fields
from tx_graph.core.errors import UsageError
from tx_graph.core.place import DIRECTORY, FACTS
from tx_graph.core.settings import SETTINGS
from tx_graph.core.shape import Answer
from tx_graph.graph.edges import NodeId

VALUE_LIMIT = 10_000
"""Characters of a literal value; more is a learning or a document."""


class FactStatus(StrEnum):
    """Where a fact stands in its life. Staged and confirmed ones are live; of the others only history tells."""

    STAGED = "staged"
    CONFIRMED = "confirmed"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"


LIVE = (FactStatus.STAGED, FactStatus.CONFIRMED)


class FactSource(StrEnum):
    """Who says so; the more trusted first."""

    USER_EDIT = "user_edit"
    FILE = "file"
    SYSTEM = "system"
    CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactWeights:
    """The numbers in the score of a fact, as the settings have them (JACQ's ADR 3 by default)."""

    user_edit: float
    file: float
    system: float
    conversation: float
    decay: float
    grace_weeks: float
    usage: float
    confirmed: float
    faded_below: float

    def trust(self, source: FactSource) -> float:
        """Return how much a source counts."""
        found: float = getattr(self, source)
        return found

    def freshness(self, age: timedelta) -> float:
        """Return what an age leaves of a fact, in (0, 1]; the future counts as now."""
        weeks = max(age, timedelta()) / _WEEK
        return float(self.decay ** max(weeks - self.grace_weeks, 0.0))


def fact_weights(value_of: Callable[[str], Any] = lambda key: SETTINGS[key].default) -> FactWeights:
    """Return the weights that these settings have, the defaults where none are given."""
    return FactWeights(**{one.name: float(value_of(f"facts.{one.name}")) for one in fields(FactWeights)})


_STANDARD = fact_weights()
_WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A statement as its record, or the document that makes it, has it.

    `subject` and `object` are names of entities; exactly one of `object` and `value` is there. `source_ref` is the
    place that says so, such as `docs/adr/003.md#decision`. Times are UTC in ISO 8601; `valid_until` is when it
    ceased to hold, `superseded_by` the uid of the fact that took its place; `faded_at` is the same as `valid_until`
    where nothing but its age retracted it. `source_print` are the fingerprints of a section or symbol that says so, as
    `name=value`, from when somebody last vouched for the fact. `confidence` lies in [0, 1].
    """

    uid: str
    subject: str
    predicate: str
    created_at: str
    object: str | None = None
    value: str | None = None
    confidence: float = 1.0
    status: FactStatus = FactStatus.STAGED
    source: FactSource = FactSource.USER_EDIT
    source_ref: str | None = None
    source_print: str | None = None
    valid_until: str | None = None
    superseded_by: str | None = None
    faded_at: str | None = None

    @property
    def is_live(self) -> bool:
        """Whether it counts now."""
        return self.status in LIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFact(Answer):
    """A fact with its place in this database.

    `subject` and `object` are the nodes of its entities, with their names now. `record` is the name of its file, None
    for one that only a document makes; `section` is the node of the section that says so now. `accesses` counts how
    often it was recalled here, last at `last_accessed_at`. One that is `private` is known here alone.
    """

    JSON: ClassVar = (
        "id uid=fact.uid node=fact.uid@fact ref subject=subject_name predicate=fact.predicate object=object_name "
        "value=fact.value confidence=fact.confidence status=fact.status source=fact.source "
        "source_ref=fact.source_ref created_at=fact.created_at valid_until=fact.valid_until "
        "superseded_by=fact.superseded_by access_count=accesses last_accessed_at record=path "
        "private"
    )

    id: int
    fact: Fact
    subject: NodeId
    subject_name: str
    object: NodeId | None = None
    object_name: str | None = None
    record: str | None = None
    section: NodeId | None = None
    accesses: int = 0
    last_accessed_at: str | None = None
    private: bool = False

    @property
    def ref(self) -> str:
        """How commands name it, `fact:12`."""
        return f"fact:{self.id}"

    @property
    def path(self) -> str | None:
        """The path of its record, None for one that only a document makes."""
        return f"{DIRECTORY}/{FACTS}/{self.record}" if self.record else None

    @property
    def told(self) -> str:
        """What it says of its subject: the literal value, or the name of the object."""
        return self.fact.value if self.fact.value is not None else self.object_name or self.fact.object or ""


def clean_value(text: str) -> str:
    """Return a literal value without white space around it."""
    cleaned = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not cleaned:
        raise UsageError("The value is empty.")
    if len(cleaned) > VALUE_LIMIT:
        raise UsageError(f"The value has {len(cleaned):,} characters; a fact holds at most {VALUE_LIMIT:,}.")
    if "\0" in cleaned or cleaned.encode("utf-8", "ignore").decode() != cleaned:
        raise UsageError("The value is not valid UTF-8 text.")
    return cleaned


def fact_score(
    fact: Fact, *, accesses: int, last_accessed_at: str | None, now: datetime, weights: FactWeights = _STANDARD
) -> float:
    """Return how much a fact counts now, from 0 on; only to compare with others.

    confidence × source (2.0 user_edit, 1.5 file, 1.2 system, 1.0 conversation) × 0.95 for each week, in fractions,
    after the first since it was last accessed, or else made × (1 + 0.5 · log10(accesses + 1)) × 1.2 if confirmed.
    These are the numbers unless the settings say others.
    """
    since = datetime.fromisoformat(last_accessed_at or fact.created_at)
    confirmed = weights.confirmed if fact.status is FactStatus.CONFIRMED else 1.0
    use = 1 + weights.usage * math.log10(accesses + 1)
    return fact.confidence * weights.trust(fact.source) * weights.freshness(now - since) * use * confirmed


def fades_at(fact: Fact, *, weights: FactWeights = _STANDARD) -> datetime:
    """Return when a fact that nobody confirms or recalls has faded: the same on every machine."""
    weight, least = fact.confidence * weights.trust(fact.source), weights.faded_below
    weeks = weights.grace_weeks + math.log(least / weight) / math.log(weights.decay) if weight > least else 0.0
    return datetime.fromisoformat(fact.created_at) + weeks * _WEEK
