"""What is connected with what, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tx_graph.context.graph import Connection, GraphStats, Neighborhood, Surroundings
from tx_graph.core.errors import UsageError
from tx_graph.core.text import counted
from tx_graph.faces.cli.render import elsewhere, words
from tx_graph.faces.cli.render.terminal import (
    columns,
    echo,
    note,
    print_fields,
    printable,
    reading_width,
    shortened,
    styled,
    wrapped,
)
from tx_graph.graph.edges import EdgeType

if TYPE_CHECKING:
    from tx_graph.context.graph_export import GraphExport

_WIDEST_REF = 44  # columns that references are padded to at most; a longer one pushes its path aside


def surroundings(around: Surroundings, limit: int) -> None:
    """Print a node, then its edges by their types: which way, how heavy, where to."""
    learning = around.learning
    called = words.called(around.node.ref, around.node.key)
    echo(f"{styled(called, bold=True)}  {around.node.kind}{words.mark(around.node)}")
    _print_excerpt(around.texts.get(around.node.ref, ""), indent=2)
    for judged in learning.anchors if learning else ():
        echo(f"  anchored to {words.anchor(judged)}")
    # The anchors of a learning stand above, with their verdicts.
    steps = [step for step in around.steps if learning is None or step.type != EdgeType.ANCHORED_TO]
    for kind in dict.fromkeys(step.type for step in steps):
        those = [step for step in steps if step.type == kind]
        echo(f"\n{styled(kind, bold=True)}  {len(those):,}")
        of_type = EdgeType(kind).words
        for step in those[:limit]:
            # Which way the edge goes, or how heavy it is; anchors have neither.
            weight = f"{step.weight:.2f}  " if step.weight < 1 else ""
            mark = f"{'→' if step.forward else '←'} {weight}" if of_type.has_arrow else weight
            mark = mark if of_type.against else f"{words.score(step.weight)}  "
            told = f"  {words.standing(around.standings[step.target])}" if step.target in around.standings else ""
            why = (f'  "{step.why}"' if step.why else "") + (f"  (by {step.origin})" if step.origin else "")
            echo(
                printable(f"  {mark}{words.called(step.target, step.target_node.id)}  {step.relation}".rstrip() + why)
                + told
            )
            _print_excerpt(around.texts.get(step.target, ""), indent=4)
        if len(those) > limit:
            note(f"  … {len(those) - limit} more; show them with -n {len(those)}.")
    if not around.steps:
        note("Nothing is tied to it.")


def neighborhood(around: Neighborhood) -> None:
    """Print what lies around a node, each with the path that leads there."""
    widths = [
        columns(words.called(one.ref, one.reference.id))
        + (2 + columns(words.signed(one.standing.value)) if one.standing else 0)
        for one in around.neighbors
    ]
    widest = min(_WIDEST_REF, max(widths, default=0))
    for one, wide in zip(around.neighbors, widths, strict=True):
        score = words.meter(one.score)
        told = f"  {words.standing(one.standing)}" if one.standing else ""
        line, way = (
            f"{score}  {styled(words.called(one.ref, one.reference.id), bold=True)}{told}{' ' * (widest - wide)}",
            words.trail(one.steps),
        )
        fits = 6 + len(words.bar(0)) + max(widest, wide) + 2 + columns(way) <= reading_width()
        echo(f"{line}  {way}" if fits else line.rstrip())
        for part in [] if fits else wrapped(way, reading_width() - 6):
            echo(f"      {part}")
        _print_excerpt(around.texts.get(one.ref, ""), indent=6)
    beyond(around)


def beyond(around: Neighborhood) -> None:
    """Print what a hub knows around a node, and how much more there is."""
    stats, shown = around.stats, len(around.neighbors)
    for foreign in around.elsewhere:
        elsewhere.show(foreign)
    for notice in around.notices:
        note(notice)
    if not around.neighbors and not around.elsewhere:
        note("Nothing is near it. 'tx sync' ties files to each other.")
    elif around.reached > shown:
        note(f"{around.reached - shown} more; show them with -n {around.reached}.")
    elif stats and stats.max_nodes_reached:
        note("As many as --max-nodes were reached, the best; there may be more.")
    if stats and stats.fan_out_reached:
        nodes = counted(stats.fan_out_reached, "node")
        note(f"{nodes} had so many edges of one kind that only the heaviest were followed.")


def _print_excerpt(text: str, *, indent: int) -> None:
    """Print what a node is about below its reference; nothing where it has no words."""
    if text:
        echo(f"{'':{indent}}{shortened(text, reading_width() - indent)}")


def connection(found: Connection) -> None:
    """Print a path as a sentence, and what the learnings on it say."""
    if found.elsewhere and found.elsewhere.steps:
        echo(f"{words.meter(found.elsewhere.score)}  {elsewhere.trail(found.elsewhere.steps)}")
    if not found.is_connected:
        return
    # Lines after the first are indented: no line begins with a name that others gave.
    echo("\n  ".join(wrapped(printable(found.sentence), reading_width() - 2)))
    echo(f"score {words.score(found.score)}, {counted(len(found.steps), 'hop')}")
    marks = {node.ref: words.mark(node) for node in (found.source, found.target)}
    for ref in found.path:
        if ref in found.standings:
            told = found.standings[ref]
            room = reading_width() - len(ref) - len(words.signed(told.value)) - 4
            echo(f"{ref}{marks.get(ref, '')}  {words.standing(told)}  {shortened(found.texts[ref], room)}")


def remarks(found: Connection, max_hops: int) -> Sequence[str]:
    """Return what was looked for instead of what was named, and that nothing was found."""
    nothing = f"Nothing connects {found.source.ref} and {found.target.ref} within {counted(max_hops, 'hop')}."
    there = found.elsewhere
    is_connected = found.is_connected or (there and there.steps)
    return [*found.remarks, *(there.notices if there else ()), "" if is_connected else nothing]


def stats(counted: GraphStats) -> None:
    """Print the sizes of the graph."""

    def listed(counts: Mapping[str, int]) -> str:
        return ", ".join(f"{count:,} {name}" for name, count in counts.items())

    languages = listed(counted.languages)
    fields = [
        ("learnings", listed(counted.learnings) or "0"),
        ("anchors", f"{counted.anchors:,}"),
        ("files", f"{counted.files:,}" + (f" ({languages})" if languages else "")),
        ("documents", words.documents(counted.documents)),
        *((name, f"{count:,}") for name, count in counted.edges.items()),
        *((f"last {name}", run.finished_at if run else "never") for name, run in counted.analyses.items()),
    ]
    print_fields(fields)


def check_export(command: str, *, out: str | None, as_json: bool) -> None:
    """Refuse --json where nothing is written that it could tell of."""
    if as_json and not out:
        hint = f"Name a file with --out; the graph itself is JSON with tx {command} --format json-graph."
        raise UsageError("--json tells what was written to a file.", hint=hint)


def exported(done: GraphExport) -> None:
    """Print what was written to files; what went to stdout is there already."""
    if done.files:
        nodes, edges = counted(done.nodes, "node"), counted(done.edges, "edge")
        echo(printable(f"Wrote {nodes} and {edges} to {' and '.join(done.files)}."))
