"""Options that several commands share, spelled and explained once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tx_graph.cli.render.terminal import note
from tx_graph.cli.render.words import counted
from tx_graph.domain.edges import Direction
from tx_graph.domain.learning import SourceType, Status
from tx_graph.errors import RepositoryError, UsageError
from tx_graph.workspace import Workspace, open_workspace

_MOST_WARNINGS = 3
"""Skipped records to name; a broken merge may leave hundreds."""


def choices(kind: type[StrEnum]) -> str:
    """Return what an option accepts, in words."""
    *most, last = [member.value for member in kind]
    return f"{', '.join(most)} or {last}"


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Tsv = Annotated[
    bool, typer.Option("--tsv", help="Print tab-separated lines below one header line; odd names as git quotes them.")
]
Limit = Annotated[int, typer.Option("-n", "--limit", metavar="N", help="Most results to show, 1 to 10,000.")]
LearningRef = Annotated[str, typer.Argument(metavar="LEARNING", help="Its number, uid, or the beginning of its uid.")]
NodeRef = Annotated[
    str, typer.Argument(metavar="REF", help="A learning, a path, PATH::SYMBOL, docs/a.md#part, task:7 or run:9.")
]
TaskRef = Annotated[str, typer.Argument(metavar="TASK", help="Its number, or what a tracker calls it, such as GH-123.")]
RunRef = Annotated[str, typer.Argument(metavar="RUN", help="Its number.")]
Category = Annotated[str | None, typer.Option("--category", metavar="NAME", help="Only this category.")]
StatusFilter = Annotated[
    Status | None, typer.Option("--status", metavar="NAME", help=f"Only this status: {choices(Status)}.")
]
SourceFilter = Annotated[
    SourceType | None, typer.Option("--source-type", metavar="KIND", help=f"Only from this: {choices(SourceType)}.")
]
Depth = Annotated[int, typer.Option("--depth", metavar="HOPS", help="How many hops to go, 0 to 10.")]
Decay = Annotated[
    float, typer.Option("--decay", metavar="F", help="Each hop multiplies the score by this: above 0, up to 1.")
]
MaxNodes = Annotated[int, typer.Option("--max-nodes", metavar="N", help="Most nodes to reach, at least 1.")]
EdgeTypes = Annotated[
    list[str] | None,
    typer.Option(
        "--edge-types",
        metavar="A,B",
        help="Follow only these, such as IMPORTS, CO_CHANGES_WITH, ANCHORED_TO, LINKS_TO.",
    ),
]
ExcludeEdgeTypes = Annotated[
    list[str] | None, typer.Option("--exclude-edge-types", metavar="A,B", help="Follow all edge types but these.")
]
OpenFiles = Annotated[
    list[str] | None,
    typer.Option("--files", metavar="A,B", help="Files you have open: paths, globs, PATH::SYMBOL. Repeatable."),
]
RetrieverName = Annotated[
    str | None,
    typer.Option("--retriever", metavar="NAME", help="Who finds direct matches: hybrid, bm25 or a plug-in."),
]
Ways = Annotated[
    Direction, typer.Option("--direction", metavar="WAY", help=f"How to follow edges: {choices(Direction)}.")
]


@contextmanager
def opened() -> Iterator[Workspace]:
    """Open the workspace of the working directory; say on stderr which records were skipped."""
    with open_workspace(here()) as workspace:
        problems = workspace.record_problems()
        for problem in problems[:_MOST_WARNINGS]:
            note(f"tx: warning: {problem}.")
        if len(problems) > _MOST_WARNINGS:
            note(f"tx: warning: {len(problems) - _MOST_WARNINGS} more records are skipped; see 'tx doctor'.")
        if pending := workspace.synced.pending:
            note(f"tx: warning: {counted(pending, 'changed record')} not taken in: the database is read-only.")
        yield workspace


def here() -> Path:
    """Return the working directory.

    Raises:
        RepositoryError: It was removed.
    """
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise RepositoryError("The working directory no longer exists.", hint="Change to another one.") from None


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
