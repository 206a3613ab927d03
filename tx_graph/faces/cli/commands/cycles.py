"""graph:cycles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from tx_graph.code.cycles import Cycle, Pair
from tx_graph.code.import_graph import ImportCycles, ImportGraph
from tx_graph.code.imports import ImportType
from tx_graph.core.labels import checked_limit
from tx_graph.faces.cli.options import Json, Limit, opened
from tx_graph.faces.cli.render.answers import Answer, deliver
from tx_graph.faces.cli.render.terminal import columns, printable, reading_width, styled
from tx_graph.faces.cli.render.words import counted, more

_FINDINGS = 1


def cycles(
    *,
    limit: Limit = 20,
    with_type_only: Annotated[
        bool, typer.Option("--include-type-only", help="Count imports that are for the type checker alone.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 1 when there is a cycle.")] = False,
    as_json: Json = False,
) -> None:
    """Show import cycles, shortest first.

    Of the many cycles that one import may close, only a shortest is shown. Without the imports marked by a star there
    would be no cycle at all: they go against the direction that most others keep.

    Example:
      tx graph:cycles
      tx graph:cycles --include-type-only --json
      tx graph:cycles --strict
    """
    checked_limit(limit)
    with opened() as workspace:
        found = workspace.kernel.one(ImportGraph).cycles(with_type_only=with_type_only)
        age = workspace.health.age(with_cochanges=False)
    shown = found.cycles[:limit]
    shape = {
        "cycles": [_shape(cycle, found.types) for cycle in shown],
        "stats": {
            "found": len(found.cycles),
            "shown": len(shown),
            "files": found.files,
            "with_type_only": found.with_types,
        },
    }
    answer = Answer(shape=shape, show=lambda: _print(found, limit=limit), remarks=_remarks(found, limit=limit))
    deliver(answer, age, as_json=as_json)
    if strict and found.cycles:
        raise typer.Exit(_FINDINGS)


def _shape(cycle: Cycle, types: Mapping[Pair, ImportType]) -> dict[str, Any]:
    source, target = cycle.closed_by
    return {
        "length": cycle.length,
        "files": list(cycle.nodes),
        "edges": [{"source": pair[0], "target": pair[1], "import_type": types[pair].value} for pair in cycle.edges],
        "closed_by": {"source": source, "target": target},
    }


def _remarks(found: ImportCycles, *, limit: int) -> list[str]:
    remarks = []
    if not found.cycles:
        remarks.append("No import cycle.")
    remarks.append(more(len(found.cycles), shown=limit))
    if found.with_types:
        others = counted(found.with_types, "more cycle")
        remarks.append(f"{others} only for the type checker; show them with --include-type-only.")
    return remarks


def _print(found: ImportCycles, *, limit: int) -> None:
    if found.cycles:
        total = counted(len(found.cycles), "import cycle")
        typer.echo(styled(f"{total}; {counted(found.files, 'file')} on cycles", bold=True))
    for cycle in found.cycles[:limit]:
        _print_cycle(cycle, found.types)


def _print_cycle(cycle: Cycle, types: Mapping[Pair, ImportType]) -> None:
    steps = [f"{_arrow(pair, cycle, types)} {pair[1]}" for pair in cycle.edges]
    line = printable(" ".join([cycle.nodes[0], *steps]))
    if columns(line) <= reading_width():
        typer.echo(line)
        return
    typer.echo(printable(cycle.nodes[0]))
    for step in steps:
        typer.echo(printable(f"  {step}"))


def _arrow(pair: Pair, cycle: Cycle, types: Mapping[Pair, ImportType]) -> str:
    """Return the arrow of an import: its type if it is not plain, and a star where it closes the cycle."""
    kind = "" if types[pair] is ImportType.STATIC else f"{types[pair].value}"
    return f"─{kind}{'*' if pair == cycle.closed_by else ''}→"
