"""The domain's values as JSON objects: snake_case, stable keys, UTC times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tx_graph.records.anchor import Anchor
from tx_graph.records.learning import StoredLearning

if TYPE_CHECKING:
    from tx_graph.anchors.verdict import Standing


Shape = dict[str, Any]
learning = StoredLearning.as_json
anchor = Anchor.as_json


def learnings(many: Iterable[StoredLearning], standings: Mapping[int, Standing] | None = None) -> Shape:
    """Return a list of learnings, with what is said of their code if that was asked."""
    told = {number: {"verdict": one.value, "stale": one.is_stale} for number, one in (standings or {}).items()}
    return {"learnings": [learning(stored) | told.get(stored.id, {}) for stored in many]}
