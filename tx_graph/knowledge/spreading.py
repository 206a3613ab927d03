"""Recall: which facts a question calls up, in which order, and how they are told (JACQ's ADR 3)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.core.text import inert_line
from tx_graph.graph.edges import NodeId
from tx_graph.knowledge.entity import USER, entity_key
from tx_graph.knowledge.fact import StoredFact

MAX_HOPS = 10
_MOST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallLimits:
    """How many facts lie between an anchor and the last one told, how many are told, and how many of one entity."""

    hops: int = 2
    max_facts: int = 30
    per_entity: int = 10

    def __post_init__(self) -> None:
        """Raise UsageError for what cannot be asked."""
        if not 0 <= self.hops <= MAX_HOPS:
            raise UsageError(f"The hops must be from 0 to {MAX_HOPS}, not {self.hops}.")
        for name, number in (("most facts", self.max_facts), ("most facts of one entity", self.per_entity)):
            if not 1 <= number <= _MOST:
                raise UsageError(f"The {name} must be from 1 to {_MOST:,}, not {number}.")


NamesOf = Callable[[Collection[str]], Mapping[str, NodeId]]
"""Says which of these keys are names of entities, and of which, all in one question."""

_IDEOGRAPH = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Scripts without blanks, or with endings that stick to a name: each character is a token."""
_PLAIN_TOKEN = re.compile(r"\w+|[^\w\s]")
_MOST_TOKENS = 400  # of a text to look at; what it is about stands in its beginning
_LONGEST_NAME = 12  # tokens of a name: `tx_graph/storage/lanes.py` has seven


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """The entities that a text names, in its order, each with the key by which it does; `rest` is all other words."""

    names: Mapping[NodeId, str]
    rest: str


def stated(text: str, names_of: NamesOf, *, is_name: Callable[[str], bool] = bool) -> Stated:
    """Return the entities that a text names by whole tokens. Of names that overlap the longest is meant.

    `is_name` says of a key whether it can be meant as a name at all: a common word is not.
    """
    key = entity_key(text)
    # To compile the pattern of texts that have ideographs takes 3 ms, and most have none.
    token = _PLAIN_TOKEN if key.isascii() else re.compile(rf"[{_IDEOGRAPH}]|(?:(?![{_IDEOGRAPH}])\w)+|[^\w\s]")
    tokens = [match.span() for match in token.finditer(key)][:_MOST_TOKENS]
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, (start, _) in enumerate(tokens):
        for _, end in tokens[number : number + _LONGEST_NAME]:
            places[key[start:end]].append((start, end))
    known = names_of([one for one in places if is_name(one)])
    found: dict[tuple[int, int], NodeId] = {}
    for name in sorted(known, key=lambda one: (-len(one), one)):
        for start, end in places[name]:
            if not any(start < last and first < end for first, last in found):
                found[start, end] = known[name]
    names: dict[NodeId, str] = {}
    for start, end in sorted(found):
        names.setdefault(found[start, end], key[start:end])
    rest = key
    for start, end in sorted(found, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    return Stated(names=names, rest=" ".join(rest.split()))


_USER_HEADING = "### 👤 USER CONTEXT"
_HEADING = "### 💡 CONTEXT: {name}"


_INVERSE_HEADING = "### 💡 POINTS TO: {name}"


class Told(NamedTuple):
    """A fact, and what must be said with it: `staged`, `docs/a.md changed`; `value` if it is told for what it names."""

    fact: StoredFact
    marks: Sequence[str] = ()
    value: str | None = None


def narrative(facts: Iterable[Told], entities: Sequence[NodeId]) -> str:
    """Return the facts as Markdown, best first in each block; blocks in the order of the entities, no empty ones.

    Facts that are told for what they name stand in blocks of their own, in front where the best of all is one of them.
    Names and values are foreign text: each stays on its line, and nothing in it can hide.
    """
    blocks: dict[NodeId, list[Told]] = defaultdict(list)
    inverse: dict[str, list[str]] = {}
    is_inverse_first = None
    for told in facts:
        is_inverse_first = told.value is not None if is_inverse_first is None else is_inverse_first
        if told.value is None:
            blocks[told.fact.subject].append(told)
        else:
            items = inverse.setdefault(told.value, [_INVERSE_HEADING.format(name=inert_line(told.value))])
            items.append(f"- {inert_line(told.fact.subject_name)} {line(told)[2:]}")
    parts: list[str] = []
    for block in [blocks[entity] for entity in entities if entity in blocks]:
        name = block[0].fact.subject_name
        heading = _USER_HEADING if entity_key(name) == USER else _HEADING.format(name=inert_line(name))
        parts.append("\n".join((heading, *map(line, block))))
    pointing = ["\n".join(items) for items in inverse.values()]
    return "\n\n".join([*pointing, *parts] if is_inverse_first else [*parts, *pointing])


def line(told: Told) -> str:
    """Return a fact as one item of a list: `- prefers: dark mode (staged)`."""
    return f"- {inert_line(told.fact.fact.predicate)}: {inert_line(told.fact.told)}{marked(told.marks)}"


def marked(marks: Sequence[str]) -> str:
    """Return what must be said with a fact as it follows it; empty where there is nothing."""
    return f" ({', '.join(map(inert_line, marks))})" if marks else ""


FactsOf = Callable[[Collection[NodeId]], Mapping[NodeId, Sequence[StoredFact]]]
"""Answers a whole frontier at once: the facts that leave each entity, the best first, at most as many as are looked at.
"""
MOST_ENTITIES = 2_000
"""Whose facts are looked at. Two hops come to a few dozen; ten of them could come to every entity there is."""


class Recalled(NamedTuple):
    """A fact that a question calls up.

    `hops` counts the facts that lead to it, itself included; `path` are these: names of entities, and between them
    predicates, to its subject, or from `value` if it is told for what it names. `score` is how much it counts, from
    0 on, `relevance` how much it has to do with the question, None where that asks nothing but a name.
    """

    fact: StoredFact
    hops: int
    path: tuple[str, ...] = ()
    value: str | None = None
    score: float = 0.0
    relevance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spreading:
    """What spreading came to: facts, and entities in order, the anchors first; `is_cut`: there were too many."""

    facts: tuple[Recalled, ...]
    entities: tuple[NodeId, ...]
    is_cut: bool = False


def spread(anchors: Sequence[NodeId], facts_of: FactsOf, *, limits: RecallLimits) -> Spreading:
    """Return each fact within the hops once, and each entity once, in the order in which they were reached."""
    met: dict[int, Recalled] = {}
    entities = dict.fromkeys(anchors)
    paths: dict[NodeId, tuple[str, ...]] = {}
    frontier = list(entities)
    is_cut = False
    for hop in range(1, limits.hops + 1):
        found = facts_of(frontier)
        facts = [fact for entity in frontier for fact in found.get(entity, ())[: limits.per_entity]]
        for fact in facts:
            path = paths.get(fact.subject, (fact.subject_name,))
            met.setdefault(fact.id, Recalled(fact, hop, path))
            if fact.object is not None and fact.object not in entities:
                paths.setdefault(fact.object, (*path, fact.fact.predicate, fact.told))
        reached = dict.fromkeys(fact.object for fact in facts if fact.object is not None)
        fresh = [entity for entity in reached if entity not in entities]
        frontier = fresh[: MOST_ENTITIES - len(entities)]
        is_cut = is_cut or (hop < limits.hops and len(frontier) < len(fresh))
        entities |= dict.fromkeys(frontier)
        if not frontier:
            break
    return Spreading(facts=tuple(met.values()), entities=tuple(entities), is_cut=is_cut)


def ranked(met: Iterable[Recalled], score_of: Callable[[StoredFact], float]) -> list[Recalled]:
    """Return the facts with their scores, best first; among equals the nearer one, then the older one."""
    scored = [one._replace(score=score_of(one.fact)) for one in met]
    return sorted(scored, key=lambda one: (-one.score, one.hops, one.fact.id))
