"""Where to point at in the checkout, for services that refuse places which do not exist."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tx_graph.anchors.verdict import Judgement
from tx_graph.anchors.verify import Checked
from tx_graph.core.layout import DIRECTORY, LEARNINGS
from tx_graph.records.anchor import AnchorType, Reason


class Place(NamedTuple):
    """Lines of a file, its path below the repository's root."""

    path: str
    first: int
    last: int


def place_of(checked: Checked, root: Path) -> Place:
    """Return where the anchored code lies now: its file where it is gone, the learning's record where that is, too."""
    judgement = checked.judgement
    there = judgement.relocated_to or judgement.anchor
    first, last = judgement.lines or (1, 1)
    if _may_point_at_code(judgement) and (root / there.path).is_file():
        return Place(there.path, max(1, first), max(1, first, last))
    return Place(record_of(checked), 1, 1)


def record_of(checked: Checked) -> str:
    """Return the path of the learning's record."""
    return f"{DIRECTORY}/{LEARNINGS}/{checked.learning.record}"


def _may_point_at_code(judgement: Judgement) -> bool:
    is_glob = judgement.anchor.type is AnchorType.GLOB
    return not is_glob and judgement.reason not in (Reason.OUTSIDE_REPOSITORY, Reason.INVALIDATED)
