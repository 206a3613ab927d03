"""The sections and symbols that people name as sources of facts: taken with the fact, and judged as anchors are."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import NamedTuple

from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.taking import Anchoring
from tx_graph.anchors.verdict import Judgement
from tx_graph.core.errors import TxError
from tx_graph.core.kernel import Kernel
from tx_graph.knowledge.fact import Fact
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints, parse_anchor


class Place(NamedTuple):
    """Where something is said, from the root of the repository, and its fingerprints as a record holds them."""

    ref: str
    print: str | None = None


def place_of(kernel: Kernel, ref: str) -> Place:
    """Return the section or symbol that a source reference names, as it is now; anything else as it was written."""
    with suppress(TxError):
        request = parse_anchor(ref)
        if request.symbol and kernel.checkout.tree.existing(request.path):
            anchor = kernel.one(Anchoring).take(request)
            taken = asdict(anchor.fingerprints) if anchor.fingerprints else {}
            return Place(anchor.spec, " ".join(f"{name}={value}" for name, value in taken.items() if value))
    return Place(ref)


def judged(kernel: Kernel, facts: Iterable[Fact]) -> dict[str, Judgement]:
    """Return what became of the places that say these facts, by the facts' uids; of other facts nothing."""
    anchors = {fact.uid: anchor for fact in facts if (anchor := anchor_of(fact))}
    found = Standings(kernel).judged(list(anchors.values())) if anchors else ()
    return dict(zip(anchors, found, strict=True))


def anchor_of(fact: Fact) -> Anchor | None:
    """Return the place that says a fact as an anchor, with what was there then; None where it names none."""
    pairs = [pair.partition("=") for pair in (fact.source_print or "").split()]
    taken = {name: value for name, _, value in pairs if name in Fingerprints.__dataclass_fields__}
    request = parse_anchor(fact.source_ref) if fact.source_ref else None
    if request is None or not request.symbol or not taken.get("content"):
        return None
    return Anchor(path=request.path, type=AnchorType.SYMBOL, symbol=request.symbol, fingerprints=Fingerprints(**taken))
