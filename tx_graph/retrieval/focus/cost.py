"""What a note takes of the budget, by rules of thumb with a name."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum

from tx_graph.domain.tokens import by_bytes, by_characters
from tx_graph.retrieval.focus.note import Note, Related, shape
from tx_graph.retrieval.focus.relationship import Relationship

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
