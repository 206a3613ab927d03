"""Entities, what facts are about: shown, described, given other names, made one."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from typing import Annotated, ClassVar

from tx_graph.core.arguments import Arg, Force, Limit, Reads, Ref, ref_of
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import NotFound, TxError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import DEFAULT_TYPE, MINIMUM_PREFIX, checked_limit, excerpt, fresh_uid, nearest
from tx_graph.core.shape import Answer
from tx_graph.graph.edges import NodeId
from tx_graph.graph.references import Lookup as NodeLookup
from tx_graph.graph.references import Node, NodeKind, Reference
from tx_graph.knowledge.entity import (
    COMMON_TYPES,
    Entity,
    EntityName,
    StoredEntity,
    clean_aliases,
    clean_name,
    clean_type,
    entity_key,
)
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import StoredFact
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.records import entity_sync, record_description
from tx_graph.records.seen_store import Kept
from tx_graph.vectors.embedding import Embedding

Named = Annotated[EntityName, Arg("ENTITY", "Its name, or another of its names.")]
Description = Annotated[str | None, Arg("TEXT", "More about it; '-' reads stdin, '' clears.", reads=Reads.STDIN)]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityShown(Answer):
    """An entity with the live facts about it, and those about others that name it."""

    JSON: ClassVar = "*entity facts named_by"

    entity: StoredEntity
    facts: tuple[StoredFact, ...]
    named_by: tuple[StoredFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """An entity as it is after a change; `warning` says why it has no vector, where making one failed."""

    JSON: ClassVar = "*entity"

    entity: StoredEntity
    warning: str = ""


_NUMBER = re.compile(r"(?:fact:)?(\d{1,18})", re.ASCII)
_NEAREST = 3


class Lookup(NodeLookup):
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
            problem, hint = f"'{ref}' begins several uids.", ""
            labels = [(one.id, one.fact.uid, f"{one.subject_name} {one.fact.predicate}: {one.told}") for one in found]
        else:
            problem, hint = f"There is no fact '{ref}'.", "See 'tx fact:list --past'."
            labels = nearest(self._facts.labels(), ref.removeprefix("fact:"), most=_NEAREST)
        candidates = [f"{number} ({uid}) {excerpt(text)}" for number, uid, text in labels]
        raise NotFound(problem, candidates=candidates, hint=hint)

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


class Entities:
    """What facts are about: `workspace.entities`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = EntityStore(kernel.database)
        self._sync = kernel.one(entity_sync)
        self._lookup = kernel.one(Lookup)

    def show(self, name: Named) -> EntityShown:
        """Show an entity: its names, what is said of it, and what names it.

        Example:
          tx entity:show DuckDB
        """
        entity = self._lookup.entity(name)
        about = FactStore(self._kernel.database).listed(about=entity.node, limit=-1)
        return EntityShown(
            entity=entity,
            facts=tuple(one for one in about if one.subject == entity.node),
            named_by=tuple(one for one in about if one.subject != entity.node),
        )

    def list(
        self,
        *,
        type: Annotated[str | None, Arg("NAME", f"Only this type: {', '.join(COMMON_TYPES)}, ….")] = None,
        limit: Limit = 50,
    ) -> tuple[StoredEntity, ...]:
        """List entities, those with most facts first.

        Example:
          tx entity:list
          tx entity:list --type decision
        """
        kind = None if type is None else clean_type(type)
        return tuple(self._store.listed(type=kind, limit=checked_limit(limit)))

    def edit(
        self, name: EntityName, *, type: str | None = None, description: str | None = None, force: bool = False
    ) -> StoredEntity:
        """Return an entity after saying of which type or what it is; one that nobody has spoken of comes to be.

        What may be a secret is refused, unless with `force`.
        """
        with self._sync.exclusively():
            kept, entity = self._recorded(name)
            changed = replace(
                entity,
                type=entity.type if type is None else clean_type(type),
                description=entity.description if description is None else record_description(description),
            )
            self._write(changed, kept, force=force)
        return self._now(changed.name)

    def alias(self, name: EntityName, *aliases: str) -> StoredEntity:
        """Return an entity after giving it other names, by which facts and questions find it too.

        Raises:
            UsageError: A name is empty or too long, or that of another entity.
        """
        return self._renamed(name, add=aliases)

    def unalias(self, name: EntityName, *aliases: str) -> StoredEntity:
        """Return an entity after taking names away from it; one that was merged into it is one of its own again."""
        return self._renamed(name, remove=aliases)

    def merge(self, name: EntityName, into: EntityName) -> StoredEntity:
        """Return the entity that stays, to which the names and facts of the other one belong now."""
        with self._sync.exclusively():
            gone, stays = self._lookup.entity(name), self._lookup.entity(into)
            if gone.node == stays.node:
                one, other = (named if isinstance(named, str) else named.name for named in (name, into))
                raise UsageError(f"'{one}' and '{other}' are one entity already, {stays.name}.")
            others = self._store.kept_as(gone.name)
            changed = {kept.record: replace(kept.thing, merged_into=stays.name) for kept in others}
            known, entity = self._recorded(stays.name)
            names = clean_aliases([*entity.aliases, gone.name, *gone.aliases], name=entity.name)
            new = replace(entity, aliases=names)
            if known:
                changed[known.record] = new
            self._sync.write_many(() if known else (new,), changed, progress=lambda _: None)
        return self._now(stays.name)

    def _renamed(self, name: EntityName, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> StoredEntity:
        with self._sync.exclusively():
            known = self._lookup.entity(name)
            kept, entity = self._recorded(known.name)
            for alias in add:
                other = self._store.named(clean_name(alias))
                if other is not None and other.node != known.node:
                    raise UsageError(
                        f"'{alias}' is the name of another entity, {other.name}.",
                        hint=f"To make them one: tx entity:merge '{other.name}' '{known.name}'",
                    )
            gone = {entity_key(clean_name(alias)) for alias in remove}
            if lacking := gone - {entity_key(alias) for alias in entity.aliases}:
                raise UsageError(
                    f"No record gives {known.name} the name '{min(lacking)}'.",
                    hint=f"Names that its record gives: {', '.join(entity.aliases) or 'none'}.",
                )
            for merged in self._store.every_kept() if gone else ():
                if merged.thing.merged_into is not None and entity_key(merged.thing.name) in gone:
                    self._sync.write(replace(merged.thing, merged_into=None), record=merged.record)
            names = [alias for alias in (*entity.aliases, *add) if entity_key(alias) not in gone]
            self._write(replace(entity, aliases=clean_aliases(names, name=entity.name)), kept)
        return self._now(known.name)

    def _recorded(self, named: EntityName) -> tuple[Kept[Entity] | None, Entity]:
        """Return the record of the entity that a name means, and what it says; a new one where there is none."""
        name = self._lookup.name(named)
        known = self._store.named(name)
        own = known.name if known else name
        for kept in self._store.kept_as(own):
            if kept.thing.merged_into is None:
                return kept, kept.thing
        uid = fresh_uid(os.urandom, is_taken=self._store.kept)
        kind = known.type if known else DEFAULT_TYPE
        return None, Entity(uid=uid, name=own, type=kind, created_at=self._kernel.now())

    def _write(self, entity: Entity, kept: Kept[Entity] | None, *, force: bool | None = None) -> None:
        if kept is None or kept.thing != entity:
            self._sync.write(entity, record=kept.record if kept else None, force=force)

    def _now(self, name: str) -> StoredEntity:
        entity = self._lookup.entity(name)
        embedded(self._kernel, [entity.node], otherwise="")  # whoever wants to know why that failed asks again
        return entity


def edit(
    kernel: Kernel,
    name: Named,
    *,
    type: Annotated[str | None, Arg("NAME", f"What it is: {', '.join(COMMON_TYPES)}, ….")] = None,
    description: Description = None,
    force: Force = False,
) -> Changed:
    """Say what an entity is; one that nobody has spoken of comes to be.

    Example:
      tx entity:edit DuckDB --type tool --description "Embedded OLAP database"
    """
    if type is None and description is None:
        raise UsageError("There is nothing to change.", hint="Give --type or --description.")
    return _told(kernel, kernel.one(Entities).edit(name, type=type, description=description, force=force))


def alias(
    kernel: Kernel,
    name: Named,
    aliases: Annotated[Sequence[str], Arg("NAME...", "Other names for it.", is_split=False)],
    *,
    remove: Annotated[bool, Arg(help="Take these names away.")] = False,
) -> Changed:
    """Give an entity other names, by which facts and questions find it too.

    Example:
      tx entity:alias DuckDB duck duckdb-engine
      tx entity:alias DuckDB duck --remove
    """
    entities = kernel.one(Entities)
    return _told(kernel, (entities.unalias if remove else entities.alias)(name, *aliases))


def merge(kernel: Kernel, name: Named, into: Annotated[EntityName, Arg("INTO", "The entity that stays.")]) -> Changed:
    """Let one entity be another: its names and facts become those of the one that stays.

    Example:
      tx entity:merge "Duck DB" DuckDB
    """
    return _told(kernel, kernel.one(Entities).merge(name, into))


def _told(kernel: Kernel, entity: StoredEntity) -> Changed:
    warning = embedded(kernel, [entity.node], otherwise="It has no vector yet")
    return Changed(entity=entity, warning=warning)


def embedded(kernel: Kernel, nodes: Collection[NodeId], facts: Collection[int] = (), *, otherwise: str) -> str:
    """Give entities and facts that changed their vectors where there is a model; return why that failed, if it did."""
    try:
        kernel.one(Embedding).embed_some("entities", nodes)
        kernel.one(Embedding).embed_some("facts", facts)
    except TxError as error:  # what was said is saved: whatever fails now is no failure to change it
        return f"{otherwise}: {error.message} {error.hint}".rstrip()
    return ""
