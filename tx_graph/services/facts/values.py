"""What the use cases about facts take and give."""

from __future__ import annotations

from dataclasses import dataclass

from tx_graph.domain.fact import FactSource, FactStatus, StoredFact


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDraft:
    """A fact somebody wants to add; nothing is checked yet. Exactly one of `object` and `value` is to be given."""

    subject: str
    predicate: str
    object: str | None = None
    value: str | None = None
    confidence: float = 1.0
    source: FactSource = FactSource.USER_EDIT
    source_ref: str | None = None
    status: FactStatus = FactStatus.STAGED


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What adding did: the fact, whether it was known, what it superseded, and what contradicts it.

    `revived` says that the same was said before and had ceased to hold; of that time the old fact tells.
    """

    stored: StoredFact
    existed: bool = False
    revived: bool = False
    superseded: tuple[StoredFact, ...] = ()
    conflicting: tuple[StoredFact, ...] = ()
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A fact with how much it counts now, from 0 on."""

    stored: StoredFact
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FactQuery:
    """Which facts to list; names as people write them, `as_of` a day or a time. `about` takes objects in, too."""

    subject: str | None = None
    about: str | None = None
    predicate: str | None = None
    status: FactStatus | None = None
    source: FactSource | None = None
    as_of: str | None = None
    past: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Live facts that give one entity several values for a predicate that takes one; the best first."""

    subject: str
    predicate: str
    facts: tuple[Scored, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintained:
    """What maintenance did, or would do: which facts were promoted and which retracted, of how many looked at."""

    promoted: tuple[Scored, ...]
    retracted: tuple[Scored, ...]
    looked_at: int
