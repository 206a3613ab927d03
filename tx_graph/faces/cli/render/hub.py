"""The hub: what was made, published, granted, and who uses what in other repositories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.faces.cli.render.terminal import counted, echo, print_fields, printable

if TYPE_CHECKING:
    from tx_graph.hub.making import Made
    from tx_graph.hub.publishing import Published


_SHORT = 12


def made(found: Made) -> None:
    """Print that there is a hub now."""
    echo(f"The hub at {found.hub} is {'ready' if found.is_changed else 'up to date'} (schema {found.schema}).")
    if not found.has_vectors:
        echo("The server has no extension 'vector' that may be made here: search is by words alone.")


def published(done: Published) -> None:
    """Print what the hub shows now of a repository, what changed by that, and what was held back."""
    verb = "would show" if done.dry_run else "shows"
    echo(f"The hub at {done.hub} {verb} {printable(done.repository)} as of {done.commit[:_SHORT]}.")
    print_fields([(what, f"{count:,}") for what, count in done.rows.items()])
    for what, kinds in (("New", done.added), ("Changed", done.updated), ("Gone", done.removed)):
        if kinds:
            echo(f"{what}: {', '.join(counted(count, kind) for kind, count in kinds.items())}.")
    if not done.is_changed:
        echo("Nothing has changed since the last time.")
    for one in done.held_back:
        echo(printable(f"Held back: {one.kind} {one.ref}, which may hold a {one.holds}."))
