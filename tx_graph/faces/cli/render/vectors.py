"""What embedding did, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from tx_graph.faces.cli.render.terminal import note
from tx_graph.faces.cli.render.words import counted

if TYPE_CHECKING:
    from tx_graph.vectors.embedding import CaughtUp


def print_vectors(vectors: CaughtUp, thing: str) -> None:
    """Print how many things were embedded, if any, and why not all."""
    if vectors.embedded:
        typer.echo(f"{counted(vectors.embedded, thing)} embedded.")
    if vectors.problem:
        note(f"tx: warning: {vectors.problem}")
