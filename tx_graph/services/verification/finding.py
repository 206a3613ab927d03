"""Finds the anchors of a learning or of a place as they stand; nothing is judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tx_graph.domain.anchor import Anchor
from tx_graph.services.verification.choosing import Chosen
from tx_graph.services.verification.values import Scope
from tx_graph.storage.anchors import AnchorState


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAnchor:
    """An anchor of a learning, as its record has it, and what verification said of it when it last looked.

    `learning` is the learning's reference, `learning:12`, and `uid` its name in every clone.
    """

    learning: str
    uid: str
    anchor: Anchor
    state: AnchorState

    @property
    def ref(self) -> str:
        """The reference of the learning."""
        return self.learning

    @property
    def spec(self) -> str:
        """The anchor as one writes it."""
        return self.anchor.spec


class AnchorFinding:
    """Looks anchors up; `chosen` gives those in a scope."""

    def __init__(self, *, chosen: Callable[[Scope], Chosen]) -> None:
        self._chosen = chosen

    def at(self, places: Sequence[str], *, withheld: bool = False) -> list[FileAnchor]:
        """Return the anchors of learnings, or in files, directories or at symbols, by learning and place.

        Raises:
            NotFound: There is nothing at a place, and nothing is anchored there; or there is no such learning.
            UsageError: A place is outside the repository.
        """
        return [
            FileAnchor(learning=label.ref, uid=label.uid, anchor=row.anchor, state=row.state)
            for label, row in self._chosen(Scope(places=places, withheld=withheld))
        ]
