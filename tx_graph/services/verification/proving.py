"""Proves findings from history: which commit changed the code, and in which lines."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import unified_diff

from tx_graph.domain.anchor import Anchor
from tx_graph.domain.verdict import Judgement
from tx_graph.services.anchoring.evidence import Change, Evidence, Held
from tx_graph.services.anchoring.sources import Sources

_CONTEXT = 1
"""Unchanged lines shown around a change."""

Proof = tuple[Change | None, tuple[str, ...]]
"""The commit that changed anchored code, if known, and lines of a unified diff."""

NO_PROOF: Proof = (None, ())


def proof_of(judgement: Judgement, *, sources: Sources, evidence: Evidence | None) -> Proof:
    """Return what is known of how a finding came about."""
    anchor = judgement.anchor
    held = evidence.last_held(anchor) if evidence and anchor.fingerprints else None
    old = _old_lines(anchor, held)
    if old is None:
        return (held.change if held else None, ())
    return (held.change if held else None, _difference(old, _new_lines(judgement, sources)))


def _old_lines(anchor: Anchor, held: Held | None) -> list[str] | None:
    if anchor.text is not None:
        return anchor.text.split("\n")
    if held is None:
        return None
    first, last = held.lines
    return held.source.lines[first - 1 : last]


def _new_lines(judgement: Judgement, sources: Sources) -> list[str]:
    there = judgement.relocated_to or judgement.anchor
    source = sources.get(there.path)
    if source is None or judgement.drift is None:
        return []
    first, last = judgement.lines or (1, len(source.lines))
    return source.lines[first - 1 : last]


def _difference(old: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    """Return the changed lines with their signs, and `@@` between places that lie apart; none of what is no text."""
    lines = list(unified_diff(list(old), list(new), n=_CONTEXT, lineterm=""))[3:]
    if any("\0" in line for line in lines):
        return ()
    return tuple("@@" if line.startswith("@@") else line for line in lines)
