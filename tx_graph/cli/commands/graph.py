"""graph:show, graph:neighbors, graph:stats."""

from __future__ import annotations

from typing import Any

import typer

from tx_graph.cli.options import (
    Decay,
    Depth,
    EdgeTypes,
    ExcludeEdgeTypes,
    Json,
    Limit,
    MaxNodes,
    NodeRef,
    Ways,
    opened,
    split_names,
)
from tx_graph.cli.render import shapes, words
from tx_graph.cli.render.terminal import note, print_json, print_table, shortened, styled, width
from tx_graph.domain.edges import Direction
from tx_graph.domain.references import NodeKind
from tx_graph.retrieval.expansion import Limits, chosen_types
from tx_graph.services.graph import GraphStats, Neighborhood, Surroundings
from tx_graph.services.learnings import Shown


def show(ref: NodeRef, *, as_json: Json = False) -> None:
    """Show a node and everything tied to it.

    Example: tx graph:show src/auth.py
    """
    with opened() as workspace:
        around = workspace.graph.show(ref)
        learning = workspace.learnings.show(around.node.ref) if around.node.kind is NodeKind.LEARNING else None
    if as_json:
        print_json(_surroundings_shape(around, learning))
        return
    typer.echo(f"{styled(around.node.ref, bold=True)}  {around.node.kind}")
    if learning is not None:
        typer.echo(f"{shortened(learning.stored.learning.content, width())}")
        for judged in learning.anchors:
            typer.echo(f"  anchored to {judged.anchor.spec}  {words.verdict(judged.verdict)}  {judged.reason}".rstrip())
    for step in around.steps:
        detail = f"{step.relation} {step.weight:.2f}".strip()
        typer.echo(f"  {words.way([step], last=step.target)[len(step.source) + 1 :]}  {detail}")
    if not around.steps:
        note("Nothing is tied to it.")


def neighbors(
    ref: NodeRef,
    *,
    depth: Depth = 2,
    edge_types: EdgeTypes = None,
    exclude_edge_types: ExcludeEdgeTypes = None,
    direction: Ways = Direction.BOTH,
    decay: Decay = 0.7,
    max_nodes: MaxNodes = 100,
    limit: Limit = 20,
    as_json: Json = False,
) -> None:
    """Show what lies around a node, best-scoring path first.

    Example: tx graph:neighbors src/auth.py --depth 2 --edge-types IMPORTS,CO_CHANGES_WITH
    """
    limits = Limits(depth=depth, decay=decay, max_nodes=max_nodes)
    types = chosen_types(split_names(edge_types), split_names(exclude_edge_types))
    with opened() as workspace:
        around = workspace.graph.neighbors(ref, limits=limits, types=types, direction=direction, limit=limit)
        stale = workspace.health.staleness()
    if as_json:
        print_json(_neighborhood_shape(around))
    else:
        _print_neighbors(around)
    if stale:
        note(stale)


def stats(*, as_json: Json = False) -> None:
    """Count nodes and edges, and say how old they are.

    Example: tx graph:stats
    """
    with opened() as workspace:
        counted = workspace.graph.stats()
        stale = workspace.health.staleness()
    if as_json:
        print_json(_stats_shape(counted))
    else:
        rows = [("learnings", f"{sum(counted.learnings.values()):,}"), ("files", f"{counted.files:,}")]
        rows += [(f"edges {name}", f"{count:,}") for name, count in counted.edges.items()]
        rows += [(f"last {name}", run.finished_at if run else "never") for name, run in counted.analyses.items()]
        print_table(["", "count"], rows, right=["count"])
    if stale:
        note(stale)


def _surroundings_shape(around: Surroundings, learning: Shown | None) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "node": shapes.node(around.node),
        "edges": [shapes.step(step) for step in around.steps],
    }
    if learning is not None:
        anchors = [shapes.anchor_verdict(judged) for judged in learning.anchors]
        shape["learning"] = shapes.learning(learning.stored) | {"verdict": learning.verdict.value, "anchors": anchors}
    return shape


def _neighborhood_shape(around: Neighborhood) -> dict[str, Any]:
    return {
        "node": shapes.node(around.node),
        "neighbors": [shapes.neighbor(one) for one in around.neighbors],
        "stats": {"reached": around.reached, "shown": len(around.neighbors)},
    }


def _print_neighbors(around: Neighborhood) -> None:
    for one in around.neighbors:
        score = styled(f"{one.score:.2f}", fg="cyan")
        typer.echo(f"{score}  {styled(one.ref, bold=True)}  {words.way(one.steps, last=one.ref)}")
    if not around.neighbors:
        note("Nothing is near it. 'tx index' and 'tx graph:analyze-cochanges' tie files to each other.")
    elif around.reached > len(around.neighbors):
        note(f"{around.reached - len(around.neighbors)} more; show them with -n {around.reached}.")


def _stats_shape(counted: GraphStats) -> dict[str, Any]:
    return {
        "learnings": counted.learnings,
        "files": counted.files,
        "languages": counted.languages,
        "anchors": counted.anchors,
        "edges": counted.edges,
        "analyses": {
            name: run and {"finished_at": run.finished_at, "head": run.head, "options": dict(run.options)}
            for name, run in counted.analyses.items()
        },
    }
