"""Chooses which of the sections that were found are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.services.doc_search.walking import Way

SUPPORT_SHARE = 0.2
"""What support counts beside likeness. On 49 questions to the documents of three repositories recall@5 was .42 by
likeness alone, and .48 to .50 with shares from .07 to .3."""


class Candidate(NamedTuple):
    """A section in the ranking; sorts best first.

    Ties go to fewer hops, then to what is more like the question, then to the smaller node. `worth` is its likeness
    and what others say for it.
    """

    place: tuple[float, int, float, NodeId]
    node: NodeId
    way: Way | None
    worth: float

    @property
    def score(self) -> float:
        """Its score in [0, 1]."""
        return -self.place[0]


def candidate(node: NodeId, score: float, *, way: Way | None, likeness: float, support: float) -> Candidate:
    """Return a section with its place in the ranking; a seed has no way."""
    place = (-score, way.hops if way else 0, -likeness, node)
    return Candidate(place, node, way, likeness + SUPPORT_SHARE * support)


def with_places_kept(candidates: Sequence[Candidate], *, limit: int, slots: int) -> list[Candidate]:
    """Return the best candidates, best first, so that `slots` of them, if there are so many, are not seeds."""
    ranked = sorted(candidates)
    kept = [one for one in ranked if one.way][: min(slots, limit)]
    others = [one for one in ranked if one not in kept]
    return sorted([*kept, *others[: limit - len(kept)]])


def most_worth(candidates: Sequence[Candidate], *, limit: int) -> list[Candidate]:
    """Return the best half by score and those of the others that are worth most, seeds or not, best score first.

    By score alone nothing that only relations lead to would be shown: no edge outweighs the likeness of a seed, not
    even that of one which nothing speaks for.
    """
    ranked = sorted(candidates)
    half = max(1, limit // 2)
    first, others = ranked[:half], ranked[half:]
    others.sort(key=lambda one: (-one.worth, one.place))
    return sorted([*first, *others[: limit - len(first)]])
