"""The domain's values as JSON objects: snake_case, stable keys, UTC times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tx_graph.records.anchor import Anchor
from tx_graph.records.learning import StoredLearning

if TYPE_CHECKING:
    from tx_graph.anchors.verdict import Judgement, Standing
    from tx_graph.context.graph import Neighbor, Step
    from tx_graph.graph.references import Node


Shape = dict[str, Any]
learning = StoredLearning.as_json
anchor = Anchor.as_json


def learnings(many: Iterable[StoredLearning], standings: Mapping[int, Standing] | None = None) -> Shape:
    """Return a list of learnings, with what is said of their code if that was asked."""
    told = {number: verdict(one) for number, one in (standings or {}).items()}
    return {"learnings": [learning(stored) | told.get(stored.id, {}) for stored in many]}


def verdict(told: Standing) -> Shape:
    """Return what is said of a learning's code."""
    return {"verdict": told.value, "stale": told.is_stale}


def judged_learning(stored: StoredLearning, told: Standing, anchors: Iterable[Judgement]) -> Shape:
    """Return a learning with what is said of its code and of each of its anchors."""
    return learning(stored) | verdict(told) | {"anchors": [judged.as_json() for judged in anchors]}


def node(one: Node) -> Shape:
    """Return a node, a learning with its status."""
    status = {"status": one.status.value} if one.status else {}
    return {"ref": one.ref, "kind": one.kind.value, "key": one.key} | status


def step(one: Step) -> Shape:
    """Return one edge of a path."""
    return {
        "source": one.source,
        "target": one.target,
        "type": one.type,
        "weight": one.weight,
        "relation": one.relation or None,
        "description": one.description or None,
        "forward": one.forward,
    }


def neighbor(one: Neighbor) -> Shape:
    """Return a node that a walk reached."""
    return {
        "ref": one.ref,
        "kind": one.kind.value,
        "score": one.score,
        "hops": one.hops,
        "path": list(one.path),
        "edges": [step(edge) for edge in one.steps],
        **(verdict(one.standing) if one.standing else {}),
    }
