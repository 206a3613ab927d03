"""How long sections are cut, and how large the pieces are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tx_graph.errors import UsageError


class Strategy(StrEnum):
    """How a section is cut.

    `recursive` sees plain text: paragraphs, else sentences, else words, with some text repeated. `markdown` also
    leaves code, tables and list items whole. `parent-child` does the same and cuts each piece into small ones:
    those are searched, their piece is returned. `semantic` cuts where neighbouring sentences have least in common.
    """

    RECURSIVE = "recursive"
    MARKDOWN = "markdown"
    PARENT_CHILD = "parent-child"
    SEMANTIC = "semantic"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkOptions:
    """How long sections are cut; sizes are in tokens.

    Attributes:
        strategy: Which of the four ways.
        size: Most of a piece, but for `parent-child`.
        overlap: How much of the piece before `recursive` repeats, never more than half a piece.
        parent_size: Most of a piece of `parent-child`.
        child_size: Most of what it is searched by.
        percentile: `semantic` cuts where sentences are as little alike as this share of all neighbours, in percent.

    Raises:
        UsageError: A value that has no meaning.
    """

    strategy: Strategy = Strategy.PARENT_CHILD
    size: int = 512
    overlap: int = 50
    parent_size: int = 1024
    child_size: int = 256
    percentile: float = 25

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        for name in ("size", "parent_size", "child_size"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1 token, not {getattr(self, name)}.")
        if self.overlap < 0:
            raise UsageError(f"overlap must be 0 tokens or more, not {self.overlap}.")
        if self.child_size > self.parent_size:
            raise UsageError(f"child_size ({self.child_size}) must not exceed parent_size ({self.parent_size}).")
        if not 0 <= self.percentile <= 100:  # noqa: PLR2004 - percent
            raise UsageError(f"percentile must be between 0 and 100, not {self.percentile}.")
