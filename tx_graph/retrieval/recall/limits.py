"""How far spreading goes, and how much of it is told."""

from __future__ import annotations

from dataclasses import dataclass

from tx_graph.errors import UsageError

MAX_HOPS = 10
_MOST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallLimits:
    """How many facts lie between an anchor and the last one told, how many are told, and how many of one entity."""

    hops: int = 2
    max_facts: int = 30
    per_entity: int = 10

    def __post_init__(self) -> None:
        """Raise UsageError for what cannot be asked."""
        if not 0 <= self.hops <= MAX_HOPS:
            raise UsageError(f"The hops must be from 0 to {MAX_HOPS}, not {self.hops}.")
        for name, number in (("most facts", self.max_facts), ("most facts of one entity", self.per_entity)):
            if not 1 <= number <= _MOST:
                raise UsageError(f"The {name} must be from 1 to {_MOST:,}, not {number}.")
