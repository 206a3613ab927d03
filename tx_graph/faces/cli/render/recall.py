"""What recall answers: for people, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from tx_graph.faces.cli.render import facts, words
from tx_graph.faces.cli.render.terminal import note, printable

if TYPE_CHECKING:
    from tx_graph.context.recall import Anchor, RecallAnswer, RecalledFact


_MATCHED = {
    "name": "named",
    "alias": "named by an alias",
    "vector": "alike, {score}",
    "words": "by words, {score}",
}


def shape(answer: RecallAnswer) -> dict[str, Any]:
    """Return an answer as one JSON document."""
    return {
        "query": answer.query,
        "anchors": [_anchor_shape(anchor) for anchor in answer.anchors],
        "facts": [fact_shape(one) for one in answer.facts],
        "narrative": answer.narrative,
        "found": answer.found,
        "omitted": answer.omitted,
        "notices": list(answer.notices),
    }


def _anchor_shape(anchor: Anchor) -> dict[str, Any]:
    return {
        "ref": anchor.entity.ref,
        "name": anchor.entity.name,
        "type": anchor.entity.type,
        "score": anchor.score,
        "matched_by": anchor.matched_by.value,
    }


def fact_shape(one: RecalledFact) -> dict[str, Any]:
    """Return a recalled fact; its verdict is that of its document, null where it comes from none."""
    return facts.shape(one.stored, score=one.score) | {
        "hops": one.hops,
        "verdict": one.state.value if one.state else None,
        "conflicting": one.is_conflicting,
    }


def print_answer(answer: RecallAnswer) -> None:
    """Print the narrative, and beside it, for people, where it starts and what is left out."""
    if answer.narrative:
        typer.echo(answer.narrative)
    for sentence in _remarks(answer):
        note(sentence)


def _remarks(answer: RecallAnswer) -> list[str]:
    """Return what is to say beside the narrative."""
    if not answer.anchors:
        return ["No entity is named or meant. 'tx entity:list' shows those there are."]
    start = "; ".join(f"{printable(anchor.entity.name)} ({_how(anchor)})" for anchor in answer.anchors)
    if not answer.found:
        return [f"Nothing is known about {start}."]
    remarks = [f"From {start}."]
    if answer.omitted:
        remarks.append(f"{words.counted(answer.omitted, 'more fact')}: see --max-facts, --per-entity and --budget.")
    return remarks


def _how(anchor: Anchor) -> str:
    return _MATCHED[anchor.matched_by.value].format(score=words.score(anchor.score))
