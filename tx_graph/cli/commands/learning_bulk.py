"""learning:import, learning:export, learning:embed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from tx_graph.cli.options import Json, decoded, opened
from tx_graph.cli.render import shapes
from tx_graph.cli.render.terminal import note, print_json, print_table, progress
from tx_graph.errors import UsageError
from tx_graph.services.embedding import EmbeddingStatus
from tx_graph.storage.learnings import LearningFilter


def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of JSON lines; '-' reads stdin.")],
    *,
    as_json: Json = False,
) -> None:
    """Import learnings, one JSON object a line with at least "content"; all or nothing.

    Exact duplicates are left out. What 'learning:export' prints can be imported.

    Example: tx learning:import learnings.jsonl
    """
    data = sys.stdin.buffer.read() if file == "-" else _read(Path(file))
    lines = decoded(data, "stdin" if file == "-" else file).splitlines()
    with opened() as workspace:
        with progress("Importing", unit="learnings") as report:
            done = workspace.importing.run(lines, progress=report)
        lacking = workspace.embedding.lacking if workspace.embedding.available else 0
    if as_json:
        print_json({"added": done.added, "duplicates": done.duplicates, "lines": done.lines})
    else:
        typer.echo(f"Added {done.added:,} learnings; {done.duplicates:,} were known already.")
    if lacking:
        note(f"{lacking:,} learnings have no vector yet; run 'tx learning:embed'.")


def export(*, as_json: Json = False) -> None:
    """Print all learnings that were not removed, one JSON object a line (with --json: one document).

    Example: tx learning:export > learnings.jsonl
    """
    with opened() as workspace:
        found = workspace.learnings.everything(LearningFilter())
    if as_json:
        print_json(shapes.learnings(found))
        return
    for stored in reversed(found):
        typer.echo(json.dumps(shapes.learning(stored), ensure_ascii=False))


def embed(
    *,
    again: Annotated[bool, typer.Option("--all", help="Embed all again, also those that have a vector.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Only show what is stored.")] = False,
    as_json: Json = False,
) -> None:
    """Give every learning that has none its vector; after a change of model, its new one.

    Example: tx learning:embed --status
    """
    if again and status:
        raise UsageError("--all and --status exclude each other.")
    with opened() as workspace:
        done = 0
        if not status:
            with progress("Embedding", unit="learnings") as report:
                done = workspace.embedding.embed_lacking(again=again, progress=report)
        now = workspace.embedding.status()
    if as_json:
        print_json({"embedded": done} | _shape(now))
        return
    if not status:
        typer.echo(f"Embedded {done:,} learnings with {now.model}.")
    else:
        _print(now)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None


def _shape(now: EmbeddingStatus) -> dict[str, object]:
    return {
        "model": now.model,
        "installed": now.installed,
        "lacking": now.lacking,
        "stored": [{"model": one.model, "dimension": one.dimension, "count": one.count} for one in now.stored],
    }


def _print(now: EmbeddingStatus) -> None:
    installed = "installed" if now.installed else "not installed; run 'tx model install'"
    typer.echo(f"{now.model} ({installed}); {now.lacking:,} learnings have no vector of it.")
    if now.stored:
        rows = [(one.model, str(one.dimension), str(one.count)) for one in now.stored]
        print_table(["model", "dimension", "vectors"], rows, right=["dimension", "vectors"])
