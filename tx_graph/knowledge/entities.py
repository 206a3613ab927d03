"""Facts about entities, and the entities: what people and agents say of them, and what becomes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from tx_graph.core.errors import TxError, UsageError
from tx_graph.core.labels import checked_limit
from tx_graph.core.ports import Clock
from tx_graph.core.uids import fresh_uid
from tx_graph.core.working_tree import iso
from tx_graph.graph.edges import NodeId
from tx_graph.knowledge.entity import (
    DEFAULT_TYPE,
    Entity,
    StoredEntity,
    clean_aliases,
    clean_name,
    clean_type,
    entity_key,
)
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import StoredFact
from tx_graph.knowledge.fact_store import FactFilter, FactStore
from tx_graph.knowledge.lookup import Lookup
from tx_graph.knowledge.records import record_description
from tx_graph.records.seen_store import Kept
from tx_graph.records.sync import RecordSync


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityShown:
    """An entity with the live facts about it, and those about others that name it."""

    entity: StoredEntity
    facts: tuple[StoredFact, ...]
    named_by: tuple[StoredFact, ...]


class Entities:
    """Everything one does to entities; `embed` gives them their vectors where there is a model."""

    def __init__(
        self,
        *,
        store: EntityStore,
        facts: FactStore,
        sync: RecordSync[Entity],
        lookup: Lookup,
        embed: Callable[[Collection[NodeId]], None],
        clock: Clock,
        randomness: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._store = store
        self._facts = facts
        self._sync = sync
        self._lookup = lookup
        self._embed = embed
        self._clock = clock
        self._randomness = randomness

    def show(self, name: str) -> EntityShown:
        """Return an entity with its facts.

        Raises:
            NotFound: No entity has this name.
        """
        entity = self._lookup.entity(name)
        about = self._facts.listed(FactFilter(about=entity.node), limit=-1)
        return EntityShown(
            entity=entity,
            facts=tuple(one for one in about if one.subject == entity.node),
            named_by=tuple(one for one in about if one.subject != entity.node),
        )

    def listed(self, *, type: str | None, limit: int) -> list[StoredEntity]:
        """Return entities, of one type if asked, those with most facts first.

        Raises:
            UsageError: The type is none, or the limit not from 1 to 10,000.
        """
        return self._store.listed(type=clean_type(type) if type is not None else None, limit=checked_limit(limit))

    def describe(self, name: str, *, type: str | None = None, description: str | None = None) -> StoredEntity:
        """Say of which type an entity is, or what it is; one that nobody has spoken of comes to be.

        Raises:
            UsageError: The name, type or description is none.
            StorageError: The record or the database cannot be written.
        """
        with self._sync.exclusively():
            kept, entity = self._recorded(name)
            changed = replace(
                entity,
                type=clean_type(type) if type is not None else entity.type,
                description=record_description(description) if description is not None else entity.description,
            )
            self._write(changed, kept)
        return self._now(changed.name)

    def alias(self, name: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> StoredEntity:
        """Give an entity other names, or take some away; one that was merged into it is one of its own again.

        Raises:
            NotFound: No entity has this name, or it does not have one of the names to be taken away.
            UsageError: A name is empty or too long, or that of another entity.
            StorageError: The record or the database cannot be written.
        """
        with self._sync.exclusively():
            known = self._lookup.entity(name)
            kept, entity = self._recorded(known.name)
            self._check_free(add, known)
            gone = {entity_key(clean_name(alias)) for alias in remove}
            self._check_had(gone, known, entity)
            self._part(gone)
            names = [alias for alias in (*entity.aliases, *add) if entity_key(alias) not in gone]
            self._write(replace(entity, aliases=clean_aliases(names, name=entity.name)), kept)
        return self._now(known.name)

    def _check_free(self, aliases: Sequence[str], entity: StoredEntity) -> None:
        for alias in aliases:
            other = self._store.named(clean_name(alias))
            if other is not None and other.node != entity.node:
                raise UsageError(
                    f"'{alias}' is the name of another entity, {other.name}.",
                    hint=f"To make them one: tx entity:merge '{other.name}' '{entity.name}'",
                )

    def _part(self, names: Collection[str]) -> None:
        """Take back that entities of these names were merged into another."""
        for kept in self._store.every_kept():
            if kept.thing.merged_into is not None and entity_key(kept.thing.name) in names:
                self._sync.write(replace(kept.thing, merged_into=None), record=kept.record)

    def _check_had(self, gone: set[str], known: StoredEntity, entity: Entity) -> None:
        lacking = gone - {entity_key(alias) for alias in entity.aliases}
        if lacking:
            names = ", ".join(entity.aliases) or "none"
            raise UsageError(
                f"No record gives {known.name} the name '{min(lacking)}'.",
                hint=f"Names that its record gives: {names}.",
            )

    def merge(self, name: str, into: str) -> StoredEntity:
        """Let one entity be another: all its names and facts become the other's.

        Raises:
            NotFound: One of them does not exist.
            UsageError: They are one already.
            StorageError: A record or the database cannot be written.
        """
        with self._sync.exclusively():
            gone, stays = self._lookup.entity(name), self._lookup.entity(into)
            if gone.node == stays.node:
                raise UsageError(f"'{name}' and '{into}' are one entity already, {stays.name}.")
            for kept in self._store.kept_as(gone.name):
                self._sync.write(replace(kept.thing, merged_into=stays.name), record=kept.record)
            kept_stays, entity = self._recorded(stays.name)
            names = clean_aliases([*entity.aliases, gone.name, *gone.aliases], name=entity.name)
            self._write(replace(entity, aliases=names), kept_stays)
        return self._now(stays.name)

    def embedded(self, entity: StoredEntity) -> str:
        """Give an entity that changed its vector where there is a model; return why that failed, if it did."""
        try:
            self._embed([entity.node])
        except TxError as error:  # the entity is saved: whatever fails now is no failure to change it
            return f"It has no vector yet: {error.message} {error.hint}".rstrip()
        return ""

    def _recorded(self, name: str) -> tuple[Kept[Entity] | None, Entity]:
        """Return the record of the entity that a name means, and what it says; a new one where there is none."""
        known = self._store.named(self._lookup.name(name))
        own = known.name if known else self._lookup.name(name)
        standing = [kept for kept in self._store.kept_as(own) if kept.thing.merged_into is None]
        if standing:
            return standing[0], standing[0].thing
        kind = known.type if known else DEFAULT_TYPE
        return None, Entity(
            uid=fresh_uid(self._randomness, is_taken=self._store.kept),
            name=own,
            type=kind,
            created_at=iso(self._clock.now()),
        )

    def _write(self, entity: Entity, kept: Kept[Entity] | None) -> None:
        if kept is None or kept.thing != entity:
            self._sync.write(entity, record=kept.record if kept else None)

    def _now(self, name: str) -> StoredEntity:
        entity = self._lookup.entity(name)
        self.embedded(entity)  # whoever wants to know why that failed asks again
        return entity
