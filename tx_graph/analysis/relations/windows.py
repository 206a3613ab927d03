"""Sliding windows over what stands in one order: which passages a model sees together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tx_graph.errors import UsageError

Item = TypeVar("Item")

LEAST_TOGETHER = 2
"""A relation needs two ends."""


def windows(items: Sequence[Item], *, size: int, overlap: int = 0) -> list[tuple[Item, ...]]:
    """Return windows of `size` items, each sharing `overlap` with the one before; every item is in at least one.

    The last one may be smaller. Where a single item would be left over, it is extended backwards to two. Fewer than
    two items have nothing to be related with, and give no window.

    Raises:
        UsageError: A window could hold no two items, or would never move on.
    """
    check_windows(size=size, overlap=overlap)
    if len(items) < LEAST_TOGETHER:
        return []
    found = []
    for start in range(0, len(items), size - overlap):
        end = min(start + size, len(items))
        found.append(tuple(items[min(start, end - LEAST_TOGETHER) : end]))
        if end == len(items):  # a further window would hold only what this one does
            break
    return found


def check_windows(*, size: int, overlap: int) -> None:
    """Refuse windows that hold no two items, or do not move on.

    Raises:
        UsageError: They are such.
    """
    if size < LEAST_TOGETHER:
        raise UsageError(f"A batch must hold at least {LEAST_TOGETHER} sections, not {size}.")
    if not 0 <= overlap < size:
        raise UsageError(f"The overlap must be at least 0 and smaller than the batch, not {overlap} of {size}.")
