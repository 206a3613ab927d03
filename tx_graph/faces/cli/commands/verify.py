"""graph:verify."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tx_graph.anchors.verify import Gate, Report, Scope, Verification
from tx_graph.core.arguments import choices
from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.command import opened
from tx_graph.faces.cli.options import Json
from tx_graph.faces.cli.render.terminal import note, print_json, printable
from tx_graph.faces.cli.render.verify import hints, listing


class Form(StrEnum):
    """How to print what was found."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"
    JUNIT = "junit"


def verify(
    places: Annotated[
        list[str] | None,
        typer.Argument(metavar="[REF|PATH]...", help="Only these learnings, files, directories or symbols."),
    ] = None,
    *,
    since: Annotated[
        str | None, typer.Option("--since", metavar="REV", help="Only what changed since HEAD and REV parted.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Also superseded, retracted and removed learnings.")] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Let anchors follow code that went elsewhere, in the records.")
    ] = False,
    fail_on: Annotated[
        Gate, typer.Option("--fail-on", metavar="WHAT", help=f"What ends in status 1: {choices(Gate)}.")
    ] = Gate.DRIFTED,
    form: Annotated[
        Form | None, typer.Option("--format", metavar="FORM", help=f"How to print it: {choices(Form)}.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Verify that anchors hold: exit status 1 when code changed under a learning, or is gone.

    Formatting, comments and code that merely went elsewhere are no findings; --fix writes them into the records, for
    'git diff' to show. Pinned anchors are skipped. --since looks at what 'git diff REV...' names and at what is not
    committed yet. A finding is for people to settle: 'tx graph:confirm' where the learning is still true, 'tx
    learning:edit' where it is not. github, sarif and junit are for CI; see docs/ci-gate.md.

    Example:
      tx graph:verify
      tx graph:verify src/auth.py 12 --fix
      tx graph:verify --since origin/main --format github
      tx graph:verify --fail-on invalid --format junit > anchors.xml
    """
    if as_json and form not in (None, Form.JSON):
        raise UsageError(f"--json and --format {form} cannot go together.")
    chosen = Form.JSON if as_json else form or Form.TEXT
    with opened() as kernel:
        report = kernel.one(Verification).run(Scope(places=places or (), since=since, withheld=every), fix=fix)
        _print(report, chosen, root=kernel.root, gate=fail_on)
    for notice in report.notices:
        note(notice)
    if chosen is Form.TEXT:
        for hint in hints(report, fixed=fix, is_git=kernel.place.root.is_git):
            note(hint)
    if fail_on.stops_at(report):
        raise typer.Exit(1)


def _print(report: Report, form: Form, *, root: Path, gate: Gate) -> None:
    if form is Form.TEXT:
        for line in listing(report, now=datetime.now(UTC)):
            typer.echo(line)
        return
    from tx_graph.anchors import reports

    match form:
        case Form.JSON:
            print_json(reports.document(report))
        case Form.GITHUB:
            for line in reports.log_lines(report, root):
                typer.echo(printable(line))
        case Form.SARIF:
            print_json(reports.sarif(report, root))
        case Form.JUNIT:
            typer.echo(reports.junit(report, gate))
