"""Finds the facts and entities that people name; what is unknown is an error that names the nearest."""

from __future__ import annotations

import re

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import MINIMUM_PREFIX, excerpt, nearest
from tx_graph.graph.references import Lookup as NodeLookup
from tx_graph.graph.references import Node, NodeKind, Reference
from tx_graph.knowledge.entity import EntityName, StoredEntity, clean_name, entity_key
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import StoredFact
from tx_graph.knowledge.fact_store import FactStore

_NUMBER = re.compile(r"(?:fact:)?(\d{1,18})", re.ASCII)
_NEAREST = 3


class Lookup:
    """Turns what people write into facts and entities."""

    def __init__(self, kernel: Kernel) -> None:
        self._facts = FactStore(kernel.database)
        self._entities = EntityStore(kernel.database)
        self._tree = kernel.checkout.tree

    def fact(self, named: Ref) -> StoredFact:
        """Return the fact with this local number (`12`, `fact:12`), uid or unique uid prefix."""
        ref = ref_of(named)
        prefix = ref.strip().removeprefix("fact:").lower()
        if number := _NUMBER.fullmatch(ref.strip()):
            found = self._facts.by_numbers([int(number[1])])
        else:
            found = self._facts.by_uid_prefix(prefix) if len(prefix) >= MINIMUM_PREFIX else []
        if len(found) == 1:
            return found[0]
        if found:
            labels = [(one.id, one.fact.uid, f"{one.subject_name} {one.fact.predicate}: {one.told}") for one in found]
            raise NotFound(f"'{ref}' begins several uids.", candidates=_candidates(labels))
        labels = nearest(self._facts.labels(), ref.removeprefix("fact:"), most=_NEAREST)
        raise NotFound(f"There is no fact '{ref}'.", candidates=_candidates(labels), hint="See 'tx fact:list --past'.")

    def entity(self, named: EntityName) -> StoredEntity:
        """Return the entity that a name, another of its names or `entity:NAME` means."""
        name = self.name(named)
        if found := self._entities.named(name):
            return found
        raise NotFound(
            f"There is no entity '{name}'.",
            candidates=self._entities.like(name, limit=_NEAREST),
            hint="See 'tx entity:list'.",
        )

    def key(self, name: str) -> str:
        """Return by what the entity that a name means is recognised, be it known or new."""
        found = self._entities.named(name)
        return found.key if found else entity_key(name)

    def name(self, named: EntityName) -> str:
        """Return the name of an entity, known or new; the path of a file as the repository has it."""
        name = clean_name(named if isinstance(named, str) else named.name)
        if self._entities.named(name) is not None:
            return name
        try:
            path = self._tree.existing(name)
        except UsageError:  # it leads out of the repository: so it is no file of it
            return name
        return path if path is not None and path != "." and not self._tree.is_directory(path) else name


class EntityLookup(NodeLookup):
    """Finds entities by their own names and others, for the graph."""

    def __init__(self, kernel: Kernel) -> None:
        self._entities = EntityStore(kernel.database)

    def nodes(self, reference: Reference) -> list[Node]:
        """Return the entity that goes by this name."""
        entity = self._entities.named(reference.text)
        return [] if entity is None else [Node(kind=NodeKind.ENTITY, key=entity.key, ref=entity.ref, id=entity.node)]

    def nearest(self, text: str) -> list[str]:
        """Return the entities that are called most like it."""
        return [f"{NodeKind.ENTITY}:{name}" for name in self._entities.like(text, limit=5)]

    def text(self, ref: str) -> str:
        """Return what an entity is, where anybody said so."""
        entity = self._entities.named(ref.partition(":")[2])
        return f"{entity.name}: {entity.description}" if entity and entity.description else ""


def _candidates(labels: list[tuple[int, str, str]]) -> list[str]:
    return [f"{number} ({uid}) {excerpt(text)}" for number, uid, text in labels]
