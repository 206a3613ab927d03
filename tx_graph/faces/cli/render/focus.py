"""The focus view as Markdown."""

from __future__ import annotations

import typer

from tx_graph.context.focus.focus import blocks
from tx_graph.context.focus.values import FocusView


def print_markdown(view: FocusView) -> None:
    """Print a view: the focus whole, then what is related by its relationship, the most relevant first."""
    typer.echo("\n\n".join(blocks(view)))
