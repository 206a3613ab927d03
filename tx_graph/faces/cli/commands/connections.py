"""graph:path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from tx_graph.anchors.verdict import Standing
from tx_graph.context.graph import Connection
from tx_graph.faces.cli.command import split_names
from tx_graph.faces.cli.options import Decay, EdgeTypes, ExcludeEdgeTypes, Json, opened
from tx_graph.faces.cli.render import shapes, words
from tx_graph.faces.cli.render.answers import Answer, deliver
from tx_graph.faces.cli.render.terminal import reading_width, shortened, wrapped
from tx_graph.faces.cli.render.words import counted
from tx_graph.graph.expand import Limits, chosen_types
from tx_graph.workspace.composition import Workspace

_STANDARD = Limits(depth=6)


def path(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A learning, a path, PATH::SYMBOL or docs/a.md#part.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="Another one.")],
    *,
    max_hops: Annotated[
        int, typer.Option("--max-hops", metavar="N", help="How many hops the path may have, 1 to 10.")
    ] = _STANDARD.depth,
    edge_types: EdgeTypes = None,
    exclude_edge_types: ExcludeEdgeTypes = None,
    decay: Decay = _STANDARD.decay,
    as_json: Json = False,
) -> None:
    """Say why two nodes are connected: the best path between them, in words.

    Edges are followed both ways. The score is the product of the weights along the path, times the decay for each
    hop, as in graph:neighbors; a path of strong edges may beat a shorter one.

    Example:
      tx graph:path src/app.py src/db.py
      tx graph:path src/auth.py 12 --max-hops 4
      tx graph:path docs/guide.md#tokens src/auth.py
      tx graph:path src/auth.py src/db.py --edge-types IMPORTS
    """
    limits = Limits(depth=max_hops, decay=decay)
    types = chosen_types(split_names(edge_types), split_names(exclude_edge_types))
    with opened() as workspace:
        found = workspace.graph.path(source, target, limits=limits, types=types)
        age = workspace.health.age()
        standings = workspace.graph.standings(found.path)
        shape = {
            "source": shapes.node(found.source),
            "target": shapes.node(found.target),
            "score": found.score,
            "hops": len(found.steps),
            "path": list(found.path) or None,
            "edges": [shapes.step(step) for step in found.steps],
            "sentence": found.sentence or None,
            "learnings": [{"ref": ref, **shapes.verdict(told)} for ref, told in standings.items()],
        }
        nothing = f"Nothing connects {found.source.ref} and {found.target.ref} within {counted(max_hops, 'hop')}."
        answer = Answer(
            shape=shape,
            show=lambda: _print(workspace, found, standings),
            remarks=[*found.remarks, "" if found.is_connected else nothing],
        )
        deliver(answer, age, as_json=as_json)


def _print(workspace: Workspace, found: Connection, standings: Mapping[str, Standing]) -> None:
    """Print the path as a sentence, and what the learnings on it say."""
    if not found.is_connected:
        return
    for line in wrapped(found.sentence, reading_width()):
        typer.echo(line)
    typer.echo(f"score {words.score(found.score)}, {counted(len(found.steps), 'hop')}")
    marks = {node.ref: words.mark(node) for node in (found.source, found.target)}
    for ref in found.path:
        if ref in standings:
            told, content = standings[ref], workspace.learnings.get(ref).learning.content
            head = f"{ref}{marks.get(ref, '')}  {words.standing(told)}"
            room = reading_width() - len(ref) - len(told.value) - 4
            typer.echo(f"{head}  {shortened(content, room)}")
