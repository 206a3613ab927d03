"""doc:link."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.core.errors import UsageError
from tx_graph.documents.asking import AskingOptions, CrossLinked, CrossLinkOptions
from tx_graph.faces.cli.extraction_options import BatchSize, Docs, ModelName, Timeout, Workers, asking, documents_named
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render import extracting as render
from tx_graph.faces.cli.render.terminal import print_json

_WITHOUT = "Without a model, --no-model stores how alike they are."


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
        documents=documents_named(docs),
        asking=AskingOptions(workers=workers, timeout=timeout),
    )
    done = _linked(options) if no_model else _asked(options, model)
    if as_json:
        print_json(render.linked_shape(done))
    else:
        render.print_linked(done, asked=not no_model)


def _linked(options: CrossLinkOptions) -> CrossLinked:
    with opened() as workspace:
        return workspace.cross_linking.run_without_model(options)


def _asked(options: CrossLinkOptions, model: str | None) -> CrossLinked:
    with opened() as workspace, asking(_WITHOUT) as report:
        return workspace.cross_linking.run(options, model=model, on_failure=render.note_failure, progress=report)
