"""Writes down what happened to anchors, and which commits a learning is to be called invalidated by."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.domain.anchor import Anchor
from tx_graph.domain.anchor_event import AnchorEvent
from tx_graph.domain.edges import NodeId
from tx_graph.services.anchoring.lives import AnchorKey, commits_blamed, lives
from tx_graph.storage.stores import Stores


class Journal:
    """Keeps the log, and the INVALIDATED_BY edges equal to what it says of the anchors that are there."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def told_of(self, learning: NodeId) -> dict[AnchorKey, str | None]:
        """Return the commits that the log names for what verification last said of a learning's anchors."""
        return {key: life.broken_by for key, life in lives(self._stores.anchor_log.of(learning)).items()}

    def explain(self, learning: NodeId, anchor: Anchor, commit: str, *, at: str) -> None:
        """Name the commit behind what was found before it was made. Needs a transaction."""
        self._stores.anchor_log.explain(learning, anchor, commit)
        self.settle(learning, at=at)

    def append(self, learning: NodeId, events: Sequence[AnchorEvent]) -> None:
        """Add events of one learning's anchors, once these are as the events leave them. Needs a transaction."""
        self._stores.anchor_log.append([(learning, event) for event in events])
        if events:
            self.settle(learning, at=events[-1].at)

    def settle(self, learning: NodeId, *, at: str) -> None:
        """Blame the commits that broke an anchor which is there and still broken, no other. Needs a transaction."""
        present = {row.anchor.key for row in self._stores.anchors.rows([learning])}
        blamed = commits_blamed(self._stores.anchor_log.of(learning), present)
        known = set(self._stores.edges.blamed(learning))
        for commit in sorted(known - blamed):
            self._stores.edges.absolve(learning, commit, at=at)
        for commit in sorted(blamed - known):
            self._stores.edges.blame(learning, commit, at=at)
