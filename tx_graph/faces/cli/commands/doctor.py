"""doctor."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.faces.cli.command import here
from tx_graph.faces.cli.options import Json
from tx_graph.faces.cli.render.terminal import note, print_json, styled, width, wrapped
from tx_graph.workspace import check_up
from tx_graph.workspace.health import Finding, Level

_MARKS = {Level.OK: ("ok", "green"), Level.ADVICE: ("advice", "yellow"), Level.PROBLEM: ("PROBLEM", "red")}

_INDENT = 22
_LEAST_ROOM = 20


def doctor(
    *,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended, then look again.")] = False,
    as_json: Json = False,
) -> None:
    """Find what is wrong with the workspace; exit status 1 if anything is.

    Advice is no problem: everything works, and could work better. With --fix a damaged
    database is moved aside; what can be read of it is carried over, tasks, runs and votes too, and the rest is built
    again from the records; run 'tx index' then.

    Example:
      tx doctor
      tx doctor --fix
    """
    found = check_up(here(), fix=fix)
    if as_json:
        print_json({"fixed": list(found.done), "findings": [_shape(finding) for finding in found.findings]})
    else:
        for action in found.done:
            note(f"fixed: {action}")
        for finding in found.findings:
            _print(finding)
    if any(finding.level is Level.PROBLEM for finding in found.findings):
        raise typer.Exit(1)


def _shape(finding: Finding) -> dict[str, str]:
    return {"check": finding.check, "level": finding.level.value, "detail": finding.detail, "hint": finding.hint}


def _print(finding: Finding) -> None:
    word, colour = _MARKS[finding.level]
    lines = wrapped(finding.detail, room := max(_LEAST_ROOM, width() - _INDENT))
    if finding.hint and finding.level is not Level.OK:
        lines += wrapped(finding.hint, room)
    typer.echo(f"{styled(f'{word:9}', fg=colour)}{finding.check:{_INDENT - 9}}{lines[0]}")
    for line in lines[1:]:
        typer.echo(f"{'':{_INDENT}}{line}")
