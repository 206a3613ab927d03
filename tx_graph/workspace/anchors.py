"""Use cases about what ties learnings to code."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.workspace.shared import Shared

if TYPE_CHECKING:
    from tx_graph.services.anchor_life import AnchorHistory, AnchorLife, Confirming, Pruning
    from tx_graph.services.linking import Linking
    from tx_graph.services.verification import AnchorFinding, Verification
    from tx_graph.services.verification.choosing import Choosing


class AnchorUseCases(Shared):
    """Anchors: made, verified, judged by people, remembered."""

    @cached_property
    def linking(self) -> Linking:
        """Anchors and links."""
        from tx_graph.services.linking import Linking
        from tx_graph.services.suggesting import Suggesting

        return Linking(
            database=self._database,
            references=self.references,
            anchoring=self._anchoring,
            suggesting=Suggesting(anchoring=self._anchoring, sources=self._sources),
            sources=self._sources,
            sync=self._sync,
            writing=self._anchor_writing,
        )

    @cached_property
    def anchor_life(self) -> AnchorLife:
        """What people say of anchors."""
        from tx_graph.services.anchor_life import AnchorLife

        return AnchorLife(writing=self._anchor_writing, commit_named=self._checkout.commit_named)

    @cached_property
    def confirming(self) -> Confirming:
        """Anchors that somebody looked at."""
        from tx_graph.services.anchor_life import Confirming

        return Confirming(
            writing=self._anchor_writing,
            judging=self._judging,
            relocating=self._relocating,
            sources=self._sources,
        )

    @cached_property
    def pruning(self) -> Pruning:
        """Anchors that are dead for long."""
        from tx_graph.services.anchor_life import Pruning

        return Pruning(
            writing=self._anchor_writing,
            judging=self._judging,
            relocating=self._relocating,
            sources=self._sources,
        )

    @cached_property
    def anchor_history(self) -> AnchorHistory:
        """What happened to anchors."""
        from tx_graph.services.anchor_life import AnchorHistory

        return AnchorHistory(
            stores=self._stores,
            references=self.references,
            anchoring=self._anchoring,
            subjects=self._checkout.subjects,
        )

    @cached_property
    def verification(self) -> Verification:
        """Whether anchors hold."""
        from tx_graph.services.verification import Verification

        return Verification(
            stores=self._stores,
            choosing=self._anchor_choosing,
            checking=self._checking(self._relocating),
            sources=self._sources,
            evidence=self._evidence,
            sync=self._sync,
            clock=self._clock,
            caveats=(self._checkout.caveat,),
        )

    @cached_property
    def anchor_finding(self) -> AnchorFinding:
        """Anchors as they stand."""
        from tx_graph.services.verification import AnchorFinding

        return AnchorFinding(chosen=self._anchor_choosing.chosen)

    @cached_property
    def _anchor_choosing(self) -> Choosing:
        from tx_graph.services.verification.choosing import Choosing

        checkout = self._checkout
        return Choosing(
            learnings=self._stores.learnings,
            anchors=self._stores.anchors,
            references=self.references,
            anchoring=self._anchoring,
            changed_since=checkout.changed_since,
            records_changed_since=checkout.records_changed_since,
        )
