"""Options that several commands share, spelled and explained once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from tx_graph.core.arguments import choices
from tx_graph.faces.cli.command import Json, Tsv, here, warn
from tx_graph.graph.edges import Direction
from tx_graph.records.learning import SourceType, Status
from tx_graph.records.watch import Records

if TYPE_CHECKING:
    from tx_graph.workspace.composition import Workspace

__all__ = ["Json", "Tsv"]

Limit = Annotated[int, typer.Option("-n", "--limit", metavar="N", help="Most results to show, 1 to 10,000.")]
LearningRef = Annotated[str, typer.Argument(metavar="LEARNING", help="Its number, uid, or the beginning of its uid.")]
NodeRef = Annotated[
    str, typer.Argument(metavar="REF", help="A learning, a path, PATH::SYMBOL, docs/a.md#part, task:7 or run:9.")
]
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
    str | None, typer.Option("--retriever", metavar="NAME", help="Who finds direct matches: hybrid, bm25 or a plug-in.")
]
Ways = Annotated[
    Direction, typer.Option("--direction", metavar="WAY", help=f"How to follow edges: {choices(Direction)}.")
]


@contextmanager
def opened() -> Iterator[Workspace]:
    """Open the workspace of the working directory; say on stderr which records were skipped."""
    from tx_graph.workspace import open_workspace

    with open_workspace(here()) as workspace:
        warn(workspace.kernel.one(Records))
        yield workspace
