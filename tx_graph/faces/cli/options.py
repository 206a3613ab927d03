"""Options that several commands share, spelled and explained once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from tx_graph.faces.cli.command import Json, Tsv, here, warn
from tx_graph.records.watch import Records

if TYPE_CHECKING:
    from tx_graph.workspace.composition import Workspace

__all__ = ["Json", "Tsv"]

Limit = Annotated[int, typer.Option("-n", "--limit", metavar="N", help="Most results to show, 1 to 10,000.")]
LearningRef = Annotated[str, typer.Argument(metavar="LEARNING", help="Its number, uid, or the beginning of its uid.")]


@contextmanager
def opened() -> Iterator[Workspace]:
    """Open the workspace of the working directory; say on stderr which records were skipped."""
    from tx_graph.workspace import open_workspace

    with open_workspace(here()) as workspace:
        warn(workspace.kernel.one(Records))
        yield workspace
