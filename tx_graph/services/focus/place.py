"""Places: what stands for a node in a focus view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from tx_graph.domain.edges import NodeId
from tx_graph.retrieval.focus import Note


class Kind(StrEnum):
    """What a node of a focus view is."""

    DIRECTORY = "directory"
    DOCUMENT = "document"
    SECTION = "section"
    TYPED_LINE = "typed_line"
    FILE = "file"
    SYMBOL = "symbol"
    LEARNING = "learning"
    LINK = "link"


RELATION = "relation"
"""What typed lines of documents and links of learnings are called: both are relation notes."""


class Place(NamedTuple):
    """A node, by what its family knows it by.

    Directories and files have a path as `name`, symbols their qualified one; documents, sections and learnings a
    `node`. A typed line is the link at a `position` in the row of a section; the link of a learning has the node that
    it leads to there, and its relation as `name`.
    """

    kind: Kind
    name: str = ""
    node: NodeId = 0
    position: int = 0


Told = Mapping[Place, Note]
"""What is said of nodes."""


class Family(Protocol):
    """Answers for nodes of its kinds what a `Kin` is asked; the answers may be of any kind."""

    def parent(self, place: Place, /) -> Place | None:
        """Return the node above."""

    def target(self, place: Place, /) -> Place | None:
        """Return what a relation note points at."""

    def children(self, place: Place, /) -> Sequence[Place]:
        """Return the nodes right below."""

    def siblings(self, place: Place, /) -> Sequence[Place] | None:
        """Return the node and those beside it; None: its siblings are the children of its parent."""

    def references(self, place: Place, /) -> Sequence[Place]:
        """Return what points here."""

    def tell(self, places: Sequence[Place], /) -> Told:
        """Return what is to say of each of these nodes that is there; of a long text no more than how it begins."""

    def whole(self, place: Place, /) -> Note | None:
        """Return all that is to say of a node. None: it is not there any more."""
