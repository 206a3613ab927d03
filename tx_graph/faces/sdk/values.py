"""How programs name nodes: as people do in the terminal, by a learning's number, or by what an answer gave them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar, overload

from tx_graph.core.arguments import Ref
from tx_graph.core.errors import UsageError
from tx_graph.graph.edges import Direction, EdgeType, Relation
from tx_graph.graph.expand import Limits, Profile

_STANDARD = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEdge:
    """An edge that somebody asserts, from a learning: a LINKS_TO edge to another one, or an ANCHORED_TO edge to code.

    `relation` and `weight` in [0, 1] are those of a link. The target of an anchor is written
    `PATH[::SYMBOL][:L1-L2]`.
    """

    source: Ref
    target: Ref
    type: EdgeType = EdgeType.LINKS_TO
    relation: Relation = Relation.REFERENCES
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEdge:
    """An edge as it is stored, named by what it says: its type, its ends as references, and its relation.

    Of an anchor, `relation` is how it finds its place and `description` the anchor as one writes it. `weight` lies in
    [0, 1].
    """

    type: EdgeType
    source: str
    target: str
    relation: str = ""
    weight: float = 1.0
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraverseOptions:
    """How far a traversal goes, which edges it follows, and how it scores what it meets (see `Limits`, `Profile`).

    No `edge_types` stand for all of them. `limit` is the most nodes that are told, from 1 to 10,000.
    """

    depth: int = _STANDARD.depth
    decay: float = _STANDARD.decay
    max_nodes: int = _STANDARD.max_nodes
    profile: Profile = Profile.DECAY
    edge_types: Sequence[EdgeType | str] = ()
    exclude_edge_types: Sequence[EdgeType | str] = ()
    direction: Direction = Direction.BOTH
    limit: int = 100


_Choice = TypeVar("_Choice", bound=StrEnum)
_Item = TypeVar("_Item")


@overload
def chosen(kind: type[_Choice], given: _Choice) -> _Choice: ...
@overload
def chosen(kind: type[_Choice], given: _Choice | None) -> _Choice | None: ...
def chosen(kind: type[_Choice], given: _Choice | None) -> _Choice | None:
    """Return a choice, also for its value alone, which is equal to it but not the same; None stays None.

    Raises:
        UsageError: There is no such choice.
    """
    try:
        return None if given is None else kind(given)
    except ValueError:
        raise UsageError(f"'{given}' is no {kind.__name__}.", hint=f"Choose from {', '.join(kind)}.") from None


@overload
def several(given: str) -> tuple[str, ...]: ...
@overload
def several(given: Iterable[_Item]) -> tuple[_Item, ...]: ...
def several(given: Iterable[_Item] | str) -> tuple[_Item | str, ...]:
    """Return what was given; a text alone is one thing, although Python takes it for a sequence of its letters."""
    return (given,) if isinstance(given, str) else tuple(given)
