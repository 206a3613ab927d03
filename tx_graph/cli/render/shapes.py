"""The domain's values as JSON objects: snake_case, stable keys, UTC times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tx_graph.retrieval.scoring import feedback

if TYPE_CHECKING:
    from tx_graph.domain.anchor import Anchor
    from tx_graph.domain.learning import StoredLearning
    from tx_graph.domain.verdict import Judgement, Standing
    from tx_graph.services.paths import Neighbor, Step
    from tx_graph.services.references import Node

Shape = dict[str, Any]


def learning(stored: StoredLearning) -> Shape:
    """Return a learning."""
    record, usage = stored.learning, stored.usage
    return {
        "id": stored.id,
        "uid": record.uid,
        "content": record.content,
        "category": record.category,
        "keywords": list(record.keywords),
        "status": record.status.value,
        "confidence": record.confidence,
        "source_type": record.source_type.value,
        "source_ref": record.source_ref,
        "anchors": [anchor(one) for one in record.anchors],
        "links": [{"target": one.target, "relation": one.relation.value, "weight": one.weight} for one in record.links],
        "superseded_by": record.superseded_by,
        "created_at": record.created_at,
        "updated_at": stored.updated_at,
        "removed_at": record.removed_at,
        "removal_reason": record.removal_reason,
        "usage_count": usage.count,
        "last_used_at": usage.last_used_at,
        "feedback_score": feedback(helpful=usage.helpful, used=usage.count),
        "record": f".tx/learnings/{stored.record}",
    }


def learnings(many: Iterable[StoredLearning], standings: Mapping[int, Standing] | None = None) -> Shape:
    """Return a list of learnings, with what is said of their code if that was asked."""
    told = {number: verdict(one) for number, one in (standings or {}).items()}
    return {"learnings": [learning(stored) | told.get(stored.id, {}) for stored in many]}


def anchor(one: Anchor) -> Shape:
    """Return an anchor with all that an import elsewhere needs."""
    taken = one.fingerprints
    kept = {key: value for key, value in asdict(taken).items() if value} if taken else None
    return _place(one) | {"text": one.text, "fingerprints": kept}


def _place(one: Anchor) -> Shape:
    return {
        "anchor": one.spec,
        "path": one.path,
        "type": one.type.value,
        "symbol": one.symbol,
        "lines": f"{one.lines[0]}-{one.lines[1]}" if one.lines else None,
        "content_hash": one.fingerprints.content if one.fingerprints else None,
        "pinned": one.pinned,
        "invalidated": {"reason": one.invalidated.reason, "at": one.invalidated.at} if one.invalidated else None,
    }


def verdict(told: Standing) -> Shape:
    """Return what is said of a learning's code."""
    return {"verdict": told.value, "stale": told.is_stale}


def judged_learning(stored: StoredLearning, told: Standing, anchors: Iterable[Judgement]) -> Shape:
    """Return a learning with what is said of its code and of each of its anchors."""
    return learning(stored) | verdict(told) | {"anchors": [standing(judged) for judged in anchors]}


def standing(judged: Judgement) -> Shape:
    """Return an anchor with what is said of it now."""
    first, last = judged.lines or (None, None)
    return _place(judged.anchor) | {
        "verdict": judged.standing.value,
        "drift": judged.drift.value if judged.drift else None,
        "reason": judged.reason.value if judged.reason else None,
        "detail": judged.detail,
        "line_start": first,
        "line_end": last,
        "relocated_to": judged.relocated_to.spec if judged.relocated_to else None,
    }


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
