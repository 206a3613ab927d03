"""doctor."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.cli.options import Json, opened
from tx_graph.cli.render.terminal import note, print_json, styled
from tx_graph.services.health import Finding, Level

_MARKS = {Level.OK: ("ok", "green"), Level.ADVICE: ("advice", "yellow"), Level.PROBLEM: ("PROBLEM", "red")}


def doctor(
    *,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended, then look again.")] = False,
    as_json: Json = False,
) -> None:
    """Find what is wrong with the workspace; exit status 1 if anything is.

    Example: tx doctor --fix
    """
    with opened() as workspace:
        done = workspace.health.mend() if fix else []
        findings = workspace.health.examine()
    if as_json:
        print_json({"fixed": done, "findings": [_shape(finding) for finding in findings]})
    else:
        for action in done:
            note(f"fixed: {action}")
        for finding in findings:
            _print(finding)
    if any(finding.level is Level.PROBLEM for finding in findings):
        raise typer.Exit(1)


def _shape(finding: Finding) -> dict[str, str]:
    return {"check": finding.check, "level": finding.level.value, "detail": finding.detail, "hint": finding.hint}


def _print(finding: Finding) -> None:
    word, colour = _MARKS[finding.level]
    typer.echo(f"{styled(f'{word:8}', fg=colour)}{finding.check:12}{finding.detail}")
    if finding.hint and finding.level is not Level.OK:
        typer.echo(f"{'':20}{finding.hint}")
