"""What recall is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tx_graph.domain.entity import StoredEntity
from tx_graph.domain.fact import FactStatus, StoredFact
from tx_graph.errors import UsageError
from tx_graph.retrieval.recall import RecallLimits

_MOST_ANCHORS = 100


class MatchedBy(StrEnum):
    """How a question led to an entity."""

    NAME = "name"
    ALIAS = "alias"
    VECTOR = "vector"
    WORDS = "words"


class FactState(StrEnum):
    """Whether the document that a fact comes from still is what was read of it, and still says so."""

    FRESH = "fresh"
    CHANGED = "changed"
    GONE = "gone"
    UNSTATED = "unstated"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """A question, and how much of an answer is wanted.

    Attributes:
        text: The question, or what somebody talks about.
        anchors: Most entities to start from.
        limits: How far to go from there, and how much to tell.
        moment: The UTC time for which the answer is to hold; None for now.
        budget: Most tokens of the narrative; None for as many as it takes.
        is_counted: Whether to count that the facts were recalled, which in time promotes them.
    """

    text: str
    anchors: int = 3
    limits: RecallLimits = field(default_factory=RecallLimits)
    moment: str | None = None
    budget: int | None = None
    is_counted: bool = True

    def __post_init__(self) -> None:
        """Raise UsageError for what cannot be asked."""
        if not self.text.strip():
            raise UsageError("The query is empty.", hint="Say what to recall, in quotes.")
        if not 1 <= self.anchors <= _MOST_ANCHORS:
            raise UsageError(f"The anchors must be from 1 to {_MOST_ANCHORS}, not {self.anchors}.")
        if self.budget is not None and self.budget < 1:
            raise UsageError(f"The budget must be at least 1 token, not {self.budget}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """An entity that the question is about, how that is known, and how well it matches, in [0, 1]."""

    entity: StoredEntity
    score: float
    matched_by: MatchedBy


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledFact:
    """A fact as it is told.

    `score` says how much it counts beside others, from 0 on; `hops` how many facts lead from an anchor to it, itself
    included. `state` is that of the document it comes from, None of what comes from none. `is_conflicting`: another
    fact says otherwise.
    """

    stored: StoredFact
    score: float
    hops: int
    state: FactState | None = None
    is_conflicting: bool = False

    @property
    def marks(self) -> tuple[str, ...]:
        """What must be said with it, so that nobody takes it for more than it is."""
        return tuple(self._marks())

    def _marks(self) -> Sequence[str]:
        fact = self.stored.fact
        place = (fact.source_ref or "").partition("#")[0]
        marks = ["staged"] if fact.status is FactStatus.STAGED else []
        marks += ["conflicting"] if self.is_conflicting else []
        marks += [f"until {fact.valid_until[:10]}"] if fact.valid_until else []
        return [*marks, *([_TOLD_STATES[self.state].format(place=place)] if self.state in _TOLD_STATES else [])]


_TOLD_STATES: dict[FactState | None, str] = {
    FactState.CHANGED: "{place} changed",
    FactState.GONE: "{place} is gone",
    FactState.UNSTATED: "{place} says so no more",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallAnswer:
    """What is recalled: where it starts, the facts that are told, best first, and their narrative in Markdown.

    `found` counts the facts that were met; `notices` are sentences for whoever asked.
    """

    query: str
    anchors: tuple[Anchor, ...]
    facts: tuple[RecalledFact, ...]
    narrative: str
    found: int
    notices: tuple[str, ...] = ()

    @property
    def omitted(self) -> int:
        """How many facts were met and are not told."""
        return self.found - len(self.facts)
