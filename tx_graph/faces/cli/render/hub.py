"""The hub: what was made, published, granted, and who uses what in other repositories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.faces.cli.render.terminal import echo

if TYPE_CHECKING:
    from tx_graph.hub.making import Made


def made(found: Made) -> None:
    """Print that there is a hub now."""
    echo(f"The hub at {found.hub} is {'ready' if found.is_changed else 'up to date'} (schema {found.schema}).")
    if not found.has_vectors:
        echo("The server has no extension 'vector' that may be made here: search is by words alone.")
