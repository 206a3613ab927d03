"""learning:promote."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.command import Json, opened
from tx_graph.faces.cli.render import proposals
from tx_graph.faces.cli.render.terminal import note, print_json
from tx_graph.faces.cli.render.words import counted
from tx_graph.proposals.gate import Promotion, Reviewing
from tx_graph.proposals.values import LEAST_CONFIDENCE, LEAST_OF_REPOSITORY
from tx_graph.vectors.embedding import Embedding


def promote(
    refs: Annotated[
        list[str] | None,
        typer.Argument(metavar="LEARNING...", help="Their numbers, uids, or the beginnings of their uids."),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Promote all that are staged; asks first.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    min_confidence: Annotated[
        float | None,
        typer.Option(
            "--min-confidence",
            metavar="F",
            help=f"Least confidence, 0 to 1; else {LEAST_CONFIDENCE}, or {LEAST_OF_REPOSITORY} if from the repository.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Promote also what lacks evidence.")] = False,
    why: Annotated[bool, typer.Option("--why", help="Only show what each has and lacks; promote none.")] = False,
    as_json: Json = False,
) -> None:
    """Confirm staged learnings: search shows them from now on. What lacks evidence is held back, and told.

    Its anchors must hold now, or, where it is tied to no code, a person must have said it: added by hand, or a user's
    correction or request to remember in a transcript. No active learning may say much the same. And its confidence
    must reach the minimum, which is lower for what commits, comments and documents of the repository say.

    Ends with status 1 when something was held back, or with --why would be.

    Example:
      tx learning:promote 12 15
      tx learning:promote --all --why
      tx learning:promote 12 --force
    """
    if not refs and not every:
        raise UsageError("Which learnings?", hint="See those that wait: tx learning:list --status staged")
    if refs and every:
        raise UsageError("--all and single learnings exclude each other.")
    if why and force:
        raise UsageError("--why promotes nothing, and --force everything.", hint="Give one of them.")
    with opened() as kernel:
        reviewing = kernel.one(Reviewing)
        chosen = refs or [stored.ref for stored in reviewing.staged()]
        if every and chosen and not (yes or why):
            count = counted(len(chosen), "staged learning")
            if not sys.stdin.isatty():
                raise UsageError(f"{count} would be promoted.", hint="Agree with --yes.")
            typer.confirm(f"Promote {count}?", abort=True, err=True)
        if why:
            checked = reviewing.check(*chosen, min_confidence=min_confidence)
            held_back = tuple(one for one in checked if not one.passes)
            done = Promotion(promoted=(), held_back=held_back, forced=(), checked=checked)
        else:
            done = reviewing.promote(*chosen, min_confidence=min_confidence, force=force)
        embedding = kernel.one(Embedding)
        lacking = embedding.lacking() if done.promoted and embedding.available else 0
    if as_json:
        print_json(proposals.promotion_shape(done))
    else:
        proposals.show_promotion(done, why=why)
    if lacking:
        note(f"{counted(lacking, 'learning')} without a vector; run 'tx learning:embed'.")
    if done.held_back:
        raise typer.Exit(1)
