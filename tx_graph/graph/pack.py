"""Packing: which items of a document fit into a budget. Whole items only, and what is measured is the document."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError

Chosen = tuple[tuple[int, ...], ...]
"""For each section the places of the items that are in, in their order."""
Cost = Callable[[Chosen], int]
"""Says what the whole document costs with these items, headings and the line about the others included."""


_MOST_OF_ONE = 2 / 3
"""Of the budget for all items, so much at most goes to the best item of a section that it is too big for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Items that want a place, best first: how many, and the share of the budget that is theirs, in [0, 1].

    One that `is_capped` takes nothing of what others leave, as long as there are others with items that do.
    """

    items: int
    share: float
    is_capped: bool = False


def packed(sections: Sequence[Section], *, budget: int, cost: Cost) -> Chosen:
    """Return the items that go in: the document with them costs at most `budget`.

    Sections take their shares in turn, the best item of each even where that is bigger than the share: what matters
    most is not crowded out by what is small. What one section leaves goes to those after it, and what is left in the
    end to whoever still has items, again in turn. A smaller item may get in after a bigger one did not.
    """
    chosen: Chosen = tuple(() for _ in sections)
    frame = cost(chosen)
    if frame > budget:
        raise UsageError(
            f"A budget of {budget:,} tokens is too small: the page takes {frame:,} without a word on it.",
            hint=f"Give it at least {frame:,}.",
        )
    allowance = float(frame)
    for place, section in enumerate(sections):
        allowance += section.share * (budget - frame)
        if not section.items:
            continue
        before = cost(chosen)
        most = before + int(_MOST_OF_ONE * (budget - frame))
        own = before + section.share * (budget - frame)
        chosen = _filled(chosen, place, 1, limit=min(budget, most), cost=cost)
        limit = min(budget, int(min(allowance, own) if section.is_capped else allowance))
        chosen = _filled(chosen, place, section.items, limit=limit, cost=cost)
    for place, section in enumerate(sections):
        if not section.is_capped or not chosen[place] or not any(one.items for one in sections if not one.is_capped):
            chosen = _filled(chosen, place, section.items, limit=budget, cost=cost)
    return chosen


def _filled(chosen: Chosen, place: int, items: int, *, limit: int, cost: Cost) -> Chosen:
    """Return what was chosen with as many more items of one section as the limit allows, better ones first."""
    wanted = [item for item in range(items) if item not in chosen[place]]
    all_of_them = _with(chosen, place, wanted)
    if not wanted or cost(all_of_them) <= limit:
        return all_of_them
    for item in wanted:
        more = _with(chosen, place, [item])
        if cost(more) <= limit:
            chosen = more
    return chosen


def _with(chosen: Chosen, place: int, items: Sequence[int]) -> Chosen:
    return (*chosen[:place], tuple(sorted((*chosen[place], *items))), *chosen[place + 1 :])
