"""A learning as a JSON object with stable keys: what an import elsewhere takes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tx_graph.domain.anchor import Anchor
from tx_graph.domain.learning import StoredLearning
from tx_graph.retrieval.scoring import feedback

Shape = dict[str, Any]


def learning_shape(stored: StoredLearning) -> Shape:
    """Return a learning with its record and its local counts."""
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
        "anchors": [anchor_shape(one) for one in record.anchors],
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


def anchor_shape(anchor: Anchor) -> Shape:
    """Return an anchor with all that an import elsewhere needs."""
    taken = anchor.fingerprints
    kept = {key: value for key, value in asdict(taken).items() if value} if taken else None
    return place_shape(anchor) | {"text": anchor.text, "fingerprints": kept}


def place_shape(anchor: Anchor) -> Shape:
    """Return where an anchor is, and what people said of it."""
    invalidated = anchor.invalidated
    return {
        "anchor": anchor.spec,
        "path": anchor.path,
        "type": anchor.type.value,
        "symbol": anchor.symbol,
        "lines": f"{anchor.lines[0]}-{anchor.lines[1]}" if anchor.lines else None,
        "content_hash": anchor.fingerprints.content if anchor.fingerprints else None,
        "pinned": anchor.pinned,
        "invalidated": {"reason": invalidated.reason, "at": invalidated.at} if invalidated else None,
    }
