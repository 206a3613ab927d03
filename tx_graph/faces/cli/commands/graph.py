"""graph:show, graph:neighbors, graph:stats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from tx_graph.anchors.verdict import Standing
from tx_graph.context.graph import GraphStats, Neighbor, Neighborhood, Step, Surroundings
from tx_graph.core.labels import checked_limit
from tx_graph.core.shape import as_json as shape_of
from tx_graph.faces.cli.command import split_names
from tx_graph.faces.cli.expansion_options import ProfileName, TypesAt
from tx_graph.faces.cli.options import (
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
)
from tx_graph.faces.cli.render import shapes, words
from tx_graph.faces.cli.render.answers import aged, note_age
from tx_graph.faces.cli.render.terminal import (
    columns,
    note,
    print_fields,
    print_json,
    printable,
    reading_width,
    shortened,
    styled,
    wrapped,
)
from tx_graph.graph.edges import Direction, EdgeType
from tx_graph.graph.expand import ExpansionStats, Limits, Profile, chosen_types, types_by_hop
from tx_graph.graph.references import Node, NodeKind
from tx_graph.learnings.learnings import Shown
from tx_graph.work.references import WorkReferences
from tx_graph.workspace.composition import Workspace

_STANDARD = Limits()
_WIDEST_REF = 44
"""Columns that references are padded to at most; a longer one pushes its path aside."""


def show(
    ref: NodeRef,
    *,
    limit: Annotated[
        int, typer.Option("-n", "--limit", metavar="N", help="Most edges of each type; JSON has all.")
    ] = 10,
    as_json: Json = False,
) -> None:
    """Show a node and everything tied to it, by type of edge, heaviest first.

    Example:
      tx graph:show src/auth.py
      tx graph:show src/auth.py::verify_token
      tx graph:show docs/guide.md#tokens
      tx graph:show 12
      tx graph:show task:7
    """
    checked_limit(limit)
    with opened() as workspace:
        around = workspace.graph.show(ref)
        learning = workspace.learnings.show(around.node.ref) if around.node.kind is NodeKind.LEARNING else None
        age = workspace.health.age(path=_path_of(around.node))
        if as_json:
            standings = workspace.graph.standings({step.target for step in around.steps})
            shape = _surroundings_shape(around, learning, standings) | _work_shape(workspace, around.node)
            print_json(aged(shape, age))
        else:
            _print_surroundings(workspace, around, learning, limit=limit)
    note_age(age)


def neighbors(
    ref: NodeRef,
    *,
    depth: Depth = _STANDARD.depth,
    profile: ProfileName = Profile.DECAY,
    edge_types: EdgeTypes = None,
    exclude_edge_types: ExcludeEdgeTypes = None,
    types_at: TypesAt = None,
    direction: Ways = Direction.BOTH,
    decay: Decay = _STANDARD.decay,
    max_nodes: MaxNodes = _STANDARD.max_nodes,
    limit: Limit = 20,
    as_json: Json = False,
) -> None:
    """Show what lies around a node, best first.

    Each result names the path that leads to it. With the profile decay its score is the product of the weights along
    the best path, times the decay for each hop. With hops only the last edge of the path counts, and how many hops
    it took. With spread many paths count together: the score is how often a random walk from the node that returns
    there now and then comes by, as a share of the best; hubs count less.

    Example:
      tx graph:neighbors src/auth.py
      tx graph:neighbors 12 --depth 1 --edge-types LINKS_TO,ANCHORED_TO
      tx graph:neighbors src/auth.py --profile spread --depth 4
      tx graph:neighbors src/auth.py --types-at 1=IMPORTS --types-at 2=ANCHORED_TO
    """
    limits = Limits(depth=depth, decay=decay, max_nodes=max_nodes)
    types = chosen_types(split_names(edge_types), split_names(exclude_edge_types))
    at_hops = types_by_hop(types_at or ())
    with opened() as workspace:
        around = workspace.graph.neighbors(
            ref, limits=limits, profile=profile, types=types, types_at=at_hops, direction=direction, limit=limit
        )
        age = workspace.health.age(path=_path_of(around.node))
        if as_json:
            print_json(aged(_neighborhood_shape(around), age))
        else:
            _print_neighbors(workspace, around)
    note_age(age)


def stats(*, as_json: Json = False) -> None:
    """Count nodes and edges, and say how old they are.

    Example:
      tx graph:stats
    """
    with opened() as workspace:
        counted = workspace.graph.stats()
        age = workspace.health.age()
    if as_json:
        print_json(aged(_stats_shape(counted), age))
    else:
        _print_stats(counted)
    note_age(age)


def _path_of(node: Node) -> str:
    """Return the file that a node is or lies in."""
    return node.key.rpartition("#")[0] if node.kind is NodeKind.SECTION else node.key.partition("::")[0]


def _surroundings_shape(
    around: Surroundings, learning: Shown | None, standings: Mapping[str, Standing]
) -> dict[str, Any]:
    told = {ref: shapes.verdict(one) for ref, one in standings.items()}
    shape: dict[str, Any] = {
        "node": shapes.node(around.node),
        "edges": [shapes.step(step) | told.get(step.target, {}) for step in around.steps],
    }
    if learning is not None:
        shape["learning"] = shapes.judged_learning(learning.stored, learning.standing, learning.anchors)
    return shape


def _work_shape(workspace: Workspace, node: Node) -> dict[str, Any]:
    """Return the task or run that a node is."""
    if node.kind is NodeKind.TASK:
        return {"task": shape_of(workspace.kernel.one(WorkReferences).task(node.ref))}
    if node.kind is NodeKind.RUN:
        return {"run": shape_of(workspace.kernel.one(WorkReferences).run(node.ref))}
    return {}


def _neighborhood_shape(around: Neighborhood) -> dict[str, Any]:
    return {
        "node": shapes.node(around.node),
        "neighbors": [shapes.neighbor(one) for one in around.neighbors],
        "stats": {"reached": around.reached, "shown": len(around.neighbors)} | _walked_shape(around.stats),
    }


def _walked_shape(walked: ExpansionStats | None) -> dict[str, Any]:
    """Return how much a walk looked at; nothing where there was none."""
    return {} if walked is None else asdict(walked)


def _print_surroundings(workspace: Workspace, around: Surroundings, learning: Shown | None, *, limit: int) -> None:
    _print_node(workspace, around, learning)
    # The anchors of a learning stand above, with their verdicts.
    steps = [step for step in around.steps if learning is None or step.type != EdgeType.ANCHORED_TO]
    for kind in dict.fromkeys(step.type for step in steps):
        _print_edges(workspace, kind, [step for step in steps if step.type == kind], limit=limit)
    if not around.steps:
        note("Nothing is tied to it.")


def _print_node(workspace: Workspace, around: Surroundings, learning: Shown | None) -> None:
    typer.echo(f"{styled(around.node.ref, bold=True)}  {around.node.kind}{words.mark(around.node)}")
    _print_excerpt(workspace, around.node.ref, indent=0)
    for judged in learning.anchors if learning else ():
        typer.echo(f"  anchored to {words.anchor(judged)}")


def _print_edges(workspace: Workspace, kind: str, steps: Sequence[Step], *, limit: int) -> None:
    """Print the edges of one type: which way, how heavy, where to."""
    typer.echo(f"\n{styled(kind, bold=True)}  {len(steps):,}")
    standings = workspace.graph.standings({step.target for step in steps[:limit]})
    for step in steps[:limit]:
        told = f"  {words.standing(standings[step.target])}" if step.target in standings else ""
        why = f'  "{step.why}"' if step.why else ""
        typer.echo(printable(f"  {_mark(step)}{step.target}  {step.relation}".rstrip() + why) + told)
        _print_excerpt(workspace, step.target, indent=4)
    if len(steps) > limit:
        note(f"  … {len(steps) - limit} more; show them with -n {len(steps)}.")


def _mark(step: Step) -> str:
    """Return what stands before the other end: which way the edge goes, or how heavy it is; anchors have neither."""
    of_type = EdgeType(step.type).words
    if not of_type.against:
        return f"{words.score(step.weight)}  "
    weight = f"{step.weight:.2f}  " if step.weight < 1 else ""
    return f"{'→' if step.forward else '←'} {weight}" if of_type.has_arrow else weight


def _print_neighbors(workspace: Workspace, around: Neighborhood) -> None:
    widths = [_label_width(one) for one in around.neighbors]
    widest = min(_WIDEST_REF, max(widths, default=0))
    for one, wide in zip(around.neighbors, widths, strict=True):
        score = styled(words.score(one.score), fg="cyan")
        told = f"  {words.standing(one.standing)}" if one.standing else ""
        blanks = " " * (widest - wide)
        line, way = f"{score}  {styled(one.ref, bold=True)}{told}{blanks}", words.trail(one.steps)
        fits = 6 + max(widest, wide) + 2 + columns(way) <= reading_width()
        typer.echo(f"{line}  {way}" if fits else line.rstrip())
        for part in [] if fits else wrapped(way, reading_width() - 6):
            typer.echo(f"      {part}")
        _print_excerpt(workspace, one.ref, indent=6)
    if not around.neighbors:
        note("Nothing is near it. 'tx index' and 'tx graph:analyze-cochanges' tie files to each other.")
    elif around.reached > len(around.neighbors):
        note(f"{around.reached - len(around.neighbors)} more; show them with -n {around.reached}.")
    elif around.stats and around.stats.max_nodes_reached:
        note("As many as --max-nodes were reached, the best; there may be more.")
    if around.stats and around.stats.fan_out_reached:
        nodes = words.counted(around.stats.fan_out_reached, "node")
        note(f"{nodes} had so many edges of one kind that only the heaviest were followed.")


def _label_width(one: Neighbor) -> int:
    """Return the columns that a neighbour's reference takes, with the word behind it."""
    return columns(one.ref) + (2 + columns(one.standing.value) if one.standing else 0)


def _print_excerpt(workspace: Workspace, ref: str, *, indent: int) -> None:
    """Print what a node is about below its reference: what it says, or its title; nothing where it has no words."""
    if text := workspace.references.text(ref):
        typer.echo(f"{'':{indent}}{shortened(text, reading_width() - indent)}")


def _print_stats(stats: GraphStats) -> None:
    learnings = ", ".join(f"{count:,} {name}" for name, count in stats.learnings.items()) or "0"
    languages = ", ".join(f"{count:,} {name}" for name, count in stats.languages.items())
    fields = [
        ("learnings", learnings),
        ("anchors", f"{stats.anchors:,}"),
        ("files", f"{stats.files:,}" + (f" ({languages})" if languages else "")),
        ("documents", words.documents(stats.documents)),
        *((name, f"{count:,}") for name, count in stats.edges.items()),
        *((f"last {name}", run.finished_at if run else "never") for name, run in stats.analyses.items()),
    ]
    print_fields(fields)


def _stats_shape(counted: GraphStats) -> dict[str, Any]:
    return {
        "learnings": counted.learnings,
        "files": counted.files,
        "languages": counted.languages,
        "anchors": counted.anchors,
        "edges": counted.edges,
        **counted.documents,
        "analyses": {
            name: run and {"finished_at": run.finished_at, "head": run.head, "options": dict(run.options)}
            for name, run in counted.analyses.items()
        },
    }
