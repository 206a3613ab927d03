"""doc:extract, doc:link."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from tx_graph.core.errors import ModelUnusable, UsageError
from tx_graph.core.ports import Progress
from tx_graph.documents.documents import Documents
from tx_graph.documents.extracting import recall
from tx_graph.documents.relations import AskingOptions, CrossLinkOptions, ExtractOptions, Pruning
from tx_graph.faces.cli.command import Json, decoded, opened, split_names
from tx_graph.faces.cli.render import extracting as render
from tx_graph.faces.cli.render.terminal import json_text, note, print_json, progress
from tx_graph.faces.cli.render.words import counted

ModelName = Annotated[
    str | None,
    typer.Option(
        "-m", "--model", metavar="NAME", help="A model of llm, by name or alias; else LLM_MODEL, else llm's default."
    ),
]
Docs = Annotated[
    list[str] | None,
    typer.Option("--docs", metavar="A,B", help="Only these documents: paths, directories or globs. Repeatable."),
]
BatchSize = Annotated[
    int, typer.Option("--batch-size", metavar="N", help="Sections to ask about together, at least 2.")
]
Workers = Annotated[int, typer.Option("--workers", metavar="N", help="Most questions under way at a time, at least 1.")]
Timeout = Annotated[float, typer.Option("--timeout", metavar="SECONDS", help="How long to wait for one answer.")]


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
    if dry_run + print_batches + (apply is not None) > 1:
        raise UsageError("--dry-run, --print-batches and --apply exclude each other.")
    if model is not None and (print_batches or apply is not None):
        raise UsageError("With --print-batches and --apply an agent is the model.", hint="Leave --model out.")
    if every and not print_batches:
        raise UsageError("--all is for --print-batches.")
    way_out = "Without a model: --print-batches has an agent answer, --apply takes its replies."
    options = ExtractOptions(
        size=batch_size,
        overlap=overlap,
        documents=_named(docs),
        pruning=Pruning(min_weight=min_weight, most=max_edges),
        asking=AskingOptions(workers=workers, timeout=timeout),
    )
    if apply is not None:
        _apply(apply, options.pruning, as_json=as_json)
    elif print_batches:
        _print_batches(options, every=every, as_json=as_json)
    elif dry_run:
        with opened() as kernel, without_a_model(way_out):
            plan = kernel.one(Documents).plan_extraction(options, model=model)
        print_json(asdict(plan)) if as_json else render.print_plan(plan)
    else:
        with opened() as kernel, _asking(way_out) as report:
            done = kernel.one(Documents).extract(options, model=model, on_failure=render.note_failure, progress=report)
        print_json(render.extracted_shape(done)) if as_json else render.print_extracted(done)


def _print_batches(options: ExtractOptions, *, every: bool, as_json: bool) -> None:
    with opened() as kernel:
        if recalled := recall(kernel, options):
            note(f"{counted(recalled, 'edge')} from replies that were kept; the graph had none of them.")
        questions = [asdict(one) for one in kernel.one(Documents).questions(options, every=every)]
    if as_json:
        print_json({"batches": questions})
        return
    for question in questions:
        typer.echo(json_text(question))
    if not questions:
        note("There is nothing to ask about.")


def _apply(file: str, pruning: Pruning, *, as_json: bool) -> None:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"{Path(file)} cannot be read: {error.strerror}.") from None
    # Not splitlines: JSON may hold a U+2028 or U+0085 as it is, and for that a line would end there.
    lines = decoded(data, "stdin" if file == "-" else file).split("\n")
    with opened() as kernel:
        done = kernel.one(Documents).apply(lines, pruning=pruning)
    for failure in done.unreadable:
        render.note_failure(failure)
    print_json(render.applied_shape(done)) if as_json else render.print_applied(done)


def link(
    *,
    threshold: Annotated[
        float, typer.Option("--threshold", metavar="F", help="Least cosine similarity of a pair, above 0, up to 1.")
    ] = 0.5,
    max_pairs: Annotated[
        int, typer.Option("--max-pairs", metavar="N", help="Nearest sections to look at for each one, at least 1.")
    ] = 3,
    batch_size: BatchSize = 5,
    docs: Docs = None,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Ask nobody: tie them as similar, weighted by their similarity.")
    ] = False,
    model: ModelName = None,
    workers: Workers = 3,
    timeout: Timeout = 120.0,
    as_json: Json = False,
) -> None:
    """Find near sections of different documents by their vectors, and have a language model say how they are related.

    Two sections are as near as their nearest pieces. --docs says where to start from; the other end may be in any
    document. As with 'tx doc:extract', an answer is kept and nothing is asked twice. Needs vectors: 'tx doc:ingest'
    makes them where the embedding model is installed.

    Example:
      tx doc:link --model gpt-5-mini
      tx doc:link --no-model --threshold 0.7
    """
    if no_model and model is not None:
        raise UsageError("--no-model and --model exclude each other.")
    options = CrossLinkOptions(
        threshold=threshold,
        most_pairs=max_pairs,
        size=batch_size,
        documents=_named(docs),
        asking=AskingOptions(workers=workers, timeout=timeout),
    )
    with opened() as kernel:
        documents = kernel.one(Documents)
        if no_model:
            done = documents.link_similar(options)
        else:
            with _asking("Without a model, --no-model stores how alike they are.") as report:
                done = documents.link(options, model=model, on_failure=render.note_failure, progress=report)
    print_json(render.linked_shape(done)) if as_json else render.print_linked(done, asked=not no_model)


def _named(docs: list[str] | None) -> tuple[str, ...]:
    """Return the documents that --docs names; none stand for all, which somebody who names some does not mean."""
    named = tuple(split_names(docs))
    if docs and not named:
        raise UsageError("--docs names no document.", hint="Leave it out to ask about all of them.")
    return named


@contextmanager
def without_a_model(way_out: str) -> Iterator[None]:
    """Where no model can be asked, say what can be done without one."""
    try:
        yield
    except ModelUnusable as error:
        hint = f"{error.hint.rstrip('.')}. {way_out}" if error.hint else way_out
        raise ModelUnusable(error.message, hint=hint, candidates=error.candidates) from error


@contextmanager
def _asking(way_out: str) -> Iterator[Progress]:
    """Yield what reports progress; where no model can be asked, or somebody interrupts, say what is to be known."""
    try:
        with without_a_model(way_out), progress("Asking", unit="batches") as report:
            yield report
    except KeyboardInterrupt:
        note("What was answered is kept; run the same again to go on.")
        raise
