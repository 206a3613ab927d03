"""learning:add."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.anchors.linking import parse_link
from tx_graph.core.arguments import choices
from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.command import text_from
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render import shapes
from tx_graph.faces.cli.render.terminal import note, print_json
from tx_graph.learnings.learnings import TOLD_TWICE, Added, Draft
from tx_graph.records.anchor import parse_anchor
from tx_graph.records.learning import SourceType, Status


def add(
    content: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="The learning; without it, or with '-', stdin is read.")
    ] = None,
    *,
    category: Annotated[
        str | None, typer.Option("--category", metavar="NAME", help="One word for what it is about, to filter by.")
    ] = None,
    keyword: Annotated[
        list[str] | None, typer.Option("--keyword", metavar="WORD", help="A word to find it by; repeatable.")
    ] = None,
    source_type: Annotated[
        SourceType | None,
        typer.Option(
            "--source-type", metavar="KIND", help=f"Where it came from: {choices(SourceType)}; manual unless said."
        ),
    ] = None,
    source_ref: Annotated[
        str | None, typer.Option("--source-ref", metavar="REF", help="Which one: a task, a document, an address.")
    ] = None,
    task: Annotated[
        str | None, typer.Option("--task", metavar="TASK", help="The task it was learned in: 7, or GH-123.")
    ] = None,
    run: Annotated[str | None, typer.Option("--run", metavar="RUN", help="The run it was learned in.")] = None,
    confidence: Annotated[float, typer.Option("--confidence", metavar="F", help="How sure it is, 0 to 1.")] = 1.0,
    status: Annotated[
        Status, typer.Option("--status", metavar="NAME", help=f"Where it stands: {choices(Status)}.")
    ] = Status.ACTIVE,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            "--anchor",
            metavar="PATH[::SYMBOL][:L1-L2]",
            help="Code it is about, such as a.py, a.py::Class::method or a.py:L3-L9; repeatable.",
        ),
    ] = None,
    link: Annotated[
        list[str] | None,
        typer.Option(
            "--link", metavar="REF[:RELATION]", help="A related learning, such as 7 or 7:elaborates; repeatable."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Add a learning. The same text again is recognised, not added twice.

    Keep it to one thing, and anchor it to the code it is about: search then finds it from there too, and says
    whether that code has changed since.

    Example:
      tx learning:add "Compare tokens in constant time" --category security
      tx learning:add "Retries double" --anchor src/http.py::fetch --link 7
      tx learning:add "The token is read twice" --task GH-123
      tx learning:add --anchor 'src/**/*.py' < note.md
    """
    if source_type is not None and (task is not None or run is not None):
        raise UsageError(TOLD_TWICE)  # even if it says manual, as it would unless said
    draft = Draft(
        content=text_from(content),
        category=category,
        keywords=keyword or (),
        status=status,
        confidence=confidence,
        source_type=source_type or SourceType.MANUAL,
        source_ref=source_ref,
        anchors=[parse_anchor(spec) for spec in anchor or ()],
        links=[parse_link(text) for text in link or ()],
    )
    with opened() as workspace:
        added = workspace.learnings.add(workspace.origins.draft(draft, task=task, run=run))
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
