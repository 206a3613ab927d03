"""What became of anchors that somebody acted on."""

from __future__ import annotations

from dataclasses import dataclass

from tx_graph.domain.anchor import Anchor
from tx_graph.domain.anchor_event import AnchorEvent
from tx_graph.domain.learning import StoredLearning
from tx_graph.storage.anchors import AnchorState


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One anchor from `old` to `new`: None before it came back, or after it was taken away.

    `state` is what is to be known of the new one; None leaves what follows from its record. Without an `event`
    nothing happens.
    """

    old: Anchor | None
    new: Anchor | None
    event: AnchorEvent | None = None
    state: AnchorState | None = None

    @property
    def anchor(self) -> Anchor:
        """The anchor as it is after the step, or was before it was taken away."""
        anchor = self.new or self.old
        assert anchor is not None  # noqa: S101 - a step from nothing to nothing is none
        return anchor

    @property
    def is_change(self) -> bool:
        """Whether there was anything to do."""
        return self.event is not None

    @property
    def has_moved(self) -> bool:
        """Whether the anchor is at another place than it was."""
        return self.old is not None and self.new is not None and self.old.spec != self.new.spec


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """A learning as it is after somebody acted on its anchors, and what became of each of these."""

    learning: StoredLearning
    steps: tuple[Step, ...]
