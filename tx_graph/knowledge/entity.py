"""What names of entities mean: several records and documents may speak of one thing, each by names of its own."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from tx_graph.core.dataclass import dataclass, field, replace
from tx_graph.core.errors import UsageError
from tx_graph.core.labels import DEFAULT_TYPE, clean_label
from tx_graph.core.shape import Answer
from tx_graph.graph.edges import NodeId

USER = "user"
"""The entity that stands for the person who works here."""
COMMON_TYPES = ("person", "project", "concept", "decision", "preference", "file", "symbol", "document", "tool", "team")
"""Types that are offered; any other word is one too."""
_PREFIX = "entity:"
_TYPE = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """What people curate of an entity: everything its record holds.

    Facts name entities by their names, so that two branches can speak of one thing without having agreed on an
    identifier. `aliases` are its other names; `merged_into` is the name of the entity that took its place.
    """

    uid: str
    name: str
    created_at: str
    type: str = DEFAULT_TYPE
    aliases: tuple[str, ...] = ()
    description: str = ""
    merged_into: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEntity(Answer):
    """An entity as all records and documents together make it; `uid` is None for one that no record describes.

    `node` is its node; `mentions` counts the sections, learnings and files that speak of it, `facts` its live facts.
    """

    JSON: ClassVar = "node=key@entity ref name type aliases description uid created_at facts mentions"

    node: NodeId
    key: str
    name: str
    type: str = DEFAULT_TYPE
    aliases: tuple[str, ...] = ()
    description: str = ""
    uid: str | None = None
    created_at: str | None = None
    mentions: int = 0
    facts: int = field(default=0, compare=False)

    @property
    def ref(self) -> str:
        """The explicit reference, `entity:DuckDB`."""
        return f"entity:{self.name}"


EntityName = str | StoredEntity
"""What names an entity, be it its name, another of its names, or what an answer gave."""


def entity_key(name: str) -> str:
    """Return by what a name is recognised: whatever its letters' case and its white space."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def clean_name(name: str) -> str:
    """Return the name of an entity, with single spaces and without the prefix of a reference."""
    cleaned = " ".join(name.split())
    while cleaned.startswith(_PREFIX):  # else a name that is cleaned again, as from its record, would be another one
        cleaned = cleaned.removeprefix(_PREFIX).lstrip()
    return clean_label(cleaned, what="name of an entity")


def clean_type(text: str) -> str:
    """Return an entity's type, one word in snake_case."""
    cleaned = text.strip().lower().replace("-", "_").replace(" ", "_")
    if not _TYPE.fullmatch(cleaned):
        raise UsageError(
            f"'{text}' is no type of an entity; it is one word in snake_case.",
            hint=f"Usual ones are {', '.join(COMMON_TYPES)}.",
        )
    return cleaned


def clean_aliases(aliases: Iterable[str], *, name: str) -> tuple[str, ...]:
    """Return other names, each once, sorted as people read them; the name itself is none."""
    by_key = {entity_key(alias): alias for alias in map(clean_name, aliases)}
    by_key.pop(entity_key(name), None)
    return tuple(by_key[key] for key in sorted(by_key))


@dataclass(slots=True, kw_only=True)
class Head:
    """An entity that claims add up to, by the first of them that says each thing."""

    key: str
    name: str
    type: str = DEFAULT_TYPE
    description: str = ""
    uid: str = ""
    created_at: str = ""
    aliases: dict[str, str] = field(default_factory=dict)

    def hear(self, claim: Entity) -> None:
        """Take from a claim what none before it said."""
        if self.type == DEFAULT_TYPE:
            self.type = claim.type
        self.description = self.description or claim.description
        self.uid = self.uid or claim.uid
        self.created_at = self.created_at or claim.created_at


@dataclass(slots=True)
class Naming:
    """The entities by key, and by every key the key of the entity that it means: first come, first served."""

    heads: dict[str, Head] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def head(self, name: str) -> Head:
        """Return the entity that a name means, a new one where it means none."""
        key = entity_key(name)
        key = self.names.setdefault(key, key)
        return self.heads.setdefault(key, Head(key=key, name=name))

    def alias(self, head: Head, aliases: Iterable[str]) -> None:
        """Let an entity have other names, as far as they are free."""
        for alias in aliases:
            key = entity_key(alias)
            if self.names.setdefault(key, head.key) == head.key and key != head.key:
                head.aliases.setdefault(key, alias)


def naming(records: Sequence[Entity], documents: Sequence[Entity]) -> Naming:
    """Return what all claims add up to, whatever the order they come in; those of documents have no uid and no time.

    The own name of a record counts most, then other names that records give, then the titles of documents, and last
    the other names of documents, unless two of these claim the same. Of equals the older record wins. A record that
    gives the own name of another one as another name of its own says that both are one, as a merger does: it comes
    from a branch that did not know of the other.
    """
    records = _with_mergers(sorted(records, key=lambda claim: (claim.created_at, claim.uid)))
    documents = sorted(documents, key=lambda claim: (claim.name, claim.aliases))
    found = Naming()
    own = [claim for claim in records if claim.merged_into is None]
    for claim in own:
        found.head(claim.name).hear(claim)
    merged = [claim for claim in records if claim.merged_into is not None]
    into = {entity_key(claim.name): claim.merged_into or "" for claim in reversed(merged)}
    for claim in merged:
        head = found.head(_end_of(claim.name, into))
        head.hear(claim)
        found.alias(head, [claim.name, *claim.aliases])
    for claim in own:
        found.alias(found.head(claim.name), claim.aliases)
    for claim in documents:
        found.head(claim.name).hear(claim)
    claimed = Counter(key for claim in documents for key in {entity_key(alias) for alias in claim.aliases})
    for claim in documents:
        free = [alias for alias in claim.aliases if claimed[entity_key(alias)] == 1]
        found.alias(found.head(claim.name), free)
    return found


def _with_mergers(records: Sequence[Entity]) -> list[Entity]:
    """Return the records, those merged whose own names others give as other names of theirs."""
    own = {entity_key(claim.name) for claim in records if claim.merged_into is None}
    into: dict[str, str] = {}
    for claim in records:
        if claim.merged_into is None:
            for key in {entity_key(alias) for alias in claim.aliases} & own - {entity_key(claim.name)}:
                into.setdefault(key, claim.name)
    return [
        claim if claim.merged_into is not None else replace(claim, merged_into=into.get(entity_key(claim.name)))
        for claim in records
    ]


def _end_of(name: str, into: Mapping[str, str]) -> str:
    """Return where a chain of mergers ends; a circle ends at that of its names which is first in the alphabet."""
    passed = {entity_key(name): name}
    while (target := into.get(entity_key(name))) is not None:
        name = target
        key = entity_key(name)
        if key in passed:
            circle = list(passed)[list(passed).index(key) :]
            return passed[min(circle)]
        passed[key] = name
    return name
