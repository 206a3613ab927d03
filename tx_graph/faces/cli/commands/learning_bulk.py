"""learning:import, learning:export, learning:embed."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.command import decoded
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render import shapes
from tx_graph.faces.cli.render.terminal import json_text, note, print_json, print_table, progress
from tx_graph.faces.cli.render.words import counted
from tx_graph.records.learning_store import LearningFilter
from tx_graph.vectors.embedding import EmbeddingStatus


def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of JSON lines; '-' reads stdin.")],
    *,
    as_json: Json = False,
) -> None:
    """Import learnings, one JSON object a line with at least "content"; all or nothing.

    Other fields: category, keywords, status, confidence, source_type, source_ref, anchors, links. Text that is
    known is not added again: it gains the line's anchors, keywords and links, and comes back if it was removed.
    What 'learning:export' prints can be imported.

    Example:
      tx learning:import learnings.jsonl
      tx learning:export | tx -C ../other learning:import -
    """
    data = sys.stdin.buffer.read() if file == "-" else _read(Path(file))
    # Not splitlines: JSON may hold a U+2028 or U+0085 as it is, and for that a line would end there.
    lines = decoded(data, "stdin" if file == "-" else file).split("\n")
    with opened() as workspace:
        with progress("Importing", unit="learnings") as report:
            done = workspace.importing.run(lines, progress=report)
        lacking = workspace.embedding.lacking if workspace.embedding.available else 0
    if as_json:
        print_json(asdict(done))
    else:
        more = f", updated {done.updated:,}" if done.updated else ""
        more += f", restored {done.revived:,}" if done.revived else ""
        typer.echo(f"Added {counted(done.added, 'learning')}{more}; {done.duplicates:,} known already.")
    if lacking:
        note(f"{counted(lacking, 'learning')} without a vector; run 'tx learning:embed'.")


def export(*, as_json: Json = False) -> None:
    """Print all learnings that were not removed, one JSON object a line (with --json: one document).

    Example:
      tx learning:export > learnings.jsonl
    """
    with opened() as workspace:
        found = workspace.learnings.everything(LearningFilter())
    if as_json:
        print_json(shapes.learnings(found))
        return
    for stored in reversed(found):
        typer.echo(json_text(shapes.learning(stored)))


def embed(
    *,
    again: Annotated[bool, typer.Option("--all", help="Embed all again, also those that have a vector.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Only show what is stored.")] = False,
    as_json: Json = False,
) -> None:
    """Give every learning and every entity that has none its vector; after a change of model, its new one.

    Needs the model ('tx model install'). Search then also finds what says the same in other words.

    Example:
      tx learning:embed
      tx learning:embed --status
    """
    if again and status:
        raise UsageError("--all and --status exclude each other.")
    with opened() as workspace:
        done = entities = 0
        if not status:
            with progress("Embedding", unit="learnings") as report:
                done = workspace.embedding.embed_lacking(again=again, progress=report)
            with progress("Embedding", unit="entities") as report:
                entities = workspace.embedding.embed_lacking_entities(again=again, progress=report)
        now = workspace.embedding.status()
    if as_json:
        print_json({"embedded": done, "entities": entities} | _shape(now))
        return
    if not status:
        also = f" and {counted(entities, 'entity')}" if entities else ""
        typer.echo(f"Embedded {counted(done, 'learning')}{also} with {now.model}.")
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
        "lacking_entities": now.lacking_entities,
        "stored": [{"model": one.model, "dimension": one.dimension, "count": one.count} for one in now.stored],
    }


def _print(now: EmbeddingStatus) -> None:
    installed = "installed" if now.installed else "not installed; run 'tx model install'"
    also = f" and {counted(now.lacking_entities, 'entity')}" if now.lacking_entities else ""
    typer.echo(f"{now.model} ({installed}); {counted(now.lacking, 'learning')}{also} without its vector.")
    if now.stored:
        rows = [(one.model, str(one.dimension), str(one.count)) for one in now.stored]
        print_table(["model", "dimension", "vectors"], rows, right=["dimension", "vectors"])
