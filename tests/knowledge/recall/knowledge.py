"""Facts made by hand, and what answers for them, for tests that need no database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count

from tx_graph.graph.edges import NodeId
from tx_graph.knowledge.fact import Fact, FactSource, FactStatus, StoredFact

CREATED = "2026-11-20T12:00:00Z"


class Knowledge:
    """Facts about named entities; each name gets its node when it first comes up. Notes each frontier it was asked."""

    def __init__(self) -> None:
        self.nodes: dict[str, NodeId] = {}
        self.facts: list[StoredFact] = []
        self.asked: list[list[str]] = []
        self._numbers = count(1)

    def node(self, name: str) -> NodeId:
        return self.nodes.setdefault(name, len(self.nodes) + 1)

    def says(
        self,
        subject: str,
        predicate: str,
        value: str = "",
        *,
        to: str | None = None,
        confidence: float = 1.0,
        status: FactStatus = FactStatus.CONFIRMED,
        source: FactSource = FactSource.CONVERSATION,
    ) -> StoredFact:
        """Add a fact with a value, or `to` another entity."""
        number = next(self._numbers)
        fact = Fact(
            uid=f"f{number}",
            subject=subject,
            predicate=predicate,
            object=to,
            value=None if to else value,
            confidence=confidence,
            status=status,
            source=source,
            created_at=CREATED,
        )
        stored = StoredFact(
            id=number,
            fact=fact,
            subject=self.node(subject),
            subject_name=subject,
            object=self.node(to) if to else None,
            object_name=to,
        )
        self.facts.append(stored)
        return stored

    def facts_of(self, entities: Collection[NodeId]) -> dict[NodeId, Sequence[StoredFact]]:
        """Answer a frontier: all facts of each entity, by confidence."""
        self.asked.append(self.names(entities))
        found = {node: [one for one in self.facts if one.subject == node] for node in entities}
        return {node: sorted(facts, key=lambda one: (-one.fact.confidence, one.id)) for node, facts in found.items()}

    def names(self, nodes: Collection[NodeId]) -> list[str]:
        names = {node: name for name, node in self.nodes.items()}
        return [names[node] for node in nodes]
