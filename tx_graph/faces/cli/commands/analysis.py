"""graph:analyze-imports, graph:analyze-cochanges."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.faces.cli.command import split_names
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render.terminal import note, print_json, progress
from tx_graph.faces.cli.render.words import counted
from tx_graph.faces.cli.render.workspace import print_index
from tx_graph.history.cochange import CoChangeOptions
from tx_graph.history.cochanges import CoChangeReport, Pass, request_from


def imports(
    *,
    path: Annotated[str | None, typer.Option("--path", metavar="DIR", help="Only files below this directory.")] = None,
    as_json: Json = False,
) -> None:
    """Read which files import which, and what they declare: 'tx index' without the learnings' vectors.

    Example:
      tx graph:analyze-imports
      tx graph:analyze-imports --path src/
    """
    with opened() as workspace:
        below = workspace.references.directory(path) if path is not None else ""
        with progress("Reading files", unit="files") as told:
            report = workspace.indexing.run(below=below, progress=told)
    if as_json:
        print_json(report.as_json())
        return
    print_index(report)
    if report.unresolved:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in report.unresolved.items())
        typer.echo(f"Imports that lead to no file here: {reasons}.")


def cochanges(
    *,
    since: Annotated[
        str | None, typer.Option("--since", metavar="WHEN", help='Only commits since then: "3 months ago" or a date.')
    ] = None,
    max_files: Annotated[
        int | None,
        typer.Option("--max-files", metavar="N", help="Leave out commits that touch more files, at least 2."),
    ] = None,
    min_support: Annotated[
        int | None,
        typer.Option("--min-support", metavar="N", help="Least commits that two files must share, at least 1."),
    ] = None,
    half_life: Annotated[
        float | None,
        typer.Option("--half-life", metavar="DAYS", help="Age at which a commit counts half; 0: all count alike."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="A,B", help="Leave out files like these too, as .gitignore would."),
    ] = None,
    no_exclude: Annotated[
        bool, typer.Option("--no-exclude", help="Leave out none of what the setting cochanges.exclude names.")
    ] = False,
    follow_renames: Annotated[
        bool, typer.Option("--follow-renames", help="A file's history goes on under its present name. Slower.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Read all of history again.")] = False,
    as_json: Json = False,
) -> None:
    """Read which files change together in git's history: only what is new since the last time. Run it weekly.

    A commit that touches many files says little about any two of them, so big ones are left out; so are files that
    change with everything, such as lock files and changelogs. The defaults are settings: see 'tx config'. Renames
    are not looked for unless asked: that reads contents, which a partial clone lacks.

    Example:
      tx graph:analyze-cochanges
      tx graph:analyze-cochanges --since "3 months ago" --exclude "docs/**,*.svg"
      tx graph:analyze-cochanges --follow-renames
    """
    with opened() as workspace:
        request = request_from(
            workspace.config,
            since=since,
            max_files=max_files,
            min_support=min_support,
            half_life=half_life,
            exclude=split_names(exclude),
            no_exclude=no_exclude,
            follow_renames=follow_renames,
            full=full,
        )
        with progress("Reading commits", unit="commits") as report:
            done = workspace.cochanges.run(request, progress=report)
    if as_json:
        print_json(_shape(done))
    else:
        _print_cochanges(done, request.options)


def _print_cochanges(done: CoChangeReport, options: CoChangeOptions) -> None:
    dropped = f" ({done.dropped:,} left out: more than {options.max_files} files)" if done.dropped else ""
    pairs = "1 pair of files changes" if done.pairs == 1 else f"{done.pairs:,} pairs of files change"
    typer.echo(f"{pairs} together, from {counted(done.commits, 'commit')}{dropped}.")
    if done.head is None:
        note("There is no commit yet.")
    elif done.shallow:
        note("This is a shallow clone: only the commits that are here were counted ('git fetch --unshallow').")
    if done.how is Pass.INCREMENTAL:
        note(f"Incremental: {counted(done.new, 'new commit')} read, the others were known.")
    elif done.why:
        note(f"Full pass: {done.why}.")


def _shape(done: CoChangeReport) -> dict[str, object]:
    return {
        "pairs": done.pairs,
        "commits": done.commits,
        "dropped": done.dropped,
        "files": done.files,
        "head": done.head,
        "shallow": done.shallow,
        "mode": done.how.value,
        "new_commits": done.new,
        "reason": done.why or None,
    }
