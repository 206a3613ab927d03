"""graph:link, graph:unlink, graph:relate, graph:unrelate."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from tx_graph.cli.options import Json, LearningRef, choices, opened
from tx_graph.cli.render import shapes
from tx_graph.cli.render.terminal import print_json, printable
from tx_graph.cli.render.words import counted
from tx_graph.domain.anchor import AnchorType, parse_anchor, parse_lines
from tx_graph.domain.edges import Relation
from tx_graph.errors import UsageError

OtherRef = Annotated[str, typer.Argument(metavar="OTHER", help="The other learning.")]


def link(
    ref: LearningRef,
    path: Annotated[str, typer.Argument(metavar="PATH[::SYMBOL][:L1-L2]", help="A file, symbol, lines or glob.")],
    *,
    anchor_type: Annotated[
        AnchorType | None,
        typer.Option("--anchor-type", metavar="TYPE", help=f"{choices(AnchorType)}; inferred from what is given."),
    ] = None,
    symbol: Annotated[str | None, typer.Option("--symbol", metavar="NAME", help="A symbol in the file.")] = None,
    lines: Annotated[str | None, typer.Option("--lines", metavar="A-B", help="Lines of the file.")] = None,
    as_json: Json = False,
) -> None:
    """Tie a learning to code. Prefer a symbol: it survives most changes of the file around it.

    Example:
      tx graph:link 12 src/auth.py::verify_token
      tx graph:link 12 src/auth.py --lines 10-20
      tx graph:link 12 'src/**/*.py'
    """
    request = parse_anchor(path)
    if (symbol and request.symbol) or (lines and request.lines):
        raise UsageError("The symbol or the lines are given twice.")
    request = replace(
        request,
        symbol=symbol or request.symbol,
        lines=parse_lines(lines) if lines else request.lines,
        type=anchor_type,
    )
    with opened() as workspace:
        tied = workspace.linking.link(ref, request)
        stored = workspace.references.learning(ref)
    if as_json:
        print_json({"learning": shapes.learning(stored), "anchor": shapes.anchor(tied.anchor), "existed": tied.existed})
        return
    verb = "Already anchored" if tied.existed else "Anchored"
    typer.echo(printable(f"{verb} {stored.ref} to {tied.anchor.spec} ({tied.anchor.type})"))


def unlink(
    ref: LearningRef,
    path: Annotated[str, typer.Argument(metavar="ANCHOR", help="The anchor as shown, or a file to leave wholly.")],
    *,
    as_json: Json = False,
) -> None:
    """Remove a tie between a learning and code.

    Example:
      tx graph:unlink 12 src/auth.py::verify_token
      tx graph:unlink 12 src/auth.py
    """
    with opened() as workspace:
        stored, gone = workspace.linking.unlink(ref, path)
        now = workspace.references.learning(str(stored.id))
    if as_json:
        print_json({"learning": shapes.learning(now), "removed": [shapes.anchor(anchor) for anchor in gone]})
        return
    for anchor in gone:
        typer.echo(printable(f"{now.ref} is no longer anchored to {anchor.spec}"))


def relate(
    ref: LearningRef,
    other: OtherRef,
    *,
    relation: Annotated[
        Relation, typer.Option("--relation", metavar="NAME", help=f"What the link means: {choices(Relation)}.")
    ] = Relation.REFERENCES,
    weight: Annotated[float, typer.Option("--weight", metavar="F", help="How strong it is, 0 to 1.")] = 1.0,
    as_json: Json = False,
) -> None:
    """Link one learning to another.

    Example:
      tx graph:relate 12 7 --relation elaborates
    """
    with opened() as workspace:
        related = workspace.linking.relate(ref, other, relation=relation, weight=weight)
    if as_json:
        print_json(
            {
                "source": related.source.ref,
                "target": related.target.ref,
                "relation": related.link.relation.value,
                "weight": related.link.weight,
                "existed": related.existed,
            }
        )
        return
    typer.echo(f"{related.source.ref} {relation} {related.target.ref} ({related.link.weight:g})")


def unrelate(
    ref: LearningRef,
    other: OtherRef,
    *,
    relation: Annotated[
        Relation | None, typer.Option("--relation", metavar="NAME", help="Only links of this meaning.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Remove links from one learning to another.

    Example:
      tx graph:unrelate 12 7
    """
    with opened() as workspace:
        removed = workspace.linking.unrelate(ref, other, relation=relation)
    if as_json:
        print_json({"removed": removed})
    else:
        typer.echo(f"Removed {counted(removed, 'link')}")
