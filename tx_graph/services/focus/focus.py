"""The focus view: one node, and everything worth knowing around it within a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tx_graph.errors import NotFound
from tx_graph.retrieval.focus import Found, Relationship, Shuffle, Walk, ancestors, cost_by
from tx_graph.services.focus.families import Families
from tx_graph.services.focus.place import Place
from tx_graph.services.focus.resolving import Resolving
from tx_graph.services.focus.values import FocusRequest, FocusView


class Focus:
    """Looks around nodes; `gather` brings the families together to answer one question."""

    def __init__(self, *, resolving: Resolving, gather: Callable[[], Families]) -> None:
        self._resolving = resolving
        self._gather = gather

    def view(self, request: FocusRequest) -> FocusView:
        """Return what the reference names, and what is related to it.

        Raises:
            NotFound: The reference names nothing, or more than one thing.
            UsageError: It leads out of the repository, or names what has no place in a tree.
        """
        families = self._gather()
        place = self._resolving.place(request.ref, families)
        note = families.whole(place)
        if note is None:
            raise NotFound(f"'{request.ref}' is not there any more.", hint="Run 'tx index' and 'tx doc:ingest'.")
        found = Walk(
            families,
            place,
            budget=request.budget,
            cost=cost_by(request.tokens_by),
            shuffled=_shuffle(request.seed),
        ).run()
        return FocusView(
            focus=note,
            path=_path(families, place),
            children=_listed(found, Relationship.CHILD),
            older_siblings=_listed(found, Relationship.OLDER_SIBLING),
            younger_siblings=_listed(found, Relationship.YOUNGER_SIBLING),
            inbound_references=_listed(found, Relationship.REFERENCE_BY),
            related=tuple(found.related.values()),
            tokens=found.tokens,
            budget=request.budget,
            omitted=found.omitted,
        )


def _path(families: Families, place: Place) -> tuple[str, ...]:
    above = ancestors(families, place)[::-1]
    told = families.tell(above)
    return tuple(told[one].ref for one in above if one in told)


def _listed(found: Found[Place], relationship: Relationship) -> tuple[str, ...]:
    return tuple(found.related[place].note.ref for place in found.listed(relationship))


def _shuffle(seed: int | None) -> Shuffle[Place] | None:
    if seed is None:
        return None
    chance = Random(seed)  # noqa: S311 - to vary answers, not to keep secrets

    def shuffled(places: Sequence[Place]) -> Sequence[Place]:
        return chance.sample(places, len(places))

    return shuffled
