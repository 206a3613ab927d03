"""Facts and entities: statements, and what they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.domain.entity import StoredEntity
from tx_graph.domain.fact import FactSource, FactStatus, StoredFact
from tx_graph.sdk.given import chosen
from tx_graph.sdk.namespace import Namespace

if TYPE_CHECKING:
    from tx_graph.services.facts import Added as FactAdded
    from tx_graph.services.facts import Conflict, EntityShown, Maintained
    from tx_graph.services.facts.values import Scored as ScoredFact

EntityName = str | StoredEntity
"""What names an entity, be it its name, another of its names, or what an answer gave."""


class Facts(Namespace):
    """Statements about entities: `workspace.facts`."""

    def add(
        self,
        subject: EntityName,
        predicate: str,
        object: EntityName | None = None,
        *,
        value: str | None = None,
        confidence: float = 1.0,
        source: FactSource = FactSource.USER_EDIT,
        source_ref: str | None = None,
        status: FactStatus = FactStatus.STAGED,
    ) -> FactAdded:
        """Return the fact that was added; the same statement again is recognised. Give an object or a `value`.

        Raises:
            UsageError: A field is empty, too long or out of range, or there is not exactly one of object and value.
            StorageError: The record or the database cannot be written.

        Example:
            >>> workspace.facts.add("Billing", "uses", "DuckDB").stored.told
            'DuckDB'
        """
        from tx_graph.services.facts import FactDraft

        draft = FactDraft(
            subject=_name(subject),
            predicate=predicate,
            object=None if object is None else _name(object),
            value=value,
            confidence=confidence,
            source=chosen(FactSource, source),
            source_ref=source_ref,
            status=chosen(FactStatus, status),
        )
        with self._lasting.use() as workspace:
            return workspace.facts.add(draft)

    def get(self, fact: Ref) -> StoredFact:
        """Return a fact by its number, its uid or the beginning of its uid.

        Raises:
            NotFound: There is none, or several begin like it.
        """
        with self._lasting.use() as workspace:
            return workspace.facts.find(ref_of(fact))

    def list(
        self,
        about: EntityName | None = None,
        *,
        subject: EntityName | None = None,
        predicate: str | None = None,
        status: FactStatus | None = None,
        source: FactSource | None = None,
        as_of: str | None = None,
        past: bool = False,
        limit: int = 50,
    ) -> tuple[ScoredFact, ...]:
        """Return facts, newest first, each with how much it counts now.

        `as_of` is a day (its end) or a UTC time at which they held; `past` takes in what ceased to hold.

        Raises:
            NotFound: It names an entity that there is not.
            UsageError: The day, the predicate or the limit is none.
        """
        from tx_graph.services.facts import FactQuery

        query = FactQuery(
            subject=None if subject is None else _name(subject),
            about=None if about is None else _name(about),
            predicate=predicate,
            status=chosen(FactStatus, status),
            source=chosen(FactSource, source),
            as_of=as_of,
            past=past,
        )
        with self._lasting.use() as workspace:
            return tuple(workspace.facts.listed(query, limit=limit))

    def confirm(self, fact: Ref) -> StoredFact:
        """Return a fact that is true; one that was superseded or retracted holds again.

        Raises:
            NotFound: There is no such fact.
        """
        with self._lasting.use() as workspace:
            return workspace.facts.confirm(ref_of(fact))

    def retract(self, fact: Ref) -> StoredFact:
        """Return a fact that does not hold; it stays in the history.

        Raises:
            NotFound: There is no such fact.
        """
        with self._lasting.use() as workspace:
            return workspace.facts.retract(ref_of(fact))

    def history(self, named: Ref, *, predicate: str | None = None) -> tuple[ScoredFact, ...]:
        """Return all that was ever said about an entity, or of what one fact says; oldest first.

        Raises:
            NotFound: There is no such entity or fact.
            UsageError: The predicate is none.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.facts.history(ref_of(named), predicate=predicate))

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return where several facts give what takes one value, those that count most first."""
        with self._lasting.use() as workspace:
            return tuple(workspace.facts.conflicts())

    def maintain(self, *, dry_run: bool = False) -> Maintained:
        """Return which facts were promoted because they are used, and which retracted because they faded.

        Raises:
            StorageError: The records or the database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.fact_life.run(dry_run=dry_run)


class Entities(Namespace):
    """What facts are about: `workspace.entities`."""

    def show(self, name: EntityName) -> EntityShown:
        """Return an entity with what is said of it, and what names it.

        Raises:
            NotFound: No entity has this name.
        """
        with self._lasting.use() as workspace:
            return workspace.entities.show(_name(name))

    def list(self, *, type: str | None = None, limit: int = 50) -> tuple[StoredEntity, ...]:
        """Return entities, of one type if it is named, those with most facts first.

        Raises:
            UsageError: The type is none, or the limit not from 1 to 10,000.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.entities.listed(type=type, limit=limit))

    def edit(self, name: EntityName, *, type: str | None = None, description: str | None = None) -> StoredEntity:
        """Return an entity after saying of which type it is, or what it is; one that nobody has spoken of comes to be.

        Raises:
            UsageError: The name, type or description is none.
            StorageError: The record or the database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.entities.describe(_name(name), type=type, description=description)

    def alias(self, name: EntityName, *aliases: str) -> StoredEntity:
        """Return an entity after giving it other names, by which facts and questions find it too.

        Raises:
            NotFound: No entity has this name.
            UsageError: A name is empty or too long, or that of another entity.
            StorageError: The record or the database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.entities.alias(_name(name), add=aliases)

    def unalias(self, name: EntityName, *aliases: str) -> StoredEntity:
        """Return an entity after taking names away from it; one that was merged into it is one of its own again.

        Raises:
            NotFound: No entity has this name.
            UsageError: It does not have one of the names.
            StorageError: The record or the database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.entities.alias(_name(name), remove=aliases)

    def merge(self, name: EntityName, into: EntityName) -> StoredEntity:
        """Return the entity that stays, to which the names and facts of the other one belong now.

        Raises:
            NotFound: One of them does not exist.
            UsageError: They are one already.
            StorageError: A record or the database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.entities.merge(_name(name), _name(into))


def _name(entity: EntityName) -> str:
    return entity if isinstance(entity, str) else entity.name
