"""Options that several commands share, spelled and explained once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from tx_graph.domain.edges import Direction
from tx_graph.domain.learning import SourceType, Status
from tx_graph.errors import UsageError
from tx_graph.workspace import Workspace, open_workspace

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Limit = Annotated[int, typer.Option("-n", "--limit", metavar="N", help="Most results to show.")]
LearningRef = Annotated[str, typer.Argument(metavar="LEARNING", help="Its number, uid, or the beginning of its uid.")]
NodeRef = Annotated[str, typer.Argument(metavar="REF", help="A learning, a path, or PATH::SYMBOL.")]
Category = Annotated[str | None, typer.Option("--category", metavar="NAME", help="Only this category.")]
StatusFilter = Annotated[Status | None, typer.Option("--status", help="Only this status.")]
SourceFilter = Annotated[SourceType | None, typer.Option("--source-type", help="Only from this kind of source.")]
Depth = Annotated[int, typer.Option("--depth", metavar="HOPS", help="How many hops to go, 0 to 10.")]
Decay = Annotated[float, typer.Option("--decay", metavar="F", help="Factor per hop, above 0 up to 1.")]
MaxNodes = Annotated[int, typer.Option("--max-nodes", metavar="N", help="Most nodes to reach beyond the seeds.")]
EdgeTypes = Annotated[
    list[str] | None, typer.Option("--edge-types", metavar="A,B", help="Follow only these edge types.")
]
ExcludeEdgeTypes = Annotated[
    list[str] | None, typer.Option("--exclude-edge-types", metavar="A,B", help="Follow all but these edge types.")
]
Ways = Annotated[Direction, typer.Option("--direction", help="Which way to follow edges.")]


@contextmanager
def opened() -> Iterator[Workspace]:
    """Open the workspace of the working directory; say on stderr which records were skipped."""
    with open_workspace() as workspace:
        for problem in workspace.record_problems():
            typer.echo(f"tx: warning: {problem}.", err=True)
        if workspace.synced.pending:
            typer.echo(
                f"tx: warning: {workspace.synced.pending} changed records are not taken in: the database is read-only.",
                err=True,
            )
        yield workspace


def split_names(values: list[str] | None) -> list[str]:
    """Return names that may be given by repeating an option or separated by commas."""
    return [name for value in values or () for name in value.split(",") if name.strip()]


def text_from(argument: str | None) -> str:
    """Return an argument's text, or what stands on stdin when it is '-' or missing.

    Raises:
        UsageError: There is neither, or stdin is not valid UTF-8.
    """
    if argument is not None and argument != "-":
        return argument
    if argument is None and sys.stdin.isatty():
        raise UsageError("The text is missing.", hint="Pass it as an argument, or '-' to read it from stdin.")
    return decoded(sys.stdin.buffer.read(), "stdin")


def decoded(data: bytes, source: str) -> str:
    """Return bytes as text.

    Raises:
        UsageError: They are not valid UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError(f"{source} is not valid UTF-8 (line {line}).", hint="Convert it to UTF-8 first.") from None
