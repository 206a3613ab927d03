"""How programs name nodes: as people do in the terminal, by a learning's number, or by what an answer gave them."""

from __future__ import annotations

from typing import Protocol


class HasRef(Protocol):
    """What bears the reference of a node: a stored learning, a task, a neighbour, an entity or a fact."""

    @property
    def ref(self) -> str:
        """The reference, such as `learning:12`."""


Ref = str | int | HasRef
"""What names a node, a reference (`12`, `k7f3q`, `src/auth.py::login`, `task:7`), a number, or part of an answer."""


class HasSpec(Protocol):
    """What bears the place of an anchor."""

    @property
    def spec(self) -> str:
        """The anchor as one writes it."""


AnchorSpec = str | HasSpec
"""What names a learning's anchor, as one writes it (`src/auth.py::login`, or its file alone), or the anchor itself."""


def ref_of(named: Ref) -> str:
    """Return the reference as services take it."""
    if isinstance(named, str | int):
        return str(named)
    return named.ref


def spec_of(named: AnchorSpec | None) -> str | None:
    """Return an anchor as one writes it; None stays None, and means all of them."""
    return named if named is None or isinstance(named, str) else named.spec
