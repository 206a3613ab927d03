"""Fallbacks: anchors that count only where the stronger ones of their learning are lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.core.dataclass import replace
from tx_graph.graph.edges import NodeId
from tx_graph.records.anchor import AnchorType, Reason
from tx_graph.records.anchor_store import AnchorRow


def with_fallbacks(rows: Sequence[AnchorRow], judgements: Sequence[Judgement]) -> list[Judgement]:
    """Return the judgements of all anchors of some learnings as their fallbacks leave them.

    While one of the others is there, fallbacks are in reserve. Once all are lost, the strongest fallback that holds
    stands in for them, or the strongest that is there at all. What is lost with all fallbacks stays lost, and nothing
    stands in for what somebody invalidated.
    """
    found = list(judgements)
    places: dict[NodeId, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        places[row.learning].append(place)
    for several in places.values():
        own = [place for place in several if not rows[place].anchor.fallback]
        spare = [place for place in several if rows[place].anchor.fallback]
        if not own or not spare:
            continue
        there = [place for place in spare if judgements[place].verdict is not Verdict.INVALID]
        are_lost = all(judgements[place].verdict is Verdict.INVALID for place in own)
        if are_lost and not there:
            continue
        standing_in = min(there, key=lambda place: _weakness(judgements[place])) if are_lost else None
        for place in spare:
            if place != standing_in:
                found[place] = Judgement(anchor=rows[place].anchor, verdict=Verdict.RESERVE, detail=_UNNEEDED)
        if standing_in is not None:
            for place in own:
                if judgements[place].reason is not Reason.INVALIDATED:
                    found[place] = _held(judgements[place], judgements[standing_in])
    return found


_UNNEEDED = "a fallback, not needed"
_STRENGTH = (AnchorType.SYMBOL, AnchorType.LINES, AnchorType.HASH, AnchorType.GLOB)


def _weakness(judgement: Judgement) -> tuple[bool, int, str]:
    anchor = judgement.anchor
    return judgement.is_finding, _STRENGTH.index(anchor.type), anchor.spec


def _held(lost: Judgement, by: Judgement) -> Judgement:
    changed = ", which changed" if by.is_finding else ""
    detail = f"{lost.detail}; held by its fallback {by.anchor.spec}{changed}"
    return replace(lost, verdict=Verdict.RELOCATED, candidates=(), detail=detail, held_by=by.anchor)
