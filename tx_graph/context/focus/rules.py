"""The rules of the focus view: which relationships there are, in which order they speak, and what they lead to.

A new relationship is one more line here, and one more name in `relationship`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import zip_longest
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from tx_graph.core.dataclass import dataclass, field, replace
from tx_graph.core.settings import THEN
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
    # What the focus itself points at, and who uses its code: not of Doughnut, which has no code.
    IMPORT = "Import"
    LINK_TARGET = "LinkTarget"
    DESCRIBED_RELATION = "DescribedRelation"
    MENTION = "Mention"
    IMPORTER = "Importer"


MOST_DETAILS = 250
"""Bytes of UTF-8 that a related note says at most (Doughnut, Graph RAG)."""
MOST_OF_A_TIE = 120
"""The same of a file that the focus imports or is imported by: the lines that tell why are there besides."""
_CUT = "..."
_CONTINUATION = range(0x80, 0xC0)  # bytes that do not begin a character in UTF-8


class Name(NamedTuple):
    """A node by its reference and its title."""

    ref: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What is said of a node; `details` is its own text.

    A relation note has a `target`; its parent is the subject and its title the predicate. `marks` are what a reader
    has to know before relying on it, as JSON has them: `{"verdict": "drifted", "drift": "body"}`,
    and `tie` what binds it to the focus: `{"uses": {"decode": [1, 5]}, "import_line": 1}`.
    """

    ref: str
    kind: str
    title: str
    details: str = ""
    is_cut: bool = False
    parent: Name | None = None
    target: Name | None = None
    marks: Mapping[str, Any] = field(default_factory=dict)
    tie: Mapping[str, Any] = field(default_factory=dict)


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
        **note.tie,
        "details": note.details,
        **({"details_truncated": True} if note.is_cut else {}),
    }


def cut(note: Note) -> Note:
    """Return a note whose details have at most so many bytes, `...` not counted; no character is torn apart."""
    data, most = note.details.encode("utf-8", "surrogatepass"), MOST_OF_A_TIE if "uses" in note.tie else MOST_DETAILS
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

    def pointed_at(self, key: K, how: Relationship, /) -> Sequence[K]:
        """Return what a node points at in this way, or who imports it, the most telling first."""

    def tell(self, keys: Sequence[K], /) -> Mapping[K, Note]:
        """Return what is to say of each of these nodes; one that is not there any more is left out."""


def ancestors(kin: Kin[K], key: K) -> Sequence[K]:
    """Return all nodes above one, nearest first."""
    found: dict[K, None] = {}
    above = kin.parent(key)
    while above is not None and above not in found:
        found[above] = None
        above = kin.parent(above)
    return list(found)


def _parents(kin: Kin[K], key: K) -> Sequence[K]:
    return [above for above in [kin.parent(key)] if above is not None]


def _targets(kin: Kin[K], key: K) -> Sequence[K]:
    return [target for target in [kin.target(key)] if target is not None]


def _sides(kin: Kin[K], key: K) -> tuple[Sequence[K], Sequence[K]]:
    """Return the siblings before a node and those after it, nearest first."""
    every = kin.siblings(key)
    place = every.index(key) if key in every else None
    return ((), ()) if place is None else (every[:place][::-1], every[place + 1 :])


def _around(kin: Kin[K], key: K) -> Sequence[K]:
    """Return the siblings of a node in a spiral: one before, one after, two before, two after."""
    return [one for pair in zip_longest(*_sides(kin, key)) for one in pair if one is not None]


def _beside_parents(kin: Kin[K], key: K) -> Sequence[K]:
    return [one for above in _parents(kin, key) for one in _around(kin, above)]


class Layer(NamedTuple):
    """How many nodes a layer may give in one visit before the next has its turn, and its relationships in order.

    One that `waits` has no turn before a whole round of all others gave nothing.
    """

    quota: int
    relationships: tuple[Relationship, ...]
    waits: bool = False


def layers_of(texts: Sequence[str]) -> tuple[Layer, ...]:
    """Return layers as the settings have them: `3 Parent ContextAncestor`; all below `then` wait."""
    found, waits = list[Layer](), False
    for text in texts:
        quota, *names = text.split()
        waits = waits or quota == THEN
        found += [Layer(int(quota), tuple(map(Relationship, names)), waits)] if names else []
    return tuple(found)


class Rule(NamedTuple):
    """Gives the nodes that stand in a relationship to the focus, starting from one of them or from the focus itself.

    A rule that `starts` begins at the focus. Whenever it gives a node, those that it `opens` begin there. What comes
    in no natural order is shuffled if anybody wants that.
    """

    relationship: Relationship
    gives: Callable[[Any, Any], Sequence[Any]]
    opens: tuple[Relationship, ...] = ()
    starts: bool = True
    is_ordered: bool = True


def _pointed_at(way: Relationship) -> Callable[[Any, Any], Sequence[Any]]:
    return lambda kin, key: kin.pointed_at(key, way)


def _references(kin: Kin[K], key: K) -> Sequence[K]:
    importers = kin.pointed_at(key, Relationship.IMPORTER)
    return [one for one in kin.references(key) if one not in importers]


def _children(kin: Kin[K], key: K) -> Sequence[K]:
    return kin.children(key)


_Is = Relationship
RULES = (
    Rule(_Is.PARENT, _parents),
    Rule(_Is.RELATIONSHIP_TARGET, _targets),
    Rule(_Is.CONTEXT_ANCESTOR, ancestors),
    Rule(_Is.CHILD, _children, (_Is.TARGET_OF_RELATIONSHIP,)),
    Rule(_Is.OLDER_SIBLING, lambda kin, key: _sides(kin, key)[0]),
    Rule(_Is.YOUNGER_SIBLING, lambda kin, key: _sides(kin, key)[1]),
    Rule(_Is.REFERENCE_BY, _references, (_Is.REFERENCING_NOTE, _Is.REFERENCE_CONTEXT_ANCESTOR), is_ordered=False),
    Rule(_Is.TARGET_CONTEXT_ANCESTOR, lambda kin, key: [up for t in _targets(kin, key) for up in ancestors(kin, t)]),
    Rule(_Is.PARENT_SIBLING, _beside_parents, (_Is.PARENT_SIBLING_CHILD,)),
    Rule(
        _Is.TARGET_PARENT_SIBLING,
        lambda kin, key: [one for target in _targets(kin, key) for one in _beside_parents(kin, target)],
        (_Is.TARGET_PARENT_SIBLING_CHILD,),
    ),
    Rule(_Is.TARGET_OF_RELATIONSHIP, _targets, (_Is.REFERENCED_TARGET_OF_RELATIONSHIP,), starts=False),
    Rule(_Is.REFERENCING_NOTE, _parents, (_Is.SIBLING_OF_REFERENCING_NOTE,), starts=False),
    Rule(_Is.PARENT_SIBLING_CHILD, _children, starts=False),
    Rule(_Is.TARGET_PARENT_SIBLING_CHILD, _children, starts=False),
    Rule(_Is.REFERENCE_CONTEXT_ANCESTOR, ancestors, starts=False),
    Rule(_Is.SIBLING_OF_REFERENCING_NOTE, _around, starts=False),
    Rule(_Is.REFERENCED_TARGET_OF_RELATIONSHIP, lambda kin, key: kin.references(key), starts=False, is_ordered=False),
    *(
        Rule(way, _pointed_at(way))
        for way in (_Is.IMPORT, _Is.LINK_TARGET, _Is.DESCRIBED_RELATION, _Is.MENTION, _Is.IMPORTER)
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
