"""How the records of each kind are kept equal to the database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tx_graph.core.kernel import Kernel
from tx_graph.core.layout import ENTITIES, FACTS, LEARNINGS
from tx_graph.core.stores import Stores
from tx_graph.knowledge.entity import Entity
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import Fact
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.mentions import Mentions
from tx_graph.knowledge.records import ENTITY_FORMAT, FACT_FORMAT
from tx_graph.records.front_matter import RecordFormat
from tx_graph.records.learning import Learning
from tx_graph.records.learning_record import LEARNING_FORMAT
from tx_graph.records.learning_store import LearningStore
from tx_graph.records.seen_store import Shelf
from tx_graph.records.sync import AllRecords, RecordSync
from tx_graph.records.watch import KINDS

T = TypeVar("T")


def learning_sync(kernel: Kernel) -> RecordSync[Learning]:
    """Return what keeps learnings and their records equal."""
    return _sync(kernel, LearningStore(kernel.database), LEARNING_FORMAT)


def fact_sync(kernel: Kernel) -> RecordSync[Fact]:
    """Return what keeps facts and their records equal."""
    return _sync(kernel, FactStore(kernel.database), FACT_FORMAT)


def entity_sync(kernel: Kernel) -> RecordSync[Entity]:
    """Return what keeps entities and their records equal."""
    return _sync(kernel, EntityStore(kernel.database), ENTITY_FORMAT)


def all_records(kernel: Kernel) -> AllRecords:
    """Return the records of every kind together."""
    makers: dict[str, Callable[[Kernel], RecordSync[Any]]] = {
        ENTITIES: entity_sync,
        FACTS: fact_sync,
        LEARNINGS: learning_sync,
    }
    return AllRecords(kinds={kind: kernel.one(makers[kind]) for kind in KINDS})


def _sync(kernel: Kernel, shelf: Shelf[T], form: RecordFormat[T]) -> RecordSync[T]:
    def follow_mentions() -> None:
        """Let mentions follow what was written. Needs a transaction."""
        stores = Stores(kernel.database)
        if not stores.mentions.is_current():
            Mentions(stores).refresh()

    return RecordSync(kernel, shelf, form, settled=follow_mentions)
