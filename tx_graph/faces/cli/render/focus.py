"""The focus view as Markdown, or as JSON."""

from __future__ import annotations

import typer

from tx_graph.context.focus.focus import Format, blocks
from tx_graph.context.focus.values import FocusView
from tx_graph.faces.cli.render.terminal import print_json


def view(found: FocusView, form: Format) -> None:
    """Print a view: the focus whole, then what is related by its relationship, the most relevant first."""
    if form is Format.JSON:
        print_json(found.as_json())
    else:
        typer.echo("\n\n".join(blocks(found)))
