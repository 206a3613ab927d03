"""Chance as an argument: the same seed gives the same replay, and nothing in here throws dice of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

Chance = Callable[[int], int]
"""Returns a whole number from 0 up to, but not including, the one it is given; all are equally likely."""


def drawn(items: Sequence[Item], count: int, chance: Chance) -> list[Item]:
    """Return at most `count` of the items, none twice, in the order in which they are given."""
    places = list(range(len(items)))
    for place in range(min(count, len(places))):
        other = place + chance(len(places) - place)
        places[place], places[other] = places[other], places[place]
    return [items[place] for place in sorted(places[:count])]
