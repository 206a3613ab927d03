"""The rules of the focus view: which relationships there are, in which order they speak, and what they lead to.

A new relationship is one more line here, and one more name in `relationship`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import zip_longest
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from tx_graph.core.text import by_bytes, by_characters


class Relationship(StrEnum):
    """What a node is to the focus (Doughnut, Graph RAG)."""

    SELF = "Self"
    PARENT = "Parent"
    RELATIONSHIP_TARGET = "RelationshipTarget"
    CONTEXT_ANCESTOR = "ContextAncestor"
    CHILD = "Child"
    OLDER_SIBLING = "OlderSibling"
    YOUNGER_SIBLING = "YoungerSibling"
    REFERENCE_BY = "ReferenceBy"
    TARGET_CONTEXT_ANCESTOR = "TargetContextAncestor"
    PARENT_SIBLING = "ParentSibling"
    TARGET_PARENT_SIBLING = "TargetParentSibling"
    TARGET_OF_RELATIONSHIP = "TargetOfRelationship"
    REFERENCING_NOTE = "ReferencingNote"
    PARENT_SIBLING_CHILD = "ParentSiblingChild"
    TARGET_PARENT_SIBLING_CHILD = "TargetParentSiblingChild"
    REFERENCE_CONTEXT_ANCESTOR = "ReferenceContextAncestor"
    SIBLING_OF_REFERENCING_NOTE = "SiblingOfReferencingNote"
    REFERENCED_TARGET_OF_RELATIONSHIP = "ReferencedTargetOfRelationship"


MOST_DETAILS = 250
"""Bytes of UTF-8 that a related note says at most (Doughnut, Graph RAG)."""
_CUT = "..."
_CONTINUATION = range(0x80, 0xC0)
"""Bytes that do not begin a character in UTF-8."""


class Name(NamedTuple):
    """A node by its reference and its title."""

    ref: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What is said of a node; `details` is its own text.

    A relation note has a `target`; its parent is the subject and its title the predicate. `marks` are what a reader
    has to know before relying on it, as JSON has them: `{"verdict": "drifted:body"}`.
    """

    ref: str
    kind: str
    title: str
    details: str = ""
    is_cut: bool = False
    parent: Name | None = None
    target: Name | None = None
    marks: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A note and what it is to the focus."""

    note: Note
    relationship: Relationship


def shape(one: Related) -> dict[str, Any]:
    """Return a note as JSON has it; what does not apply is left out."""
    note = one.note
    return {
        "ref": note.ref,
        "kind": note.kind,
        "title": note.title,
        "relationship": one.relationship.value,
        **({"parent": note.parent._asdict()} if note.parent else {}),
        **({"target": note.target._asdict()} if note.target else {}),
        **note.marks,
        "details": note.details,
        **({"details_truncated": True} if note.is_cut else {}),
    }


def cut(note: Note, *, most: int = MOST_DETAILS) -> Note:
    """Return a note whose details have at most so many bytes, `...` not counted; no character is torn apart."""
    data = note.details.encode("utf-8", "surrogatepass")
    if len(data) <= most:
        return note
    end = most
    while data[end] in _CONTINUATION:
        end -= 1
    return replace(note, details=data[:end].decode("utf-8", "surrogatepass") + _CUT, is_cut=True)


Cost = Callable[[Related], int]
"""Says what a note takes of the budget, at least 1."""


class TokensBy(StrEnum):
    """How notes are counted: bytes of their JSON / 3.75, its characters / 4, or each as one."""

    JSON = "json"
    CHARS = "chars"
    ITEMS = "items"


def cost_by(way: TokensBy) -> Cost:
    """Return what counts notes this way."""
    match way:
        case TokensBy.JSON:
            return lambda one: by_bytes(compact(one))
        case TokensBy.CHARS:
            return lambda one: by_characters(compact(one))
        case TokensBy.ITEMS:
            return lambda _: 1


def compact(one: Related) -> str:
    """Return a note as JSON without a blank that need not be there."""
    return json.dumps(shape(one), ensure_ascii=False, separators=(",", ":"))


_SHORTEST = Related(note=Note(ref="", kind="file", title=""), relationship=Relationship.CHILD)


def least_cost(cost: Cost) -> int:
    """Return what no note takes less than: with less than this left there is nothing to look for."""
    return cost(_SHORTEST)


K = TypeVar("K", bound=Hashable)
"""What stands for a node; equal for the same node, whichever way led to it."""


class Kin(Protocol[K]):
    """Answers for a graph whose nodes have at most one parent each. All lists are in their natural order."""

    def parent(self, key: K, /) -> K | None:
        """Return the node above, None at the root; that of a relation note is its subject."""

    def target(self, key: K, /) -> K | None:
        """Return what a relation note points at, None for any other node."""

    def children(self, key: K, /) -> Sequence[K]:
        """Return the nodes right below, the relation notes of which it is the subject among them."""

    def siblings(self, key: K, /) -> Sequence[K]:
        """Return the node and those beside it."""

    def references(self, key: K, /) -> Sequence[K]:
        """Return what points here: relation notes, and nodes that mention it. Any order, but always the same."""

    def tell(self, keys: Sequence[K], /) -> Mapping[K, Note]:
        """Return what is to say of each of these nodes; one that is not there any more is left out."""


def parents(kin: Kin[K], key: K) -> Sequence[K]:
    """Return the parent of a node, nothing for the root."""
    above = kin.parent(key)
    return [] if above is None else [above]


def targets(kin: Kin[K], key: K) -> Sequence[K]:
    """Return what a relation note points at, nothing for any other node."""
    pointed_at = kin.target(key)
    return [] if pointed_at is None else [pointed_at]


def ancestors(kin: Kin[K], key: K) -> Sequence[K]:
    """Return all nodes above one, nearest first."""
    found: dict[K, None] = {}
    above = kin.parent(key)
    while above is not None and above not in found:
        found[above] = None
        above = kin.parent(above)
    return list(found)


def children(kin: Kin[K], key: K) -> Sequence[K]:
    """Return the nodes right below one, in order."""
    return kin.children(key)


def older(kin: Kin[K], key: K) -> Sequence[K]:
    """Return the siblings before a node, nearest first."""
    before, _ = _sides(kin, key)
    return before


def younger(kin: Kin[K], key: K) -> Sequence[K]:
    """Return the siblings after a node, nearest first."""
    _, after = _sides(kin, key)
    return after


def around(kin: Kin[K], key: K) -> Sequence[K]:
    """Return the siblings of a node in a spiral: one before, one after, two before, two after."""
    pairs = zip_longest(*_sides(kin, key))
    return [one for pair in pairs for one in pair if one is not None]


def references(kin: Kin[K], key: K) -> Sequence[K]:
    """Return what points at a node."""
    return kin.references(key)


def parents_siblings(kin: Kin[K], key: K) -> Sequence[K]:
    """Return the siblings of a node's parent, in a spiral."""
    return [one for above in parents(kin, key) for one in around(kin, above)]


def targets_ancestors(kin: Kin[K], key: K) -> Sequence[K]:
    """Return all nodes above the target of a relation note, nearest first."""
    return [one for target in targets(kin, key) for one in ancestors(kin, target)]


def targets_parents_siblings(kin: Kin[K], key: K) -> Sequence[K]:
    """Return the siblings of the parent of a relation note's target, in a spiral."""
    return [one for target in targets(kin, key) for one in parents_siblings(kin, target)]


def _sides(kin: Kin[K], key: K) -> tuple[Sequence[K], Sequence[K]]:
    every = kin.siblings(key)
    if key not in every:
        return (), ()
    place = every.index(key)
    return every[:place][::-1], every[place + 1 :]


QUOTAS = (3, 3, 2, 2)
"""Nodes that each layer may give in one visit, before the next has its turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Gives the nodes that stand in a relationship to the focus, starting from one of them or from the focus itself.

    A rule that `starts` begins at the focus. Whenever it gives a node, those that it `opens` begin there. What comes
    in no natural order is shuffled if anybody wants that.
    """

    relationship: Relationship
    layer: int
    gives: Callable[[Any, Any], Sequence[Any]]
    starts: bool = True
    opens: tuple[Relationship, ...] = ()
    is_ordered: bool = True


RULES = (
    Rule(relationship=Relationship.PARENT, layer=1, gives=parents),
    Rule(relationship=Relationship.RELATIONSHIP_TARGET, layer=1, gives=targets),
    Rule(relationship=Relationship.CONTEXT_ANCESTOR, layer=1, gives=ancestors),
    Rule(relationship=Relationship.CHILD, layer=2, gives=children, opens=(Relationship.TARGET_OF_RELATIONSHIP,)),
    Rule(relationship=Relationship.OLDER_SIBLING, layer=2, gives=older),
    Rule(relationship=Relationship.YOUNGER_SIBLING, layer=2, gives=younger),
    Rule(
        relationship=Relationship.REFERENCE_BY,
        layer=2,
        gives=references,
        opens=(Relationship.REFERENCING_NOTE, Relationship.REFERENCE_CONTEXT_ANCESTOR),
        is_ordered=False,
    ),
    Rule(relationship=Relationship.TARGET_CONTEXT_ANCESTOR, layer=2, gives=targets_ancestors),
    Rule(
        relationship=Relationship.PARENT_SIBLING,
        layer=2,
        gives=parents_siblings,
        opens=(Relationship.PARENT_SIBLING_CHILD,),
    ),
    Rule(
        relationship=Relationship.TARGET_PARENT_SIBLING,
        layer=2,
        gives=targets_parents_siblings,
        opens=(Relationship.TARGET_PARENT_SIBLING_CHILD,),
    ),
    Rule(
        relationship=Relationship.TARGET_OF_RELATIONSHIP,
        layer=3,
        gives=targets,
        starts=False,
        opens=(Relationship.REFERENCED_TARGET_OF_RELATIONSHIP,),
    ),
    Rule(
        relationship=Relationship.REFERENCING_NOTE,
        layer=3,
        gives=parents,
        starts=False,
        opens=(Relationship.SIBLING_OF_REFERENCING_NOTE,),
    ),
    Rule(relationship=Relationship.PARENT_SIBLING_CHILD, layer=4, gives=children, starts=False),
    Rule(relationship=Relationship.TARGET_PARENT_SIBLING_CHILD, layer=4, gives=children, starts=False),
    Rule(relationship=Relationship.REFERENCE_CONTEXT_ANCESTOR, layer=4, gives=ancestors, starts=False),
    Rule(relationship=Relationship.SIBLING_OF_REFERENCING_NOTE, layer=4, gives=around, starts=False),
    Rule(
        relationship=Relationship.REFERENCED_TARGET_OF_RELATIONSHIP,
        layer=4,
        gives=references,
        starts=False,
        is_ordered=False,
    ),
)

RULE_OF = {rule.relationship: rule for rule in RULES}


Shuffle = Callable[[Sequence[K]], Sequence[K]]
"""Puts nodes into another order."""


class Handler(Generic[K]):
    """Gives the nodes that a rule finds from `start`, each once, from one turn to the next."""

    def __init__(self, rule: Rule, start: K, *, kin: Kin[K], shuffled: Shuffle[K] | None) -> None:
        self.rule = rule
        self._start = start
        self._kin = kin
        self._shuffled = shuffled
        self._place = 0

    @cached_property
    def keys(self) -> Sequence[K]:
        """All its nodes, in the order in which it gives them."""
        found = list(dict.fromkeys(self.rule.gives(self._kin, self._start)))
        return found if self.rule.is_ordered or self._shuffled is None else self._shuffled(found)

    @property
    def left(self) -> Sequence[K]:
        """The nodes that it has not given yet."""
        return self.keys[self._place :]

    def turn(self) -> Iterator[K]:
        """Yield the nodes that it has not given yet; each that is taken is given."""
        while self._place < len(self.keys):
            self._place += 1
            yield self.keys[self._place - 1]
