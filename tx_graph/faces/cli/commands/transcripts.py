"""transcript:ingest, transcript:list."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.core.arguments import choices
from tx_graph.core.shape import as_json as shape_of
from tx_graph.faces.cli.options import Json, Limit, opened
from tx_graph.faces.cli.render.telemetry import ingest_shape, print_ingest, print_transcripts
from tx_graph.faces.cli.render.terminal import note, print_json, progress
from tx_graph.work.ingesting import Wanted
from tx_graph.work.telemetry import TranscriptFormat

_REFUSED = 1


def ingest(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE|DIR...", help="Transcripts, and directories that have some.")
    ],
    *,
    form: Annotated[
        TranscriptFormat | None,
        typer.Option("--format", metavar="NAME", help=f"Not by content, but as {choices(TranscriptFormat)}."),
    ] = None,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Also sessions in other directories than this repository.")
    ] = False,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="AGE", help="Keep events this long: 12h, 30d, 4w.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Read what agents did from their transcripts: prompts, answers, calls of tools and what these said.

    Claude Code keeps them in ~/.claude/projects, Codex in ~/.codex/sessions; both are *.jsonl. Each one is a session,
    and becomes a run. Secrets are taken out before anything is stored; long texts lose their middle, thoughts and
    images are left out. Only what is new since the last time is read. Events stay on this machine and are forgotten
    after the time that the setting telemetry.keep says. A named file that cannot be read makes the exit status 1.

    Example:
      tx transcript:ingest ~/.claude/projects ~/.codex/sessions
      tx transcript:ingest session.jsonl --keep 90d
    """
    wanted = Wanted(format=form, everywhere=everywhere, keep=keep)
    with opened() as workspace, progress("Reading transcripts", unit="transcripts") as report:
        done = workspace.transcripts.run(paths, wanted, progress=report)
    if as_json:
        print_json(ingest_shape(done))
    else:
        print_ingest(done)
    if any(one.named for one in done.refused):
        raise typer.Exit(_REFUSED)


def list_(*, limit: Limit = 20, as_json: Json = False) -> None:
    """List the transcripts that were read, newest first, with what is kept of them.

    Example:
      tx transcript:list
    """
    with opened() as workspace:
        found = workspace.telemetry.transcripts(limit=limit)
    if as_json:
        print_json({"transcripts": shape_of(found)})
    elif found:
        print_transcripts(found)
    else:
        note("No transcript was read yet: run 'tx transcript:ingest FILE|DIR'.")
