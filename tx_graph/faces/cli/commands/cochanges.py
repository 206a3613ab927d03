"""graph:cochanges, graph:check-changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from tx_graph.context.partners import CoChanges, FilePartners, why_silent
from tx_graph.core.errors import UsageError
from tx_graph.core.labels import checked_limit
from tx_graph.core.shape import as_json as as_shape
from tx_graph.faces.cli.options import Json, Tsv, opened
from tx_graph.faces.cli.render.answers import one_form
from tx_graph.faces.cli.render.terminal import note, print_json, printable
from tx_graph.faces.cli.render.tsv import print_tsv
from tx_graph.faces.cli.render.words import counted
from tx_graph.history.cochange import CoChange
from tx_graph.workspace.composition import Workspace

_SHOWN = 20
_COLUMNS = ("file_a", "file_b", "score", "commit_count", "commits_a", "commits_b")


def cochanges(
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="The file whose partners to show.")] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Show the pairs of all files instead.")] = False,
    tsv: Tsv = False,
    limit: Annotated[
        int | None,
        typer.Option("-n", "--limit", metavar="N", help="Most to show, 1 to 10,000; 20, or all for --all in scripts."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show which files usually change together with a file, as git's history has it.

    What 'tx graph:analyze-cochanges' counted last. Partners that are gone are left out. In tab-separated lines the
    score is the Jaccard index, and a path with tabs, line ends, quotes or backslashes is quoted as git quotes it.

    Example:
      tx graph:cochanges src/auth.py
      tx graph:cochanges --all --tsv
    """
    if file is None and not every:
        raise UsageError("Which file?", hint="Name a FILE, or ask for the pairs of all files with --all.")
    if file is not None and every:
        raise UsageError("A FILE and --all are different questions.", hint="Give one of them.")
    if tsv and not every:
        raise UsageError("--tsv is for --all.", hint="The partners of one file come as JSON with --json.")
    one_form(as_json=as_json, as_tsv=tsv)
    if limit is not None:
        checked_limit(limit)
    with opened() as workspace:
        asked = workspace.kernel.one(CoChanges)
        silence = why_silent(workspace.kernel)
        if file is not None:
            found = asked.cochanges(file, limit=limit or _SHOWN)
            notices = _notices(silence or _without_partners(found), workspace)
            if as_json:
                print_json(as_shape(found) | {"notices": notices})
            else:
                _print_partners(found)
        else:
            pairs = asked.all_cochanges(limit=limit if limit or tsv or as_json else _SHOWN)
            notices = _notices(silence, workspace)
            _print_pairs(pairs, notices, tsv=tsv, as_json=as_json)
    _note(notices)


def check_changes(
    *,
    staged: Annotated[bool, typer.Option("--staged", help="Look at what is staged only.")] = False,
    since: Annotated[
        str | None, typer.Option("--since", metavar="REV", help="Look at everything since HEAD and REV parted.")
    ] = None,
    min_confidence: Annotated[
        float, typer.Option("--min-confidence", metavar="F", help="Least share of a file's commits, above 0, up to 1.")
    ] = 0.6,
    min_support: Annotated[
        int | None,
        typer.Option("--min-support", metavar="N", help="Least commits that two files must share, at least 1."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 1 if anything is missing.")] = False,
    as_json: Json = False,
) -> None:
    """Name the files that usually change with the changed ones and are not in this change.

    This change is what differs from HEAD, new files too. With --since it begins where HEAD and REV parted, as in 'git
    diff REV...', and includes what is not committed yet. In a hook, --staged looks at the commit under way.

    Example:
      tx graph:check-changes
      tx graph:check-changes --staged --strict
      tx graph:check-changes --since origin/main
    """
    with opened() as workspace:
        found = workspace.kernel.one(CoChanges).check_changes(
            staged=staged, since=since, min_confidence=min_confidence, min_support=min_support
        )
        notices = _notices(found.silence, workspace)
    if as_json:
        print_json(as_shape(found) | {"notices": notices})
    else:
        for one in found.missing:
            best = one.evidence[0]
            more = f", and with {counted(len(one.evidence) - 1, 'more changed file')}" if len(one.evidence) > 1 else ""
            share = f"{best.shared:,} of {counted(best.commits, 'commit')} ({_percent(best.confidence)})"
            typer.echo(printable(f"`{one.path}` usually changes with `{best.file}`: {share}{more}"))
    _note(notices)
    if strict and found.missing:
        raise typer.Exit(1)


def _notices(silence: str, workspace: Workspace) -> list[str]:
    """Return why there is no answer, and how old it is, each as a sentence."""
    return [sentence for sentence in (silence, workspace.health.staleness()) if sentence]


def _note(notices: Sequence[str]) -> None:
    for sentence in notices:
        note(sentence)


def _print_partners(found: FilePartners) -> None:
    for one in found.partners:
        typer.echo(printable(_sentence(one.path, one.shared, one.commits, found.file)))
    if found.total > len(found.partners):
        note(f"{found.total - len(found.partners)} more; show them with -n {found.total}.")


def _without_partners(found: FilePartners) -> str:
    if found.partners:
        return ""
    if not found.commits:
        return f"No commit that was counted touched {found.file}."
    return f"Nothing usually changes with {found.file}, in {counted(found.commits, 'counted commit')}."


def _print_pairs(pairs: Sequence[CoChange], notices: Sequence[str], *, tsv: bool, as_json: bool) -> None:
    if tsv:
        print_tsv(_COLUMNS, (_cells(pair) for pair in pairs))
    elif as_json:
        print_json({"pairs": [dict(zip(_COLUMNS, _cells(pair), strict=True)) for pair in pairs], "notices": notices})
    else:
        for pair in pairs:
            typer.echo(printable(f"{pair.score:.2f}  `{pair.file_a}` and `{pair.file_b}`: {_times(pair)}"))


def _cells(pair: CoChange) -> tuple[str, str, float, int, int, int]:
    return (pair.file_a, pair.file_b, pair.score, pair.shared, pair.commits_a, pair.commits_b)


def _times(pair: CoChange) -> str:
    return f"{counted(pair.shared, 'commit')} together, of {pair.commits_a:,} and {pair.commits_b:,}"


def _sentence(path: str, shared: int, commits: int, file: str) -> str:
    share = f"{shared:,} of {counted(commits, 'commit')} that touched `{file}`"
    return f"`{path}` changed in {share} ({_percent(shared / commits)})"


def _percent(share: float) -> str:
    return f"{share:.0%}"
