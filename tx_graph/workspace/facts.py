"""Use cases about facts and entities."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.workspace.shared import Shared

if TYPE_CHECKING:
    from tx_graph.domain.edges import NodeId
    from tx_graph.services.facts import Entities, Facts, Maintaining
    from tx_graph.services.facts.lookup import Lookup


class FactUseCases(Shared):
    """Facts and entities."""

    @cached_property
    def facts(self) -> Facts:
        """Facts one at a time."""
        from tx_graph.services.facts import Facts

        return Facts(
            store=self._stores.facts,
            sync=self._fact_sync,
            lookup=self._lookup,
            single_valued=self.config.texts("facts.single_valued"),
            embed=self._embed_entities,
            clock=self._clock,
        )

    @cached_property
    def fact_life(self) -> Maintaining:
        """What becomes of facts."""
        from tx_graph.services.facts import Maintaining

        return Maintaining(store=self._stores.facts, sync=self._fact_sync, facts=self.facts, clock=self._clock)

    @cached_property
    def entities(self) -> Entities:
        """What facts are about."""
        from tx_graph.services.facts import Entities

        return Entities(
            store=self._stores.entities,
            facts=self._stores.facts,
            sync=self._entity_sync,
            lookup=self._lookup,
            embed=self._embed_entities,
            clock=self._clock,
        )

    @cached_property
    def _lookup(self) -> Lookup:
        from tx_graph.services.facts.lookup import Lookup

        return Lookup(facts=self._stores.facts, entities=self._stores.entities, tree=self._checkout.tree)

    def _embed_entities(self, nodes: Collection[NodeId]) -> None:
        """Give entities their vectors where there is a model."""
        if nodes:
            self.embedding.embed_entities(nodes)
