"""Options of the commands that ask a language model about sections, and what to do where none can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from tx_graph.core.errors import ModelUnusable, UsageError
from tx_graph.core.ports import Progress
from tx_graph.faces.cli.command import split_names
from tx_graph.faces.cli.render.extracting import told_what_is_kept
from tx_graph.faces.cli.render.terminal import progress

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


def documents_named(docs: list[str] | None) -> tuple[str, ...]:
    """Return the documents that the option names; none stand for all, which somebody who names some does not mean."""
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
def asking(way_out: str) -> Iterator[Progress]:
    """Yield what reports progress; where no model can be asked, or somebody interrupts, say what is to be known."""
    with without_a_model(way_out), told_what_is_kept(), progress("Asking", unit="batches") as report:
        yield report
