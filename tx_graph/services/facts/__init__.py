"""Facts about entities, and the entities: what people and agents say of them, and what becomes of it."""

from tx_graph.services.facts.entities import Entities, EntityShown
from tx_graph.services.facts.facts import Facts
from tx_graph.services.facts.maintaining import Maintaining
from tx_graph.services.facts.values import Added, Conflict, FactDraft, FactQuery, Maintained

__all__ = [
    "Added",
    "Conflict",
    "Entities",
    "EntityShown",
    "FactDraft",
    "FactQuery",
    "Facts",
    "Maintained",
    "Maintaining",
]
