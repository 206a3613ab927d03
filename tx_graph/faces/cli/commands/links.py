"""graph:link, graph:unlink, graph:relate, graph:unrelate."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from tx_graph.core.arguments import choices
from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.options import Json, LearningRef, opened
from tx_graph.faces.cli.render import shapes
from tx_graph.faces.cli.render.terminal import note, print_json, printable
from tx_graph.faces.cli.render.words import counted
from tx_graph.graph.edges import Relation
from tx_graph.records.anchor import AnchorType, parse_anchor, parse_lines

OtherRef = Annotated[str, typer.Argument(metavar="OTHER", help="The other learning.")]


def link(
    ref: LearningRef,
    path: Annotated[str, typer.Argument(metavar="PATH[::SYMBOL][:L1-L2]", help="A file, symbol, lines or glob.")],
    word: Annotated[
        str | None, typer.Argument(metavar="WORD", help="A word in the file: what it names is anchored to.")
    ] = None,
    *,
    anchor_type: Annotated[
        AnchorType | None,
        typer.Option("--anchor-type", metavar="TYPE", help=f"{choices(AnchorType)}; inferred from what is given."),
    ] = None,
    symbol: Annotated[str | None, typer.Option("--symbol", metavar="NAME", help="A symbol in the file.")] = None,
    lines: Annotated[str | None, typer.Option("--lines", metavar="A-B", help="Lines of the file.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be anchored, and why.")] = False,
    as_json: Json = False,
) -> None:
    """Tie a learning to code. Prefer a symbol: it survives most changes of the file around it.

    With a WORD the best anchor is chosen: the symbol that it names if only one does, else the only lines with it, else
    the file. An anchor of type hash over lines knows them again wherever they move; one of type lines, which --lines
    gives, also keeps their text, so that edited lines are found too.

    Example:
      tx graph:link 12 src/auth.py::verify_token
      tx graph:link 12 src/auth.py verify --dry-run
      tx graph:link 12 src/auth.py --lines 10-20 --anchor-type hash
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
    if word is not None and (request.symbol or request.lines or request.type):
        raise UsageError("A WORD chooses the anchor; leave out the symbol, the lines and the type.")
    with opened() as workspace:
        chosen = None if word is None else workspace.linking.suggest(path, word)
        tied = workspace.linking.link(ref, chosen.request if chosen else request, dry_run=dry_run)
        stored = workspace.references.learning(ref)
    if as_json:
        print_json(
            {
                "learning": shapes.learning(stored),
                "anchor": shapes.anchor(tied.anchor),
                "existed": tied.existed,
                "why": chosen.why if chosen else None,
                "alternatives": list(chosen.alternatives) if chosen else [],
                "dry_run": dry_run,
            }
        )
        return
    verb = "Already anchored" if tied.existed else "Would anchor" if dry_run else "Anchored"
    why = f": {chosen.why}" if chosen else ""
    typer.echo(printable(f"{verb} {stored.ref} to {tied.anchor.spec} ({tied.anchor.type}){why}"))
    if chosen and chosen.alternatives:
        note(f"Others: {', '.join(chosen.alternatives)}")


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
