"""The narrative within a budget of tokens: as many facts as fit, the better ones first."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.domain.edges import NodeId
from tx_graph.domain.tokens import CountTokens
from tx_graph.retrieval.packing import Chosen, Section, packed
from tx_graph.retrieval.recall import Told, narrative
from tx_graph.services.recall.values import RecalledFact


def fitting(
    facts: Sequence[RecalledFact], entities: Sequence[NodeId], *, budget: int | None, count: CountTokens
) -> tuple[Sequence[RecalledFact], str]:
    """Return the facts that the budget holds, and their narrative; its last line says what did not get in.

    Raises:
        UsageError: Not even that line fits.
    """
    if budget is None:
        return facts, _text(facts, entities)
    chosen = packed(
        [Section(items=len(facts), share=1.0)],
        budget=budget,
        cost=lambda chosen: count(_cut(facts, entities, chosen)),
    )
    return [facts[place] for place in chosen[0]], _cut(facts, entities, chosen)


def _cut(facts: Sequence[RecalledFact], entities: Sequence[NodeId], chosen: Chosen) -> str:
    text = _text([facts[place] for place in chosen[0]], entities)
    left = len(facts) - len(chosen[0])
    more = f"… and {left:,} more {'fact' if left == 1 else 'facts'}; a bigger --budget shows more." if left else ""
    return "\n\n".join(filter(None, (text, more)))


def _text(facts: Sequence[RecalledFact], entities: Sequence[NodeId]) -> str:
    return narrative((Told(one.stored, one.marks) for one in facts), entities)
