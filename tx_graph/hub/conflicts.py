"""Where repositories claim the same fact differently, as the hub knows them."""

from __future__ import annotations

from itertools import groupby
from typing import ClassVar

from tx_graph.core.dataclass import dataclass
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer
from tx_graph.hub.repository_store import RepositoryStore
from tx_graph.hub.search_store import TextStore
from tx_graph.hub.store import Hub, address_of
from tx_graph.knowledge.facts import single_valued


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Answer):
    """What one repository says, as of the commit that the hub has of it; `age` is how long ago that was made."""

    JSON: ClassVar = "repository commit age ref told confidence"

    repository: str
    commit: str
    age: str
    ref: str
    told: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement(Answer):
    """Claims that give one entity several values for a predicate that takes one, the most confident first."""

    JSON: ClassVar = "subject predicate claims"

    subject: str
    predicate: str
    claims: tuple[Claim, ...]


def conflicts(kernel: Kernel) -> tuple[Disagreement, ...]:
    """Show which facts repositories claim differently, as of the commits that the hub has of them.

    Which predicates take one value is the setting facts.single_valued. What contradicts itself in one repository,
    fact:conflicts shows there.

    Example:
      tx hub:conflicts
    """
    with Hub(address_of(kernel)).prepared() as hub, hub.transaction(is_reading=True):
        rows = TextStore(hub).conflicting(sorted(single_valued(kernel)))
        origins = RepositoryStore(hub).publications({row.repository for row in rows})
    return tuple(
        Disagreement(
            subject=those[0].subject_name,
            predicate=predicate,
            claims=tuple(
                Claim(
                    repository=origins[row.repository].name,
                    commit=origins[row.repository].commit,
                    age=origins[row.repository].age(kernel.clock.now()),
                    ref=f"fact:{row.uid}",
                    told=row.told,
                    confidence=row.confidence,
                )
                for row in those
            ),
        )
        for (_, predicate), group in groupby(rows, key=lambda row: row[:2])
        for those in [list(group)]
    )
