"""One reply, and how much of a client's attention it takes: all that is sent counts, escapes and brackets included."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tx_graph.domain.tokens import CHARACTERS_PER_TOKEN

Shape = dict[str, Any]

STANDARD_BUDGET = 2_000
"""Tokens of a reply where nothing else is asked for."""
LEAST_BUDGET = 200
"""Tokens below which a reply could hold little more than its own frame."""
MOST_BUDGET = 50_000
"""Peers were switched off for replies of 80,000."""
FRAME = 240
"""Characters around the text and the structure at most, with what the protocol adds: the names of all fields of a
result and of its one block of text, empty ones too, and the server's name and version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a tool answers: `text` for people and models, and the same as a JSON object."""

    text: str
    structure: Shape
    is_error: bool = False

    @property
    def characters(self) -> int:
        """The characters of the whole result as it is sent."""
        return FRAME + size(self.text) + size(self.structure)

    def fits(self, budget: int) -> bool:
        """Whether it takes at most so many tokens, as characters / 4."""
        return self.characters <= budget * CHARACTERS_PER_TOKEN


def size(value: Any) -> int:  # noqa: ANN401 - whatever JSON can hold
    """Return how many characters a value has as JSON, a text without its quotes."""
    written = len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    return written - 2 if isinstance(value, str) else written
