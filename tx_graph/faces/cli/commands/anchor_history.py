"""graph:history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tx_graph.core.labels import checked_limit
from tx_graph.faces.cli.options import Json, Limit, opened
from tx_graph.faces.cli.render.terminal import note, print_json, printable, styled
from tx_graph.faces.cli.render.words import more
from tx_graph.records.learning import Status

if TYPE_CHECKING:
    from tx_graph.anchors.life import Told


_SHORT = 10
"""Digits of a hash that people compare."""
_COLOURS = {"invalid": "red", "invalidated": "red", "drifted": "yellow", "healed": "green", "restored": "green"}


def history(
    place: Annotated[
        str, typer.Argument(metavar="REF|PATH", help="A learning, a file, a directory, or an anchor as shown.")
    ],
    *,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """Show what happened to anchors: each change of state, who or what found it, and where the code went.

    Oldest first; the newest are kept when there are more than -n. Anchors that are gone are told of too. The log is
    local: it holds what this clone has seen.

    Example:
      tx graph:history 12
      tx graph:history src/auth.py::verify_token --json
    """
    limit = checked_limit(limit)
    with opened() as workspace:
        told = workspace.anchor_history.of(place)
    shown = told[-limit:]
    if as_json:
        print_json({"events": [_shape(one) for one in shown], "total": len(told)})
        return
    for one in shown:
        _print(one)
    if not told:
        note("Nothing has happened to these anchors yet.")
    elif cut := more(len(told), shown=len(shown)):
        note(cut)


def _print(told: Told) -> None:
    event = told.event
    learning = f"learning:{told.number}" if told.number else told.uid
    learning += "  staged" if told.status is Status.STAGED else ""
    place = event.anchor.spec
    if event.new_place and event.new_place != place:
        place = f"{place} → {event.new_place}"
    kind = f"{event.kind.value}:{event.drift.value}" if event.drift else event.kind.value
    coloured = styled(kind, fg=_COLOURS.get(event.kind.value))
    typer.echo(f"{event.at}  {coloured}  {printable(place)}  {styled(learning, fg='bright_black')}")
    for line in _details(told):
        typer.echo(styled(f"  {line}", fg="bright_black"))


def _details(told: Told) -> list[str]:
    event = told.event
    change = f"{event.old_status} → {event.new_status}" if event.old_status != event.new_status else ""
    lines = ["; ".join(filter(None, (event.detail, change, f"told by {event.detected_by}")))]
    if event.commit:
        lines.append(f"commit {event.commit[:_SHORT]} {told.subject or ''}".rstrip())
    taken = event.anchor.fingerprints
    if taken and event.new_hash and event.new_hash != taken.content:
        lines.append(f"content {taken.content[:_SHORT]} → {event.new_hash[:_SHORT]}")
    return lines


def _shape(told: Told) -> dict[str, object]:
    event = told.event
    taken = event.anchor.fingerprints
    return {
        "at": event.at,
        "event": event.kind.value,
        "learning": told.number,
        "uid": told.uid,
        "status": told.status.value if told.status else None,
        "anchor": event.anchor.spec,
        "anchor_type": event.anchor.type.value,
        "detected_by": event.detected_by,
        "old_status": event.old_status,
        "new_status": event.new_status,
        "drift": event.drift.value if event.drift else None,
        "reason": event.reason.value if event.reason else None,
        "detail": event.detail,
        "commit": event.commit,
        "commit_subject": told.subject,
        "old_place": event.anchor.spec,
        "new_place": event.new_place,
        "old_hash": taken.content if taken else None,
        "new_hash": event.new_hash,
    }
