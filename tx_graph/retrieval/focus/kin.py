"""Kin: whom a node is related to, as whoever knows the graph answers it, and what follows from these answers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import zip_longest
from typing import Protocol, TypeVar

from tx_graph.retrieval.focus.note import Note

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
