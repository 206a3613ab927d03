"""init."""

from __future__ import annotations

import typer

from tx_graph.core.shape import as_json as as_shape
from tx_graph.faces.cli.command import Json, here, opened
from tx_graph.faces.cli.render.terminal import note, print_json, progress
from tx_graph.faces.cli.render.workspace import renewed
from tx_graph.workspace import prepare
from tx_graph.workspace.renewal import Renewal


def init(*, as_json: Json = False) -> None:
    """Create .tx/ in this repository and index it; safe to run again.

    In git, .tx/ lies at the top of the working tree. Commit it: the learnings in it are plain text; the database
    beside them is ignored and can be built again at any time.

    Example:
      tx init
    """
    prepared = prepare(here())
    with opened() as kernel:
        done = kernel.one(Renewal).run(stages=progress, with_cochanges=prepared.is_git)
    if as_json:
        shape = as_shape(done)
        read = {key: shape.pop(key) for key in as_shape(done.index)}
        print_json({"root": str(prepared.root), "created": list(prepared.created), "index": read} | shape)
        return
    verb = "Initialised" if prepared.created else "Already initialised:"
    typer.echo(f"{verb} {prepared.root / '.tx'}")
    renewed(done)
    if not prepared.is_git:
        note("This is not a git repository: there are no co-changes, and nothing carries the learnings to others.")
    elif prepared.created:
        note('Next: tx context "what you are about to do" · tx learning:add "what you learned" --anchor PATH')
