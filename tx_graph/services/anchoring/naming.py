"""Finds the anchors of a learning that people mean, however they spell the place."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.domain.anchor import Anchor, AnchorRequest, parse_anchor
from tx_graph.errors import UsageError
from tx_graph.services.anchoring.taking import Anchoring


def anchors_named(spec: str, anchors: Sequence[Anchor], anchoring: Anchoring) -> list[Anchor]:
    """Return the anchors that `spec` names: one as it is written, or every anchor to a file; empty if there is none.

    The path may be spelled from the root or from the working directory.
    """
    if exact := [anchor for anchor in anchors if anchor.spec == spec]:
        return exact
    spellings = _spellings(spec, anchoring)
    return [anchor for anchor in anchors if anchor.spec in spellings] or [
        anchor for anchor in anchors if anchor.path in spellings
    ]


def tail_of(request: AnchorRequest) -> str:
    """Return what stands behind the path in the spec of an anchor: `::login`, `:L10-L20` or nothing."""
    if request.lines:
        return f":L{request.lines[0]}-L{request.lines[1]}"
    return f"::{request.symbol}" if request.symbol else ""


def _spellings(spec: str, anchoring: Anchoring) -> list[str]:
    request = parse_anchor(spec)
    try:
        return [f"{path}{tail_of(request)}" for path in anchoring.candidates(request.path)]
    except UsageError:
        return []
