"""Entities: the things that facts are about, known by their names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from tx_graph.domain.edges import NodeId
from tx_graph.domain.labels import clean_label
from tx_graph.errors import UsageError

USER = "user"
"""The entity that stands for the person who works here."""
COMMON_TYPES = ("person", "project", "concept", "decision", "preference", "file", "symbol", "document", "tool", "team")
"""Types that are offered; any other word is one too."""
DEFAULT_TYPE = "concept"
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
class StoredEntity:
    """An entity as all records and documents together make it; `uid` is None for one that no record describes.

    `node` is its node; `mentions` counts the sections, learnings and files that speak of it, `facts` its live facts.
    """

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


def entity_key(name: str) -> str:
    """Return by what a name is recognised: whatever its letters' case and its white space."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def clean_name(name: str) -> str:
    """Return the name of an entity, with single spaces and without the prefix of a reference.

    Raises:
        UsageError: It is empty, longer than 200 characters, or has a line break or control character.
    """
    cleaned = " ".join(name.split())
    while cleaned.startswith(_PREFIX):  # else a name that is cleaned again, as from its record, would be another one
        cleaned = cleaned.removeprefix(_PREFIX).lstrip()
    return clean_label(cleaned, what="name of an entity")


def clean_type(text: str) -> str:
    """Return an entity's type, one word in snake_case.

    Raises:
        UsageError: It is no such word.
    """
    cleaned = text.strip().lower().replace("-", "_").replace(" ", "_")
    if not _TYPE.fullmatch(cleaned):
        raise UsageError(
            f"'{text}' is no type of an entity; it is one word in snake_case.",
            hint=f"Usual ones are {', '.join(COMMON_TYPES)}.",
        )
    return cleaned


def clean_aliases(aliases: Iterable[str], *, name: str) -> tuple[str, ...]:
    """Return other names, each once, sorted as people read them; the name itself is none.

    Raises:
        UsageError: One is empty, too long, or has a line break or control character.
    """
    by_key = {entity_key(alias): alias for alias in map(clean_name, aliases)}
    by_key.pop(entity_key(name), None)
    return tuple(by_key[key] for key in sorted(by_key))
