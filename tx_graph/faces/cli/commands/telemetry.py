"""telemetry:list, telemetry:prune."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.core.arguments import choices
from tx_graph.faces.cli.options import Json, Limit, opened
from tx_graph.faces.cli.render.telemetry import event_shape, print_events
from tx_graph.faces.cli.render.terminal import note, print_json
from tx_graph.faces.cli.render.words import counted
from tx_graph.work.ingesting import Asked
from tx_graph.work.telemetry import EventKind


def list_(
    *,
    run: Annotated[str | None, typer.Option("--run", metavar="RUN", help="Only of this run.")] = None,
    kind: Annotated[
        list[EventKind] | None,
        typer.Option("--kind", metavar="NAME", help=f"Only these: {choices(EventKind)}. Repeatable."),
    ] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Only what failed.")] = False,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """List the last things that agents did, oldest first. Of each text the beginning; --json has all that is kept.

    Example:
      tx telemetry:list --run 9
      tx telemetry:list --failed -n 20
    """
    with opened() as workspace:
        found = workspace.telemetry.events(Asked(run=run, kinds=kind or [], failed=failed, limit=limit))
    if as_json:
        print_json({"events": [event_shape(stored) for stored in found]})
    elif found:
        print_events(found)
    else:
        note("No such event is kept. 'tx transcript:ingest FILE|DIR' reads transcripts.")


def prune(
    *,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="AGE", help="Not the setting telemetry.keep: 12h, 30d, 4w.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Forget what transcripts told that is older than the setting telemetry.keep says.

    Runs stay, and so does how far each transcript was read: what was forgotten does not come back. 0h forgets all.

    Example:
      tx telemetry:prune
      tx telemetry:prune --keep 12h
    """
    with opened() as workspace:
        done = workspace.retention.prune(keep)
    if as_json:
        print_json({"removed": done.removed, "left": done.left, "since": done.since})
    else:
        typer.echo(f"Removed {counted(done.removed, 'event')} from before {done.since}; {done.left:,} left.")
