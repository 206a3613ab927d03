"""graph:verify."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tx_graph.anchors.verify import Report, Scope
from tx_graph.core.arguments import choices
from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render.terminal import note, print_json
from tx_graph.faces.cli.render.verification.gate import Gate
from tx_graph.faces.cli.render.words import counted

_FINDINGS = 1


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
    chosen = _chosen(form, as_json=as_json)
    with opened() as workspace:
        report = workspace.verification.run(Scope(places=places or (), since=since, withheld=every), fix=fix)
        _print(report, chosen, root=workspace.root, gate=fail_on)
        is_git = workspace.is_git
    for notice in report.notices:
        note(notice)
    if chosen is Form.TEXT:
        for hint in _hints(report, fixed=fix, is_git=is_git):
            note(hint)
    if fail_on.stops_at(report):
        raise typer.Exit(_FINDINGS)


def _chosen(form: Form | None, *, as_json: bool) -> Form:
    if as_json and form not in (None, Form.JSON):
        raise UsageError(f"--json and --format {form} cannot go together.")
    return Form.JSON if as_json else form or Form.TEXT


def _print(report: Report, form: Form, *, root: Path, gate: Gate) -> None:
    match form:
        case Form.TEXT:
            from tx_graph.faces.cli.render.verification.listing import listing

            _print_lines(listing(report, now=datetime.now(UTC)))
        case Form.JSON:
            from tx_graph.faces.cli.render.verification.document import document

            print_json(document(report))
        case Form.GITHUB:
            from tx_graph.faces.cli.render.verification.github import log_lines

            _print_lines(log_lines(report, root))
        case Form.SARIF:
            from tx_graph.faces.cli.render.verification.sarif import sarif

            print_json(sarif(report, root))
        case Form.JUNIT:
            from tx_graph.faces.cli.render.verification.junit import junit

            typer.echo(junit(report, gate))


def _print_lines(lines: Iterator[str]) -> None:
    for line in lines:
        typer.echo(line)


def _hints(report: Report, *, fixed: bool, is_git: bool) -> Iterator[str]:
    """Yield what to do next."""
    mended = sum(one.mended for one in report.checked)
    if mended:
        where = "; 'git diff .tx' shows what changed in the records" if is_git else " in the records"
        yield f"Mended {counted(mended, 'anchor')}{where}."
    if report.summary()["drifted"]:
        yield "Still true? 'tx graph:confirm LEARNING'. Not any more? 'tx learning:edit LEARNING'."
    if report.summary()["invalid"]:
        yield "Gone? Tie the learning to other code with 'tx graph:link', and drop the anchor with 'tx graph:unlink'."
    if not fixed and any(report.summary()[name] for name in ("relocated", "comment")):
        yield "'tx graph:verify --fix' lets the anchors follow."
