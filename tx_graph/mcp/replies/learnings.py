"""A learning as an item of a reply: what to know of it before reading it, and what it says, quoted."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.domain.inert import inert_line, label, quoted
from tx_graph.domain.learning import Status, StoredLearning
from tx_graph.domain.verdict import Judgement, Standing
from tx_graph.mcp.replies.packing import Item
from tx_graph.mcp.replies.reply import Shape
from tx_graph.mcp.replies.words import BETWEEN, brief, code
from tx_graph.services.context.wording import STAGED, verdict

_MOST_ANCHORS = 5


def learning_item(
    stored: StoredLearning,
    standing: Standing,
    anchors: Sequence[Judgement] = (),
    *,
    most: int,
    reasons: Sequence[str] = (),
    extra: Shape | None = None,
) -> Item:
    """Return a learning with the verdict on its code; of its content at most so many characters."""
    content = brief(stored.learning.content, most)
    heading = BETWEEN.join((f"**{stored.ref}**", *_facts(stored, standing, anchors), *map(inert_line, reasons)))
    return Item(text=f"{heading}\n{quoted(content)}", shape=_shape(stored, content, standing, anchors) | (extra or {}))


def _facts(stored: StoredLearning, standing: Standing, anchors: Sequence[Judgement]) -> list[str]:
    learning = stored.learning
    told = [label(learning.category)] if learning.category else []
    told.append(verdict(standing))
    if learning.status is not Status.ACTIVE:
        told.append(STAGED if learning.status is Status.STAGED else learning.status.value)
    if learning.confidence < 1:
        told.append(f"confidence {learning.confidence:.2g}")
    told.append(f"{_source(stored)}, {learning.created_at[:10]}")
    if anchors:
        told.append(f"anchored to {', '.join(code(one.anchor.spec) for one in anchors[:_MOST_ANCHORS])}")
    return told


def _source(stored: StoredLearning) -> str:
    """Return where a learning came from: `agent`, `task GH-123`."""
    kind = stored.learning.source_type.value
    ref = inert_line(stored.learning.source_ref or "").removeprefix(f"{kind}:")
    return f"{kind} {label(ref)}" if ref else kind


def _shape(stored: StoredLearning, content: str, standing: Standing, anchors: Sequence[Judgement]) -> Shape:
    """Return the learning as `--json` has it, without what an agent does not need."""
    learning = stored.learning
    return {
        "id": stored.id,
        "uid": learning.uid,
        "content": content,
        "content_truncated": True if len(content) < len(learning.content) else None,
        "category": learning.category,
        "status": learning.status.value,
        "verdict": standing.value,
        "stale": True if standing.is_stale else None,
        "confidence": learning.confidence if learning.confidence < 1 else None,
        "source_type": learning.source_type.value,
        "source_ref": learning.source_ref,
        "superseded_by": learning.superseded_by,
        "created_at": learning.created_at,
        "anchors": [_anchor(one) for one in anchors[:_MOST_ANCHORS]],
    }


def _anchor(judged: Judgement) -> Shape:
    there = judged.relocated_to
    return {
        "anchor": judged.anchor.spec,
        "verdict": judged.standing.value,
        "detail": judged.detail if judged.standing is not Standing.FRESH else None,
        "relocated_to": there.spec if there else None,
    }
