"""Options of commands that expand; apart from the others, since the engine takes 5 ms to import."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.core.arguments import choices
from tx_graph.graph.expand import Profile

ProfileName = Annotated[
    Profile, typer.Option("--profile", metavar="NAME", help=f"How an expansion scores: {choices(Profile)}.")
]
TypesAt = Annotated[
    list[str] | None,
    typer.Option(
        "--types-at", metavar="HOP=A,B", help="Follow only these at one hop, 1 the first; -A: all but A. Repeatable."
    ),
]
