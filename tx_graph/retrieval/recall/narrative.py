"""Facts as Markdown that a language model reads: a block for each entity, a line for each fact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.domain.entity import USER, entity_key
from tx_graph.domain.fact import StoredFact
from tx_graph.domain.inert import inert_line

_USER_HEADING = "### 👤 USER CONTEXT"
_HEADING = "### 💡 CONTEXT: {name}"


class Told(NamedTuple):
    """A fact, and what must be said with it: `staged`, `docs/a.md changed`."""

    fact: StoredFact
    marks: Sequence[str] = ()


def narrative(facts: Iterable[Told], entities: Sequence[NodeId]) -> str:
    """Return the facts as Markdown, best first in each block; blocks in the order of the entities, no empty ones.

    Names and values are foreign text: each stays on its line, and nothing in it can hide.
    """
    blocks: dict[NodeId, list[Told]] = defaultdict(list)
    for told in facts:
        blocks[told.fact.subject].append(told)
    return "\n\n".join(_block(blocks[entity]) for entity in entities if entity in blocks)


def _block(facts: Sequence[Told]) -> str:
    return "\n".join((_heading(facts[0].fact.subject_name), *map(line, facts)))


def _heading(name: str) -> str:
    return _USER_HEADING if entity_key(name) == USER else _HEADING.format(name=inert_line(name))


def line(told: Told) -> str:
    """Return a fact as one item of a list: `- prefers: dark mode (staged)`."""
    return f"- {inert_line(told.fact.fact.predicate)}: {inert_line(told.fact.told)}{marked(told.marks)}"


def marked(marks: Sequence[str]) -> str:
    """Return what must be said with a fact as it follows it; empty where there is nothing."""
    return f" ({', '.join(map(inert_line, marks))})" if marks else ""
