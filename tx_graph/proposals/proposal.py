"""Proposals: learnings that a repository's own words suggest, before anybody has confirmed them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tx_graph.graph.edges import NodeId
from tx_graph.records.anchor import AnchorRequest
from tx_graph.records.learning import SourceType


class Reason(NamedTuple):
    """Why something is worth proposing, and how much that counts: from 0, not at all, to 1, beyond doubt."""

    name: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A learning to propose.

    `source_ref` is what makes it the same proposal again, whatever became of the learning. `confidence` lies in (0, 1)
    and comes from the `reasons`, which are named. `time` is when it was written, in seconds since the epoch, None where
    that is not known. One that `stands_alone` is worth knowing also where nothing ties it to code. `derived_from` are
    the nodes of the runs it comes from, and `evidence` quotes what it rests on.
    """

    content: str
    category: str
    confidence: float
    reasons: tuple[str, ...]
    source_type: SourceType
    source_ref: str
    anchors: tuple[AnchorRequest, ...] = ()
    time: int | None = None
    stands_alone: bool = False
    derived_from: tuple[NodeId, ...] = ()
    evidence: tuple[str, ...] = ()

    @property
    def rank(self) -> tuple[float, int, str]:
        """What proposals are sorted by: the surest first, of equals the youngest."""
        return (-self.confidence, -(self.time or 0), self.source_ref)
