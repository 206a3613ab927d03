"""focus."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from tx_graph.context.focus.rules import TokensBy
from tx_graph.context.focus.values import STANDARD_BUDGET, FocusRequest
from tx_graph.core.arguments import choices
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render import focus as render
from tx_graph.faces.cli.render.terminal import print_json


class Format(StrEnum):
    """How the view is written."""

    MARKDOWN = "markdown"
    JSON = "json"


def focus(
    ref: Annotated[
        str,
        typer.Argument(
            metavar="REF", help="A document, docs/a.md#part, directory/, file, PATH::SYMBOL, or learning by its number."
        ),
    ],
    *,
    budget: Annotated[
        int,
        typer.Option("--budget", metavar="TOKENS", help="Most tokens of what is related; the focus itself is free."),
    ] = STANDARD_BUDGET,
    tokens_by: Annotated[
        TokensBy, typer.Option("--tokens-by", metavar="NAME", help=f"How to count: {choices(TokensBy)}.")
    ] = TokensBy.JSON,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="N", help="Shuffle what comes in no natural order, the same way for the same N."
        ),
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", metavar="NAME", help=f"How to write the view: {choices(Format)}.")
    ] = Format.MARKDOWN,
    as_json: Json = False,
) -> None:
    """Show one thing whole, and around it what is related: most relevant first, as much as the budget holds.

    Everything hangs in one tree: directories, files and documents, sections below their headings, symbols inside each
    other, learnings in the file they are about. From the focus one sees its parent and all above it, what lies below
    and beside it, what points at it, and, as far as the budget goes, the surroundings of these. A typed line such as
    'Depends on: [ADR 2](002.md)' is a relation note, docs/adr/003.md#decision^depends_on; so is a link between two
    learnings, 12^elaborates.

    What is related is cut to 250 bytes each. Tokens are counted as bytes of JSON / 3.75 (json), its characters / 4
    (chars), or 1 for each (items). What changed since it was read is marked.

    Example:
      tx focus docs/adr/003.md#decision
      tx focus src/auth/ --budget 1000
      tx focus src/auth.ts::AuthService::login --json
      tx focus 12 --tokens-by items --budget 10
    """
    request = FocusRequest(ref=ref, budget=budget, tokens_by=tokens_by, seed=seed)
    with opened() as workspace:
        view = workspace.focus.view(request)
    if as_json or form is Format.JSON:
        print_json(view.shape())
    else:
        render.print_markdown(view)
