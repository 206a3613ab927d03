"""Questions for a focus view and their answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tx_graph.errors import UsageError
from tx_graph.retrieval.focus import Note, Related, Relationship, TokensBy, shape

STANDARD_BUDGET = 2_500
"""Tokens for related notes (Doughnut, Graph RAG)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FocusRequest:
    """What to put into focus, and how many tokens what is related may take; the focus itself is free.

    With a `seed` what has no natural order is shuffled, the same way each time.
    """

    ref: str
    budget: int = STANDARD_BUDGET
    tokens_by: TokensBy = TokensBy.JSON
    seed: int | None = None

    def __post_init__(self) -> None:
        """Raise UsageError for what cannot be asked."""
        if self.budget < 0:
            raise UsageError(f"The budget must be 0 or more tokens, not {self.budget}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FocusView:
    """A node in focus, and what is worth knowing around it, most relevant first.

    `path` leads from the root to the parent of the focus. The lists hold references of related notes, each in its
    natural order. `omitted` counts the nodes that stood in line and did not fit.
    """

    focus: Note
    path: tuple[str, ...]
    children: tuple[str, ...]
    older_siblings: tuple[str, ...]
    younger_siblings: tuple[str, ...]
    inbound_references: tuple[str, ...]
    related: tuple[Related, ...]
    tokens: int
    budget: int
    omitted: int

    def shape(self) -> dict[str, Any]:
        """Return the view as JSON has it."""
        focus = shape(Related(note=self.focus, relationship=Relationship.SELF))
        return {
            "focus": {
                **focus,
                "contextual_path": list(self.path),
                "children": list(self.children),
                "older_siblings": list(self.older_siblings),
                "younger_siblings": list(self.younger_siblings),
                "inbound_references": list(self.inbound_references),
            },
            "related": [shape(one) for one in self.related],
            "tokens": self.tokens,
            "budget": self.budget,
            "omitted": self.omitted,
        }
