"""tx: the memory of a codebase, tied to its code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tx_graph.workspace import open_workspace as open_workspace

__version__ = "0.1.0"
__all__ = ["__version__", "open_workspace"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 (any attribute)
    """Return `open_workspace`, imported when first asked for: `tx --version` needs none of it."""
    if name == "open_workspace":
        from tx_graph.workspace import open_workspace

        return open_workspace
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
