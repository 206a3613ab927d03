"""doc:extract."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tx_graph.core.errors import UsageError
from tx_graph.documents.asking import AskingOptions, ExtractOptions
from tx_graph.documents.relations import Pruning
from tx_graph.faces.cli.command import decoded
from tx_graph.faces.cli.extraction_options import (
    BatchSize,
    Docs,
    ModelName,
    Timeout,
    Workers,
    asking,
    documents_named,
    without_a_model,
)
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render import extracting as render
from tx_graph.faces.cli.render.terminal import json_text, note, print_json
from tx_graph.faces.cli.render.words import counted

_WITHOUT = "Without a model: --print-batches has an agent answer, --apply takes its replies."


def extract(
    *,
    model: ModelName = None,
    docs: Docs = None,
    batch_size: BatchSize = 5,
    overlap: Annotated[
        int, typer.Option("--overlap", metavar="N", help="Sections that a batch shares with the one before it.")
    ] = 0,
    workers: Workers = 3,
    timeout: Timeout = 120.0,
    min_weight: Annotated[
        float, typer.Option("--min-weight", metavar="F", help="Leave out lighter edges, 0 to 1.")
    ] = 0.0,
    max_edges: Annotated[
        int,
        typer.Option("--max-edges-per-chunk", metavar="N", help="Keep the heaviest N that leave a section; 0: all."),
    ] = 0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say how much would be asked, and how long it is.")
    ] = False,
    print_batches: Annotated[
        bool, typer.Option("--print-batches", help="Print the questions as JSON lines, for an agent to answer.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="With --print-batches: also what an agent has answered already.")
    ] = False,
    apply: Annotated[
        str | None, typer.Option("--apply", metavar="FILE", help="Store an agent's replies; '-' reads stdin.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Have a language model say how the sections of each document are related: what depends on what, and why.

    Models are those of the library llm (pip install 'tx-graph[llm]'), with its plugins and its keys. An answer is kept:
    nothing is asked twice while its sections stay as they are, also after an interruption. Without a key an agent can
    be the model: it answers what --print-batches prints, one line {"batch": …, "reply": {"edges": […]}} each.

    Example:
      tx doc:extract --model gpt-5-mini --dry-run
      tx doc:extract --model gpt-5-mini --docs "docs/**" --min-weight 0.3
      tx doc:extract --print-batches > batches.jsonl
      tx doc:extract --apply replies.jsonl
    """
    _check_form(model, dry_run=dry_run, print_batches=print_batches, every=every, apply=apply)
    pruning = Pruning(min_weight=min_weight, most=max_edges)
    options = ExtractOptions(
        size=batch_size,
        overlap=overlap,
        documents=documents_named(docs),
        pruning=pruning,
        asking=AskingOptions(workers=workers, timeout=timeout),
    )
    if apply is not None:
        _apply(apply, pruning, as_json=as_json)
    elif print_batches:
        _print_batches(options, every=every, as_json=as_json)
    elif dry_run:
        _plan(options, model, as_json=as_json)
    else:
        _extract(options, model, as_json=as_json)


def _check_form(model: str | None, *, dry_run: bool, print_batches: bool, every: bool, apply: str | None) -> None:
    if dry_run + print_batches + (apply is not None) > 1:
        raise UsageError("--dry-run, --print-batches and --apply exclude each other.")
    if model is not None and (print_batches or apply is not None):
        raise UsageError("With --print-batches and --apply an agent is the model.", hint="Leave --model out.")
    if every and not print_batches:
        raise UsageError("--all is for --print-batches.")


def _extract(options: ExtractOptions, model: str | None, *, as_json: bool) -> None:
    with opened() as workspace, asking(_WITHOUT) as report:
        done = workspace.extracting.run(options, model=model, on_failure=render.note_failure, progress=report)
    if as_json:
        print_json(render.extracted_shape(done))
    else:
        render.print_extracted(done)


def _plan(options: ExtractOptions, model: str | None, *, as_json: bool) -> None:
    with opened() as workspace, without_a_model(_WITHOUT):
        plan = workspace.extracting.plan(options, model=model)
    if as_json:
        print_json(render.plan_shape(plan))
    else:
        render.print_plan(plan)


def _print_batches(options: ExtractOptions, *, every: bool, as_json: bool) -> None:
    with opened() as workspace:
        if recalled := workspace.extracting.recall(options):
            note(f"{counted(recalled, 'edge')} from replies that were kept; the graph had none of them.")
        batches = workspace.extracting.unanswered(options, every=every)
    if as_json:
        print_json({"batches": [render.batch_shape(batch) for batch in batches]})
        return
    for batch in batches:
        typer.echo(json_text(render.batch_shape(batch)))
    if not batches:
        note("There is nothing to ask about.")


def _apply(file: str, pruning: Pruning, *, as_json: bool) -> None:
    data = sys.stdin.buffer.read() if file == "-" else _read(Path(file))
    # Not splitlines: JSON may hold a U+2028 or U+0085 as it is, and for that a line would end there.
    lines = decoded(data, "stdin" if file == "-" else file).split("\n")
    with opened() as workspace:
        done = workspace.extracting.apply(lines, pruning=pruning)
    for failure in done.unreadable:
        render.note_failure(failure)
    if as_json:
        print_json(render.applied_shape(done))
    else:
        render.print_applied(done)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
