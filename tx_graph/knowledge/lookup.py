"""Finds the facts and entities that people name; what is unknown is an error that names the nearest."""

from __future__ import annotations

import re

from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.uids import MINIMUM_PREFIX
from tx_graph.core.working_tree import WorkingTree
from tx_graph.graph.resolving import excerpt, nearest
from tx_graph.knowledge.entity import StoredEntity, clean_name
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import StoredFact
from tx_graph.knowledge.fact_store import FactStore

_NUMBER = re.compile(r"(?:fact:)?(\d{1,18})", re.ASCII)
_NEAREST = 3


class Lookup:
    """Turns what people write into facts and entities."""

    def __init__(self, *, facts: FactStore, entities: EntityStore, tree: WorkingTree) -> None:
        self._facts = facts
        self._entities = entities
        self._tree = tree

    def fact(self, ref: str) -> StoredFact:
        """Return the fact with this local number (`12`, `fact:12`), uid or unique uid prefix.

        Raises:
            NotFound: There is none, or several begin like it.
        """
        found = self._named(ref.strip())
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFound(f"'{ref}' begins several uids.", candidates=[_label(one) for one in found])
        raise NotFound(f"There is no fact '{ref}'.", candidates=self._nearest(ref), hint="See 'tx fact:list --past'.")

    def _named(self, ref: str) -> list[StoredFact]:
        if number := _NUMBER.fullmatch(ref):
            return self._facts.by_numbers([int(number[1])])
        prefix = ref.removeprefix("fact:").lower()
        return self._facts.by_uid_prefix(prefix) if len(prefix) >= MINIMUM_PREFIX else []

    def _nearest(self, ref: str) -> list[str]:
        labels = nearest(self._facts.labels(), ref.removeprefix("fact:"), most=_NEAREST)
        return [f"{number} ({uid}) {excerpt(text)}" for number, uid, text in labels]

    def entity(self, name: str) -> StoredEntity:
        """Return the entity that a name, another of its names or `entity:NAME` means.

        Raises:
            NotFound: There is none; those that are called most like it are named.
        """
        cleaned = self.name(name)
        if found := self._entities.named(cleaned):
            return found
        raise NotFound(
            f"There is no entity '{cleaned}'.",
            candidates=self._entities.like(cleaned, limit=_NEAREST),
            hint="See 'tx entity:list'.",
        )

    def known(self, name: str) -> StoredEntity | None:
        """Return the entity that a name means, None if there is none."""
        return self._entities.named(name)

    def name(self, text: str) -> str:
        """Return the name of an entity, known or new; the path of a file as the repository has it.

        Raises:
            UsageError: It is empty, too long, or has a line break or control character.
        """
        cleaned = clean_name(text)
        if self._entities.named(cleaned) is not None:
            return cleaned
        try:
            path = self._tree.existing(cleaned)
        except UsageError:  # it leads out of the repository: so it is no file of it
            return cleaned
        return path if path is not None and path != "." and not self._tree.is_directory(path) else cleaned


def _label(stored: StoredFact) -> str:
    told = f"{stored.subject_name} {stored.fact.predicate}: {stored.told}"
    return f"{stored.id} ({stored.fact.uid}) {excerpt(told)}"
