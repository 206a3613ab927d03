"""Takes an anchor anew at the place where it is: somebody looked, or nothing that matters changed."""

from __future__ import annotations

from dataclasses import replace

from tx_graph.domain.anchor import Anchor, AnchorType, Fingerprints
from tx_graph.services.anchoring.sources import Sources, SourceText


def refreshed(anchor: Anchor, sources: Sources) -> Anchor | None:
    """Return an anchor with fingerprints of what is at its place now; None when its place is gone."""
    if anchor.type is AnchorType.GLOB:
        return anchor
    source = sources.get(anchor.path)
    taken = taken_from(anchor, source) if source else None
    if source is None or taken is None:
        return None
    text = source.text_of(anchor.lines) if anchor.text is not None and anchor.lines else None
    return replace(anchor, fingerprints=taken, text=text)


def taken_from(anchor: Anchor, source: SourceText) -> Fingerprints | None:
    """Return the fingerprints of an anchor's place in one version of its file; None where it has no such place."""
    if anchor.type is AnchorType.SYMBOL:
        symbol = source.symbol(anchor.symbol or "")
        return source.anchored(symbol) if symbol else None
    if anchor.lines is None:
        return source.whole()
    return source.of_lines(anchor.lines) if anchor.lines[1] <= len(source.lines) else None
