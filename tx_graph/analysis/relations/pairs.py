"""Pairs of passages put together into batches, so that a model sees both ends of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from tx_graph.analysis.relations.windows import check_windows

Item = TypeVar("Item")


def packed(pairs: Iterable[tuple[Item, Item]], *, size: int) -> list[tuple[Item, ...]]:
    """Return batches of at most `size` items in which every pair stands together, in the order of the pairs.

    A pair joins the batch under way where there is room for what it adds, else it begins a new one.

    Raises:
        UsageError: A batch could hold no pair.
    """
    check_windows(size=size, overlap=0)
    found: list[tuple[Item, ...]] = []
    current: dict[Item, None] = {}
    for pair in pairs:
        joined = current | dict.fromkeys(pair)
        if len(joined) > size:
            found.append(tuple(current))
            joined = dict.fromkeys(pair)
        current = joined
    return [*found, tuple(current)] if current else found
