"""learning:propose, learning:promote, learning:reject."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from tx_graph.core.arguments import choices
from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.command import split_names
from tx_graph.faces.cli.commands.extracting import without_a_model
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render import proposals, shapes
from tx_graph.faces.cli.render.terminal import note, print_json, progress
from tx_graph.faces.cli.render.words import counted
from tx_graph.proposals.gate import Checked, Promotion, Reviewing
from tx_graph.proposals.proposing import Proposing
from tx_graph.proposals.values import LEAST_CONFIDENCE, LEAST_OF_REPOSITORY, STANDARD, Origin, ProposalRequest

_WITHOUT = "Without a model, leave --model out."

Several = Annotated[
    list[str] | None,
    typer.Argument(metavar="LEARNING...", help="Their numbers, uids, or the beginnings of their uids."),
]


def propose(
    *,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="WHEN", help="Leave out commits before a date or age: '1 year ago'."),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="A,B", help=f"From these: {choices(Origin)}; else from all but transcripts."),
    ] = None,
    limit: Annotated[int, typer.Option("-n", "--limit", metavar="N", help="Most to propose, 1 to 10,000.")] = 20,
    model: Annotated[
        str | None,
        typer.Option(
            "-m", "--model", metavar="NAME", help="Have a model of llm look through what transcripts propose first."
        ),
    ] = None,
    no_model: Annotated[bool, typer.Option("--no-model", help="Ask no model, which is the standard.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show them, and write nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Propose learnings that the repository's own words hold, the surest first.

    From commits that explain (reverts, fixes after fixes, reasons), comments that do (WHY, HACK, NOTE, TODO with a
    reason), and decision records. They are staged: search shows none until somebody promotes it. Nothing is proposed
    twice, whatever became of it.

    With --from transcripts, from sessions of agents that transcript:ingest read: what users corrected or asked to
    remember, in their own words, errors that were resolved, and commands that come again and again. The rules know
    English. What a learning says already is not proposed again: that learning is tied to the session.

    Example:
      tx learning:propose
      tx learning:propose --since '6 months ago' --from commits -n 50
      tx learning:propose --from transcripts --dry-run
      tx learning:propose --from transcripts --model gpt-5-mini
    """
    origins = _origins(origin)
    if model is not None and no_model:
        raise UsageError("--model and --no-model exclude each other.")
    request = ProposalRequest(
        origins=origins, since=since, limit=limit, only_look=dry_run, refine=model is not None, model=model
    )
    with opened() as workspace, without_a_model(_WITHOUT), progress("Reading", unit="texts") as report:
        found = workspace.kernel.one(Proposing).propose(request, progress=report)
    if as_json:
        print_json(proposals.shape(found, dry_run=dry_run))
    else:
        proposals.show(found, dry_run=dry_run)
    for notice in found.notices:
        note(notice)


def promote(
    refs: Several = None,
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
    _check_form(refs, every=every)
    if why and force:
        raise UsageError("--why promotes nothing, and --force everything.", hint="Give one of them.")
    with opened() as workspace:
        reviewing = workspace.kernel.one(Reviewing)
        chosen = _all_staged(reviewing, yes=yes or why) if every else refs or []
        if why:
            done = _looked(reviewing.check(*chosen, min_confidence=min_confidence))
        else:
            done = reviewing.promote(*chosen, min_confidence=min_confidence, force=force)
        lacking = workspace.embedding.lacking() if done.promoted and workspace.embedding.available else 0
    if as_json:
        print_json(proposals.promotion_shape(done))
    else:
        proposals.show_promotion(done, why=why)
    if lacking:
        note(f"{counted(lacking, 'learning')} without a vector; run 'tx learning:embed'.")
    if done.held_back:
        raise typer.Exit(1)


def _looked(checked: Sequence[Checked]) -> Promotion:
    """Return what would become of staged learnings."""
    held_back = tuple(one for one in checked if not one.passes)
    return Promotion(promoted=(), held_back=held_back, forced=(), checked=tuple(checked))


def reject(
    refs: Several = None,
    *,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why, for those who wonder later.")] = "",
    as_json: Json = False,
) -> None:
    """Turn staged learnings down: they are removed, and not proposed again. All or none.

    'tx learning:remove LEARNING --restore' stages one again.

    Example:
      tx learning:reject 13 14 --reason "obvious from the code"
    """
    _check_form(refs, every=False)
    with opened() as workspace:
        done = workspace.kernel.one(Reviewing).reject(*refs or (), reason=reason)
    if as_json:
        print_json(shapes.learnings(done))
    else:
        typer.echo(f"Rejected {', '.join(stored.ref for stored in done)}.")


def _origins(names: list[str] | None) -> tuple[Origin, ...]:
    given = [name.strip().lower() for name in split_names(names)]
    if unknown := [name for name in given if name not in set(Origin)]:
        raise UsageError(f"'{unknown[0]}' is nothing to propose from; choose from {choices(Origin)}.")
    return tuple(Origin(name) for name in given) or STANDARD


def _check_form(refs: list[str] | None, *, every: bool) -> None:
    if not refs and not every:
        raise UsageError("Which learnings?", hint="See those that wait: tx learning:list --status staged")
    if refs and every:
        raise UsageError("--all and single learnings exclude each other.")


def _all_staged(reviewing: Reviewing, *, yes: bool) -> list[str]:
    """Return all staged learnings, once somebody has agreed.

    Raises:
        UsageError: There is nobody to ask.
    """
    waiting = reviewing.staged()
    if waiting and not yes:
        if not sys.stdin.isatty():
            raise UsageError(f"{counted(len(waiting), 'staged learning')} would be promoted.", hint="Agree with --yes.")
        typer.confirm(f"Promote {counted(len(waiting), 'staged learning')}?", abort=True, err=True)
    return [stored.ref for stored in waiting]
