"""learning:add."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.cli.options import Json, opened, text_from
from tx_graph.cli.render import shapes
from tx_graph.cli.render.terminal import note, print_json
from tx_graph.domain.anchor import parse_anchor
from tx_graph.domain.learning import SourceType, Status
from tx_graph.services.learnings import Added, Draft
from tx_graph.services.linking import parse_link


def add(
    content: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="The learning; '-' or nothing: stdin.")
    ] = None,
    *,
    category: Annotated[str | None, typer.Option("--category", metavar="NAME", help="What it is about.")] = None,
    keyword: Annotated[
        list[str] | None, typer.Option("--keyword", metavar="WORD", help="A word to find it by; repeatable.")
    ] = None,
    source_type: Annotated[SourceType, typer.Option("--source-type", help="Where it came from.")] = SourceType.MANUAL,
    source_ref: Annotated[
        str | None, typer.Option("--source-ref", metavar="REF", help="Which one: a task, a document, an address.")
    ] = None,
    confidence: Annotated[float, typer.Option("--confidence", metavar="F", help="How sure it is, 0 to 1.")] = 1.0,
    status: Annotated[Status, typer.Option("--status", help="Where it stands.")] = Status.ACTIVE,
    anchor: Annotated[
        list[str] | None,
        typer.Option("--anchor", metavar="PATH[::SYMBOL][:L1-L2]", help="Code it is about; repeatable."),
    ] = None,
    link: Annotated[
        list[str] | None, typer.Option("--link", metavar="REF[:relation]", help="A related learning; repeatable.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Add a learning. The same text again is recognised, not added twice.

    Example: tx learning:add "Compare tokens in constant time" --category security --anchor src/auth.py::verify
    """
    draft = Draft(
        content=text_from(content),
        category=category,
        keywords=keyword or (),
        status=status,
        confidence=confidence,
        source_type=source_type,
        source_ref=source_ref,
        anchors=[parse_anchor(spec) for spec in anchor or ()],
        links=[parse_link(text) for text in link or ()],
    )
    with opened() as workspace:
        added = workspace.learnings.add(draft)
    if added.warning:
        note(f"tx: warning: {added.warning}")
    if as_json:
        print_json(shapes.learning(added.stored) | {"existed": added.existed, "revived": added.revived})
    else:
        _print(added)


def _print(added: Added) -> None:
    stored = added.stored
    verb = "Already known:" if added.existed else "Restored" if added.revived else "Added"
    anchors = ", ".join(anchor.spec for anchor in stored.learning.anchors)
    typer.echo(f"{verb} {stored.ref} ({stored.learning.uid})" + (f", anchored to {anchors}" if anchors else ""))
