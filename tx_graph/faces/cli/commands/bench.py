"""bench."""

from __future__ import annotations

from difflib import get_close_matches
from signal import SIGTERM, signal
from types import FrameType
from typing import Annotated

import typer

from tx_graph.context.ranking_evidence import Method
from tx_graph.context.replay import ReplayReport, ReplayRequest
from tx_graph.core.arguments import choices
from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.command import here, split_names
from tx_graph.faces.cli.options import Json
from tx_graph.faces.cli.render import bench as render
from tx_graph.faces.cli.render.terminal import note, print_json, progress
from tx_graph.history.sampling import Measure, Variant
from tx_graph.workspace import open_workspace
from tx_graph.workspace.replaying import open_replay, store_weights


def bench(
    *,
    samples: Annotated[int, typer.Option("--samples", metavar="N", help="Most commits to replay, at least 1.")] = 100,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Another number draws other commits.")] = 0,
    since: Annotated[
        str | None, typer.Option("--since", metavar="WHEN", help='Replay later commits only: "2 years ago" or a date.')
    ] = None,
    methods: Annotated[
        list[str] | None, typer.Option("--methods", metavar="A,B", help=f"Only these: {choices(Method)}.")
    ] = None,
    tune: Annotated[
        bool, typer.Option("--tune", help="Find better weights on the older half, and try them on the newer half.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="With --tune: store the weights if they did better there.")
    ] = False,
    fail_under: Annotated[
        float | None,
        typer.Option("--fail-under", metavar="F", help="Exit with status 1 if recall@10 of spread from words is less."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Replay this repository's history: would tx have found the files that each commit went on to change?

    Each sampled commit is asked about at its parent, in a temporary copy: from its subject alone, and with one of its
    files open. Commits qualify that are no merges, not in the first fifth of history, and changed 2 to 10 paths, at
    least two of them files that existed before; those are what is to be found. Needs no .tx; the working tree is
    left alone.

    Recall@k is the share of these files among the first k; MRR is 1 divided by the place of the first one, 0 beyond
    ten. In brackets stand 95 % bootstrap intervals.

    Example:
      tx bench
      tx bench --samples 300 --since "2 years ago" --json
      tx bench --tune --write
      tx bench --methods fusion,spread --fail-under 0.5
    """
    request = ReplayRequest(samples=samples, seed=seed, since=since, methods=_methods(methods), tune=tune)
    _check(request, write=write, fail_under=fail_under)
    before = signal(SIGTERM, _end)
    try:
        replay = open_replay(here())
        with progress("Replaying commits", unit="commits") as report:
            found = replay.run(request, progress=report)
    finally:
        signal(SIGTERM, before)  # who runs commands in a process of its own decides again how that one ends
    written = _written(found) if write else ""
    if as_json:
        print_json(render.shape(found, written=written))
    else:
        render.print_report(found)
    for sentence in (
        *render.notices(found, wanted=samples),
        *([render.about_writing(found, written)] if write else []),
    ):
        note(sentence)
    if fail_under is not None:
        _gate(found, fail_under)


def _end(number: int, _: FrameType | None) -> None:
    """End as when interrupted, so that the temporary copy goes: CI ends a job that takes too long like this."""
    raise SystemExit(128 + number)


def _methods(names: list[str] | None) -> tuple[Method, ...]:
    if names is None:
        return tuple(Method)
    wanted = [name.strip() for name in split_names(names)]
    for name in wanted:
        if name not in set(Method):
            near = get_close_matches(name, list(Method)) or list(Method)
            raise UsageError(f"There is no method '{name}'.", candidates=near)
    return tuple(method for method in Method if method in wanted)


def _check(request: ReplayRequest, *, write: bool, fail_under: float | None) -> None:
    """Refuse what would only turn out to be impossible after minutes."""
    if write and not request.tune:
        raise UsageError("--write stores the weights that --tune finds.", hint="Give both.")
    if write:
        open_workspace(here()).close()
    if fail_under is not None and not 0 <= fail_under <= 1:
        raise UsageError(f"--fail-under must be from 0 to 1, not {fail_under:g}.")
    if fail_under is not None and Method.SPREAD not in request.methods:
        raise UsageError("--fail-under is about spread.", hint="Name it among --methods, or leave those out.")


def _written(found: ReplayReport) -> str:
    """Return the name of the file that the weights were stored in; empty when they were not worth it."""
    if found.tuning is None or not found.tuning.is_better:
        return ""
    return str(store_weights(found.tuning.changes, here()))


def _gate(found: ReplayReport, least: float) -> None:
    row = found.row(Variant.WORDS, Method.SPREAD)
    recall = row.measures[Measure.RECALL_AT_10].value if row else 0.0
    if recall < least:
        note(f"recall@10 of spread from words is {recall:.3f}, less than {least:g}.")
        raise typer.Exit(1)
