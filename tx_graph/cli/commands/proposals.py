"""learning:propose, learning:promote, learning:reject."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tx_graph.cli.options import Json, choices, opened, split_names
from tx_graph.cli.render import proposals, shapes
from tx_graph.cli.render.terminal import note, print_json, progress
from tx_graph.cli.render.words import counted
from tx_graph.domain.learning import StoredLearning
from tx_graph.errors import UsageError
from tx_graph.services.proposing import Origin, ProposalRequest
from tx_graph.workspace import Workspace

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
        list[str] | None, typer.Option("--from", metavar="A,B", help=f"Only from these: {choices(Origin)}.")
    ] = None,
    limit: Annotated[int, typer.Option("-n", "--limit", metavar="N", help="Most to propose, 1 to 10,000.")] = 20,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show them, and write nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Propose learnings that the repository's own words hold, the surest first.

    From commits that explain (reverts, fixes after fixes, reasons), comments that do (WHY, HACK, NOTE, TODO with a
    reason), and decision records. They are staged: search shows none until somebody promotes it. Nothing is proposed
    twice, whatever became of it.

    Example:
      tx learning:propose
      tx learning:propose --since '6 months ago' --from commits -n 50
      tx learning:propose --dry-run
    """
    request = ProposalRequest(origins=_origins(origin), since=since, limit=limit, only_look=dry_run)
    with opened() as workspace, progress("Reading", unit="texts") as report:
        found = workspace.proposing.run(request, progress=report)
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
    as_json: Json = False,
) -> None:
    """Confirm staged learnings: search shows them from now on. All or none.

    Read them before: tx learning:list --status staged.

    Example:
      tx learning:promote 12 15
      tx learning:promote --all
    """
    _check_form(refs, every=every)
    with opened() as workspace:
        chosen = _all_staged(workspace, yes=yes) if every else refs or []
        done = workspace.reviewing.promote(chosen)
        lacking = workspace.embedding.lacking if workspace.embedding.available else 0
    _print("Promoted", done, as_json=as_json)
    if lacking:
        note(f"{counted(lacking, 'learning')} without a vector; run 'tx learning:embed'.")


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
        done = workspace.reviewing.reject(refs or [], reason=reason)
    _print("Rejected", done, as_json=as_json)


def _origins(names: list[str] | None) -> tuple[Origin, ...]:
    given = [name.strip().lower() for name in split_names(names)]
    if unknown := [name for name in given if name not in set(Origin)]:
        raise UsageError(f"'{unknown[0]}' is nothing to propose from; choose from {choices(Origin)}.")
    return tuple(Origin(name) for name in given) or tuple(Origin)


def _check_form(refs: list[str] | None, *, every: bool) -> None:
    if not refs and not every:
        raise UsageError("Which learnings?", hint="See those that wait: tx learning:list --status staged")
    if refs and every:
        raise UsageError("--all and single learnings exclude each other.")


def _all_staged(workspace: Workspace, *, yes: bool) -> list[str]:
    """Return all staged learnings, once somebody has agreed.

    Raises:
        UsageError: There is nobody to ask.
    """
    waiting = workspace.reviewing.staged()
    if waiting and not yes:
        if not sys.stdin.isatty():
            raise UsageError(f"{counted(len(waiting), 'staged learning')} would be promoted.", hint="Agree with --yes.")
        typer.confirm(f"Promote {counted(len(waiting), 'staged learning')}?", abort=True, err=True)
    return [stored.ref for stored in waiting]


def _print(verb: str, done: list[StoredLearning], *, as_json: bool) -> None:
    if as_json:
        print_json(shapes.learnings(done))
    elif done:
        typer.echo(f"{verb} {', '.join(stored.ref for stored in done)}.")
    else:
        note("No learning is staged.")
