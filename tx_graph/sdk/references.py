"""How programs name nodes: as people do in the terminal, by a learning's number, or by what an answer gave them."""

from __future__ import annotations

from typing import Protocol


class HasSpec(Protocol):
    """What bears the place of an anchor."""

    @property
    def spec(self) -> str:
        """The anchor as one writes it."""


AnchorSpec = str | HasSpec
"""What names a learning's anchor, as one writes it (`src/auth.py::login`, or its file alone), or the anchor itself."""


def spec_of(named: AnchorSpec | None) -> str | None:
    """Return an anchor as one writes it; None stays None, and means all of them."""
    return named if named is None or isinstance(named, str) else named.spec
